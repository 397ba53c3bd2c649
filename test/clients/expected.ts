// What a client must report, written out for each shape the protocol has had.

import type { Hns } from '../simulator/hns.ts';

export interface Attached {
  readonly netns: string;
  readonly mac: string;
  readonly address: string;
  readonly gateway: string;
}

const dns = { nameservers: ['10.96.0.10'], search: ['svc.cluster.local'] };

/** The result for a pod of an example conflist, as libcni has it in the conflist's version. */
export function resultIn(cniVersion: string, { netns, mac, address, gateway }: Attached): object {
  const interfaces = [{ name: 'eth0', mac, sandbox: netns }];
  const routes = [{ dst: '0.0.0.0/0', gw: gateway }];
  switch (cniVersion) {
    case '0.1.0':
    case '0.2.0':
      return { cniVersion, ip4: { ip: address, gateway, routes }, dns };
    case '0.3.0':
    case '0.3.1':
    case '0.4.0':
      return { cniVersion, interfaces, ips: [{ version: '4', interface: 0, address, gateway }], routes, dns };
    default:
      return { cniVersion, interfaces, ips: [{ interface: 0, address, gateway }], routes, dns };
  }
}

/** The same as libcni converts it to 1.0.0: what a version has no room for is lost. */
export function result100(cniVersion: string, attached: Attached): object {
  if (cniVersion !== '0.1.0' && cniVersion !== '0.2.0') return resultIn('1.0.0', attached);
  const { address, gateway } = attached;
  const routes = [{ dst: '0.0.0.0/0', gw: gateway }];
  return { cniVersion: '1.0.0', ips: [{ address, gateway }], routes, dns };
}

/** The MAC address HNS gave its only endpoint, in CNI's notation. */
export function onlyMac(hns: Hns): string {
  const [endpoint] = hns.dump().endpoints;
  return String(endpoint?.['MacAddress']).replaceAll('-', ':').toLowerCase();
}

/** The functions that change something, of the calls HNS has had since the last time this was asked. */
export function changes(hns: Hns): string[] {
  const names = hns.calls.map((call) => call.function);
  hns.clearCalls();
  return names.filter((name) => /Create|Modify|Delete/.test(name));
}
