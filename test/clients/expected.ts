// The results that a client must report, for each version of the protocol.

import type { Hns } from '../simulator/hns.ts';

export interface Attached {
  readonly netns: string;
  readonly mac: string;
  readonly address: string;
  readonly gateway: string;
}

const dns = { nameservers: ['10.96.0.10'], search: ['svc.cluster.local'] };

/** Returns libcni's result for a pod of an example conflist, in the conflist's version. */
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

/** Returns the same converted to 1.0.0 by libcni, without members that the version lacks. */
export function result100(cniVersion: string, attached: Attached): object {
  if (cniVersion !== '0.1.0' && cniVersion !== '0.2.0') return resultIn('1.0.0', attached);
  const { address, gateway } = attached;
  const routes = [{ dst: '0.0.0.0/0', gw: gateway }];
  return { cniVersion: '1.0.0', ips: [{ address, gateway }], routes, dns };
}

/** Returns the MAC address of the only endpoint, in CNI's notation. */
export function onlyMac(hns: Hns): string {
  const [endpoint] = hns.dump().endpoints;
  return String(endpoint?.['MacAddress']).replaceAll('-', ':').toLowerCase();
}

/** Returns the calls that changed HNS since this function was last called. */
export function changes(hns: Hns): string[] {
  const names = hns.calls.map((call) => call.function);
  hns.clearCalls();
  return names.filter((name) => /Create|Modify|Delete/.test(name));
}
