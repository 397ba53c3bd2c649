/** The configurations, networks and addresses that several rows start from. */
export const SchemaVersion = { Major: 2, Minor: 0 };
export const zeroId = '00000000-0000-0000-0000-000000000000';

export const ipv4 = { address: '10.244.1.5/24', gateway: '10.244.1.1' };
export const ipv6 = { address: 'fd00:10:244:1::5/64', gateway: 'fd00:10:244:1::1' };

export const l2bridge = {
  networkType: 'L2Bridge',
  adapter: 'Ethernet',
  subnets: [{ subnet: '10.244.1.0/24' }],
};
export const dualStack = {
  ...l2bridge,
  subnets: [
    { subnet: '10.244.1.0/24', gateway: '10.244.1.1' },
    { subnet: 'fd00:10:244:1::/64', gateway: 'fd00:10:244:1::1' },
  ],
};
export const overlay = {
  networkType: 'Overlay',
  adapter: 'Ethernet',
  subnets: [{ subnet: '10.244.1.0/24', vsid: 4096 }],
};

/** The member Routes of a subnet with one route, by default the default route. */
export const through = (NextHop: string, DestinationPrefix = '0.0.0.0/0') => [{ NextHop, DestinationPrefix }];
/** The member Ipams of a network with these subnets. */
export const ipams = (...Subnets: readonly object[]) => [{ Type: 'Static', Subnets }];

/** The document of a network that exists before the command. */
export const dualStackNetwork = {
  Name: 'cbr0',
  Type: 'L2Bridge',
  Ipams: ipams(
    { IpAddressPrefix: '10.244.1.0/24', Routes: through('10.244.1.1') },
    { IpAddressPrefix: 'fd00:10:244:1::/64', Routes: through('fd00:10:244:1::1', '::/0') },
  ),
  SchemaVersion,
};

/** A call that creates an object with an id that HNS chooses. */
export function creation(kind: 'Network' | 'Endpoint' | 'LoadBalancer' | 'Namespace', document: object) {
  return { call: `HcnCreate${kind}`, id: zeroId, document };
}
