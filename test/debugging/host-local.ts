import type { Exit } from '../../src/system/spawn-program.ts';

const folder = 'C:\\var\\lib\\cni\\networks\\l2bridge';

/** host-local with a range of two addresses, and its files on the node. */
export function hostLocal(files: Record<string, string>) {
  const addresses = ['10.244.1.2', '10.244.1.3'];
  const fileOf = (address: string) => `${folder}\\${address}`;
  return (environment: Readonly<Record<string, string | undefined>>): Exit => {
    const holder = `${environment['CNI_CONTAINERID']}\r\n${environment['CNI_IFNAME']}`;
    if (environment['CNI_COMMAND'] !== 'ADD') {
      for (const address of addresses) if (files[fileOf(address)] === holder) delete files[fileOf(address)];
      return { exitCode: 0, stdout: '' };
    }
    const free = addresses.find((address) => files[fileOf(address)] === undefined);
    if (free === undefined) {
      const msg = `no IP addresses available in range set: ${addresses.join('-')}`;
      return { exitCode: 1, stdout: JSON.stringify({ code: 999, msg }) };
    }
    files[fileOf(free)] = holder;
    const ips = [{ address: `${free}/24`, gateway: '10.244.1.1' }];
    return { exitCode: 0, stdout: JSON.stringify({ cniVersion: '1.0.0', ips }) };
  };
}
