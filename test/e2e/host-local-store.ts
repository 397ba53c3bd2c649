import type { System } from '../../src/system.ts';
import type { Node } from './node.ts';

/** host-local's files of a node, in memory, and the time of day. */
export interface HostLocalStore {
  /** The text of each file by its path, as `runCli` takes it. */
  readonly files: Record<string, string>;
  /** When each file was written, as `runCli` takes it. */
  readonly modified: Record<string, Date>;
  /** Sets the clock forward, or back. */
  pass(seconds: number): void;
  /** Runs host-local for eth0 of a container. */
  run(command: 'ADD' | 'DEL', container: string): void;
  /** Runs before each DEL of host-local that win-hcn runs. */
  beforeDel: () => Promise<void>;
}

/** The configuration of host-local in this store. */
export const hostLocal = { type: 'host-local', dataDir: 'D:\\ipam' };

/** Makes a node's IPAM plugin keep files, as host-local does, which win-hcn finds in this network's folder. */
export function hostLocalStore(node: Node, network = 'l2bridge'): HostLocalStore {
  let time = Date.UTC(2026, 0, 1);
  let made = 0;
  const ids: Record<string, string> = {};
  const folder = `${hostLocal.dataDir}\\${network}`;
  const store: HostLocalStore = {
    files: {},
    modified: {},
    pass: (seconds) => {
      time += seconds * 1000;
    },
    run: (CNI_COMMAND, CNI_CONTAINERID) => {
      node.ipam.run({ CNI_COMMAND, CNI_CONTAINERID, CNI_IFNAME: 'eth0' }, '{}');
      update();
    },
    beforeDel: async () => undefined,
  };
  const { files, modified } = store;
  const update = () => {
    const held = new Map([...node.ipam.leases].map(([holder, address]) => [`${folder}\\${address}`, holder]));
    for (const path of Object.keys(files)) if (path.startsWith(folder) && !held.has(path)) delete files[path];
    for (const [path, holder] of held) {
      const text = holder.replace(' ', '\r\n');
      if (files[path] === text) continue;
      files[path] = text;
      modified[path] = new Date(time);
      ids[path] = `${++made}`;
    }
  };
  const outside: Partial<System> = {
    clock: () => new Date(time),
    spawn: async (_path, environment, stdin) => {
      if (environment['CNI_COMMAND'] === 'DEL') await store.beforeDel();
      const exit = node.ipam.run(environment, stdin);
      update();
      return exit;
    },
    findFile: (given) => {
      const path = given.replaceAll('/', '\\');
      const [id, written] = [ids[path], modified[path]];
      if (files[path] === undefined || id === undefined || written === undefined) return undefined;
      return { id, modified: written.getTime() };
    },
  };
  Object.assign(node.outside, outside);
  return store;
}
