import type { System } from '../../src/system.ts';
import type { Node } from './node.ts';

/** The configuration of host-local in this store. */
export const hostLocal = { type: 'host-local', dataDir: 'D:\\ipam' };

/** Makes a node's IPAM plugin keep files, as host-local does, which win-hcn finds in the folder of network "l2bridge". */
export function hostLocalStore(node: Node): void {
  const folder = `${hostLocal.dataDir}\\l2bridge`;
  const modified = Date.UTC(2026, 0, 1);
  let made = 0;
  let files = new Map<string, { readonly holder: string; readonly id: string }>();
  const outside: Partial<System> = {
    clock: () => new Date(modified),
    spawn: async (_path, environment, stdin) => {
      const exit = node.ipam.run(environment, stdin);
      const leases = [...node.ipam.leases].map(([holder, address]) => {
        const path = `${folder}\\${address}`;
        const kept = files.get(path);
        return [path, kept?.holder === holder ? kept : { holder, id: `${++made}` }] as const;
      });
      files = new Map(leases);
      return exit;
    },
    findFile: (given) => {
      const id = files.get(given.replaceAll('/', '\\'))?.id;
      return id === undefined ? undefined : { id, modified };
    },
  };
  Object.assign(node.outside, outside);
}
