import type { Exit } from '../../src/system/spawn-program.ts';
import { type Ipam, newIpam } from '../e2e/ipam.ts';

/** How a run of the plugin ends instead of as usual. */
export type IpamMode =
  | 'as usual'
  | 'refuses'
  | 'fails without output'
  | 'is killed after its work'
  | 'prints garbage'
  | 'assigns an address in use';

export const ipamModes: readonly [IpamMode, ...IpamMode[]] = [
  'refuses',
  'fails without output',
  'is killed after its work',
  'prints garbage',
  'assigns an address in use',
];

/** The code that the plugin returns in the modes with an error of its own. */
export const ipamCodes = { refuses: 11, undecoded: 6 };

/** An IPAM plugin with a pool of addresses for each network, whose behavior a storm changes between two runs. */
export interface StormIpam extends Ipam {
  /** Called before each run. */
  modeOf: (command: string) => IpamMode;
  /** The leases of a network, as host-local's files: address and holder. */
  leasesOf(network: string): readonly (readonly [address: string, holder: string])[];
}

export interface Pool {
  readonly name: string;
  readonly prefix: string;
  readonly prefix6?: string | undefined;
}

const refusal = (code: number): Exit => ({
  exitCode: 1,
  stdout: JSON.stringify({ cniVersion: '1.0.0', code, msg: 'the storm refuses' }),
});

export function stormIpam(pools: readonly Pool[]): StormIpam {
  const byName = new Map(
    pools.map(({ name, prefix, prefix6 }) => {
      const pool = newIpam();
      pool.prefix = prefix;
      pool.prefix6 = prefix6;
      return [name, pool] as const;
    }),
  );
  const all = () => [...byName.values()];
  const base = newIpam();

  const run = (
    ipam: StormIpam,
    environment: Readonly<Record<string, string | undefined>>,
    stdin: string,
  ): Exit => {
    const command = environment['CNI_COMMAND'] ?? '';
    const pool = byName.get(nameIn(stdin));
    if (pool === undefined) return refusal(ipamCodes.undecoded);
    const holder = `${environment['CNI_CONTAINERID']} ${environment['CNI_IFNAME']}`;
    const work = () => pool.run(environment, stdin);
    const mode = ipam.modeOf(command);
    switch (mode) {
      case 'as usual':
        return work();
      case 'refuses':
        return refusal(ipamCodes.refuses);
      case 'fails without output':
        return { exitCode: 2, stdout: '' };
      case 'is killed after its work':
        work();
        return { exitCode: null, stdout: '' };
      case 'prints garbage':
        work();
        return { exitCode: 0, stdout: '{"cniVersion":"1.0.0","ips":[{"addr' };
      case 'assigns an address in use': {
        const exit = work();
        const [other] = [...pool.leases].filter(([key]) => key !== holder).map(([, address]) => address);
        const mine = pool.leases.get(holder);
        if (command !== 'ADD' || other === undefined || mine === undefined) return exit;
        return { ...exit, stdout: (exit.stdout ?? '').replaceAll(`"${mine}/`, `"${other}/`) };
      }
    }
  };

  return {
    ...base,
    modeOf: () => 'as usual',
    get leases() {
      return new Map(all().flatMap((pool) => [...pool.leases]));
    },
    get runs() {
      return all().flatMap((pool) => pool.runs);
    },
    leasesOf: (network) =>
      [...(byName.get(network)?.leases ?? [])].map(([holder, address]) => [address, holder] as const),
    run(environment, stdin) {
      return run(this, environment, stdin);
    },
  };
}

/** A killed win-hcn may have written only a part of it. */
function nameIn(stdin: string): string {
  try {
    return JSON.parse(stdin).name;
  } catch {
    return '';
  }
}
