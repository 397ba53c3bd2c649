import { describe, expect, test } from 'vitest';
import type { NetworkConfig } from '../../../src/config/network-config.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import type { HostComputeEndpoint } from '../../../src/hcn/documents.ts';
import { endpointDocument } from '../../../src/plan/endpoint.ts';
import type { Assignment } from '../../../src/plan/endpoint-addresses.ts';
import { type IdentifiedNetwork, resolveNetwork } from '../../../src/plan/network-plan.ts';
import { example as exampleKeys } from '../../e2e/example.ts';

function example(name: string, changes: object = {}): NetworkConfig {
  return readNetworkConfig(exampleKeys(name, changes));
}

const l2bridge = resolveNetwork(example('l2bridge'), undefined);
const dualStack = {
  ...l2bridge,
  Ipams: [{ Subnets: [{ IpAddressPrefix: '10.244.1.0/24' }, { IpAddressPrefix: 'fd00:1::/64' }] }],
};
const overlay = {
  ...resolveNetwork(example('overlay'), undefined),
  Policies: [{ Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.4' } }],
};

/** The endpoint document for a configuration. Without `assigned`, HNS assigns the addresses. */
function documentOf(
  config: NetworkConfig,
  assigned?: Partial<NonNullable<Assignment>>,
  network: IdentifiedNetwork = l2bridge,
): HostComputeEndpoint {
  const attachment = { containerId: 'c0ffee', ifname: 'eth0', network: config.name };
  return endpointDocument(
    config,
    attachment,
    network,
    assigned && { ips: [], routes: [], dns: {}, ...assigned },
  );
}

describe('the endpoint of the Overlay example', () => {
  const document = {
    ID: '8f3d2839-3a1f-5477-8179-8f48ec57b9ae',
    Name: 'c0ffee_overlay_eth0',
    HostComputeNetwork: overlay.ID,
    Policies: [
      { Type: 'OutBoundNAT', Settings: { Exceptions: ['10.245.0.0/16', '10.96.0.0/12'] } },
      { Type: 'SDNRoute', Settings: { DestinationPrefix: '10.96.0.0/12', NeedEncap: true } },
      { Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.4' } },
    ],
    Dns: { Search: ['svc.cluster.local'], ServerList: ['10.96.0.10'] },
    SchemaVersion: { Major: 2, Minor: 0 },
  };

  test('has this document if an IPAM plugin assigns the address', () => {
    const config = example('overlay', { ipam: { type: 'host-local' }, macPrefix: '0E-2A' });
    const ips = [{ address: '10.245.1.7/24', gateway: '10.245.1.1' }];
    expect(documentOf(config, { ips }, overlay)).toEqual({
      ...document,
      IpConfigurations: [{ IpAddress: '10.245.1.7', PrefixLength: 24 }],
      Routes: [{ NextHop: '10.245.1.1', DestinationPrefix: '0.0.0.0/0' }],
      MacAddress: '0E-2A-0A-F5-01-07',
    });
  });
});

test('the first route of an IPAM plugin whose gateway has the other family is refused', () => {
  const ips = [{ address: '10.244.1.9/24' }];
  const routes = [
    { dst: '10.96.0.0/12', gw: '10.244.1.3' },
    { dst: '10.97.0.0/16', gw: 'fd00::1' },
    { dst: 'fd00:9::/64', gw: '10.244.1.4' },
  ];
  expect(() => documentOf(example('l2bridge'), { ips, routes })).toThrow(
    expect.objectContaining({
      code: 7,
      message: 'route 10.97.0.0/16 has gateway fd00::1, which is IPv6, expected an IPv4 address',
      details: 'correct the routes of the IPAM plugin',
    }),
  );
});

describe('loopbackDSR', () => {
  const config = example('l2bridge', { loopbackDSR: true });
  const natOf = (ips?: readonly string[]) => {
    const assigned = ips && { ips: ips.map((address) => ({ address })) };
    const { Policies = [] } = documentOf(config, assigned, dualStack);
    return Policies.flatMap(({ Type, Settings }) =>
      Type === 'OutBoundNAT' ? (Settings?.['Destinations'] ?? []) : [],
    );
  };

  test('translates to the IPv4 address of the endpoint, and later to the one that HNS assigns', () => {
    expect(natOf(['10.244.1.9/24'])).toEqual(['10.244.1.9']);
    expect(natOf(['fd00:1::9/64', '10.244.1.9/24'])).toEqual(['10.244.1.9']);
    expect(natOf()).toEqual([]);
  });
});

test('a port mapping on 10.0.0.4 is refused if the endpoint has only IPv6', () => {
  const hostIP = '10.0.0.4';
  const portMappings = [{ hostPort: 8080, containerPort: 80, protocol: 'tcp', hostIP }];
  const config = example('l2bridge', { runtimeConfig: { portMappings } });
  expect(() => documentOf(config, { ips: [{ address: 'fd00:1::9/64' }] }, dualStack)).toThrow(
    expect.objectContaining({
      code: 7,
      message: `host port 8080 is mapped on ${hostIP}, but the endpoint has only IPv6`,
    }),
  );
});

test('the first port mapping for a missing family is refused, and none if the families are unknown', () => {
  const portMappings = [
    { hostPort: 8080, containerPort: 80, protocol: 'tcp' },
    { hostPort: 8081, containerPort: 80, protocol: 'tcp', hostIP: '::' },
    { hostPort: 8082, containerPort: 80, protocol: 'tcp', hostIP: 'fd00::4' },
  ];
  const config = example('l2bridge', { runtimeConfig: { portMappings } });
  expect(() => documentOf(config)).toThrow(
    'host port 8081 is mapped on IPv6, but the endpoint has only IPv4',
  );
  const { Policies = [] } = documentOf(config, undefined, { ...l2bridge, Ipams: [] });
  expect(
    Policies.flatMap(({ Type, Settings }) => (Type === 'PortMapping' ? Settings?.['ExternalPort'] : [])),
  ).toEqual([8081, 8082]);
});
