// What several published configurations have in common.

import type { HostComputeNetwork, Policy } from '../../../src/hcn/documents.ts';

const overlaySubnet = [{ Type: 'VSID', Settings: { IsolationId: 4096 } }];

/** An HCN network; `subnets` are prefixes with their gateways. */
export function network(
  name: string,
  type: string,
  subnets: readonly (readonly [prefix: string, gateway: string])[],
): HostComputeNetwork {
  const isOverlay = type === 'Overlay';
  return {
    Name: name,
    Type: type,
    Ipams: [
      {
        Type: 'Static',
        Subnets: subnets.map(([IpAddressPrefix, NextHop]) => ({
          IpAddressPrefix,
          ...(isOverlay && { Policies: overlaySubnet }),
          Routes: [{ NextHop, DestinationPrefix: NextHop.includes(':') ? '::/0' : '0.0.0.0/0' }],
        })),
      },
    ],
    ...(isOverlay && {
      Policies: [{ Type: 'ProviderAddress', Settings: { ProviderAddress: '192.168.1.5' } }],
    }),
    SchemaVersion: { Major: 2, Minor: 0 },
  };
}

/** The configuration that flannel passes to its delegate. */
export function fromFlannel(name: string, delegate: Readonly<Record<string, unknown>>, cniVersion = '0.2.0') {
  return {
    ...delegate,
    cniVersion,
    ipMasq: false,
    ipMasqNetwork: '10.244.0.0/16',
    ipam: { type: 'host-local', subnet: '10.244.1.0/24' },
    name,
    runtimeConfig: {
      portMappings: [{ hostPort: 8080, containerPort: 80, protocol: 'tcp', hostIP: '' }],
      dns: { servers: ['10.96.0.10'], searches: ['ns1.svc.cluster.local'], options: ['ndots:5'] },
    },
  };
}

/** What the runtime's keys in `fromFlannel` become. */
export const runtimeDns = {
  ServerList: ['10.96.0.10'],
  Search: ['ns1.svc.cluster.local'],
  Options: ['ndots:5'],
};
export const runtimePort = (flags: object = {}): Policy => ({
  Type: 'PortMapping',
  Settings: { Protocol: 6, InternalPort: 80, ExternalPort: 8080, ...flags },
});
/** loopbackDSR. */
export const toItself = (address: string): Policy => ({
  Type: 'OutBoundNAT',
  Settings: { Destinations: [address] },
});

export const exceptions = (...Exceptions: readonly string[]): Policy => ({
  Type: 'OutBoundNAT',
  Settings: { Exceptions },
});
export const route = (DestinationPrefix: string, NeedEncap = true): Policy => ({
  Type: 'SDNRoute',
  Settings: { DestinationPrefix, NeedEncap },
});
export const provider = (ProviderAddress: string): Policy => ({
  Type: 'ProviderAddress',
  Settings: { ProviderAddress },
});

export const cbr0 = network('cbr0', 'L2Bridge', [['10.244.1.0/24', '10.244.1.1']]);
export const onBridge = { within: '10.244.1.', length: 24, gateway: '10.244.1.2' };
const onOverlay = { within: '10.244.1.', length: 24, gateway: '10.244.1.1' };
export const onCbr0 = { before: cbr0, pod: onBridge };
export const onOverlayNetwork = (name: string) => ({
  before: network(name, 'Overlay', [['10.244.1.0/24', '10.244.1.1']]),
  pod: onOverlay,
});

/** Policies as configurations have them, with `name` and `value` or with `Name` and `Value`. */
export const given = (...values: readonly object[]) =>
  values.map((value) => ({ name: 'EndpointPolicy', value }));
export const givenUpper = (...values: readonly object[]) =>
  values.map((Value) => ({ Name: 'EndpointPolicy', Value }));
