import type { Exit } from '../../src/system/spawn-program.ts';

/** An IPAM plugin in memory that works like host-local: one lease per container and interface, which DEL releases. */
export interface Ipam {
  /** The first three octets of its addresses with a trailing dot. */
  prefix: string;
  /** The prefix of a second, IPv6 address, which it then assigns first. */
  prefix6: string | undefined;
  readonly leases: ReadonlyMap<string, string>;
  /** Command and stdin of each run. */
  readonly runs: readonly { readonly command: string; readonly stdin: string }[];
  /** Output for a command, which it then does not execute. */
  readonly override: Map<string, Exit>;
  /** Makes the k-th run from now end like this, before or after its work. */
  inject(fault: IpamFault): void;
  clearFaults(): void;
  run(environment: Readonly<Record<string, string | undefined>>, stdin: string): Exit;
}

export interface IpamFault {
  readonly ordinal: number;
  readonly when: 'before' | 'after';
  readonly exit: Exit;
}

export function newIpam(): Ipam {
  const leases = new Map<string, string>();
  const runs: { command: string; stdin: string }[] = [];
  let faults: readonly IpamFault[] = [];

  const work = (ipam: Ipam, command: string, holder: string, stdin: string): Exit => {
    const { prefix, prefix6 } = ipam;
    const error = (msg: string): Exit => ({ exitCode: 1, stdout: JSON.stringify({ code: 100, msg }) });
    switch (command) {
      case 'ADD': {
        if (leases.has(holder)) return error('duplicate allocation is not allowed');
        const used = new Set(leases.values());
        let host = 10;
        while (used.has(`${prefix}${host}`)) host += 1;
        leases.set(holder, `${prefix}${host}`);
        const { cniVersion } = JSON.parse(stdin);
        const version = (number: string) => (cniVersion < '1' ? { version: number } : {});
        const second = { ...version('6'), address: `${prefix6}${host}/64` };
        const ips = [
          ...(prefix6 === undefined ? [] : [second]),
          { ...version('4'), address: `${prefix}${host}/24`, gateway: `${prefix}1` },
        ];
        return { exitCode: 0, stdout: JSON.stringify({ cniVersion, ips, routes: [{ dst: '0.0.0.0/0' }] }) };
      }
      case 'CHECK':
        return leases.has(holder) ? { exitCode: 0, stdout: '' } : error('no lease');
      case 'GC': {
        const valid = validHolders(stdin);
        for (const held of leases.keys()) if (!valid.has(held)) leases.delete(held);
        return { exitCode: 0, stdout: '' };
      }
      case 'STATUS':
        return { exitCode: 0, stdout: '' };
      default:
        leases.delete(holder);
        return { exitCode: 0, stdout: '' };
    }
  };

  return {
    prefix: '10.244.1.',
    prefix6: undefined,
    leases,
    runs,
    override: new Map(),
    inject: (fault) => {
      faults = [...faults, { ...fault, ordinal: runs.length + fault.ordinal }];
    },
    clearFaults: () => {
      faults = [];
    },
    run(environment, stdin) {
      const command = environment['CNI_COMMAND'] ?? '';
      const holder = `${environment['CNI_CONTAINERID']} ${environment['CNI_IFNAME']}`;
      runs.push({ command, stdin });
      const override = this.override.get(command);
      if (override !== undefined) return override;
      const fault = faults.find(({ ordinal }) => ordinal === runs.length);
      if (fault?.when === 'before') return fault.exit;
      const exit = work(this, command, holder, stdin);
      return fault?.exit ?? exit;
    },
  };
}

/** Returns the lease keys of the valid attachments. */
function validHolders(stdin: string): ReadonlySet<string> {
  const valid: readonly { containerID: string; ifname: string }[] =
    JSON.parse(stdin)['cni.dev/valid-attachments'] ?? [];
  return new Set(valid.map(({ containerID, ifname }) => `${containerID} ${ifname}`));
}
