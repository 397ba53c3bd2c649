import type { Exit } from '../../src/system.ts';

/** An IPAM plugin in memory that behaves as host-local does: one lease for each container and interface, DEL releases it. */
export interface Ipam {
  /** The first three octets of the addresses it assigns, with the dot behind them. */
  prefix: string;
  /** The beginning of a second, IPv6 address, which it then assigns first. */
  prefix6: string | undefined;
  readonly leases: ReadonlyMap<string, string>;
  /** What it was run with: command and stdin. */
  readonly runs: readonly { readonly command: string; readonly stdin: string }[];
  /** What it answers to a command instead of doing it. */
  readonly override: Map<string, Exit>;
  run(environment: Readonly<Record<string, string | undefined>>, stdin: string): Exit;
}

export function newIpam(): Ipam {
  const leases = new Map<string, string>();
  const runs: { command: string; stdin: string }[] = [];
  return {
    prefix: '10.244.1.',
    prefix6: undefined,
    leases,
    runs,
    override: new Map(),
    run(environment, stdin) {
      const command = environment['CNI_COMMAND'] ?? '';
      const holder = `${environment['CNI_CONTAINERID']} ${environment['CNI_IFNAME']}`;
      runs.push({ command, stdin });
      const override = this.override.get(command);
      if (override !== undefined) return override;
      const error = (msg: string): Exit => ({ exitCode: 1, stdout: JSON.stringify({ code: 100, msg }) });
      switch (command) {
        case 'ADD': {
          if (leases.has(holder)) return error('duplicate allocation is not allowed');
          const used = new Set(leases.values());
          let host = 10;
          while (used.has(`${this.prefix}${host}`)) host += 1;
          leases.set(holder, `${this.prefix}${host}`);
          const { cniVersion } = JSON.parse(stdin);
          const version = (number: string) => (cniVersion < '1' ? { version: number } : {});
          const second = { ...version('6'), address: `${this.prefix6}${host}/64` };
          const ips = [
            ...(this.prefix6 === undefined ? [] : [second]),
            { ...version('4'), address: `${this.prefix}${host}/24`, gateway: `${this.prefix}1` },
          ];
          return { exitCode: 0, stdout: JSON.stringify({ cniVersion, ips, routes: [{ dst: '0.0.0.0/0' }] }) };
        }
        case 'CHECK':
          return leases.has(holder) ? { exitCode: 0, stdout: '' } : error('no lease');
        default:
          leases.delete(holder);
          return { exitCode: 0, stdout: '' };
      }
    },
  };
}
