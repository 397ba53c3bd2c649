import { expect, test } from 'vitest';
import { startNode } from './node.ts';

const network = 'aaaaaaaa-0000-4000-8000-000000000000';
const Routes = [{ NextHop: '10.244.1.1', DestinationPrefix: '0.0.0.0/0' }];
const document = {
  Name: 'cbr0',
  Type: 'L2Bridge',
  Ipams: [{ Type: 'Static', Subnets: [{ IpAddressPrefix: '10.244.1.0/24', Routes }] }],
  SchemaVersion: { Major: 2, Minor: 0 },
};

const first = [{ NextHop: '10.244.1.1', DestinationPrefix: '0.0.0.0/0' }];
const six = [{ NextHop: 'fd00::1', DestinationPrefix: '::/0' }];
const oneSubnet = [{ IpAddressPrefix: '10.244.1.0/24', Routes: first }];
const twoSubnets = [...oneSubnet, { IpAddressPrefix: 'fd00::/64', Routes: six }];
const wideSubnet = [
  { IpAddressPrefix: '10.244.0.0/16', Routes: [{ NextHop: '10.244.0.1', DestinationPrefix: '0.0.0.0/0' }] },
];
const vsid = [{ Type: 'VSID', Settings: { IsolationId: 4096 } }];
const overlaySubnet = oneSubnet.map((subnet) => ({ ...subnet, Policies: vsid }));
const four = { version: '4', address: '10.244.1.10/24' };
const defaultGateway = { ...four, gateway: '10.244.1.1' };
const ownGateway = { ...four, gateway: '10.244.1.9' };
const both = [defaultGateway, { version: '6', address: 'fd00::10/64', gateway: 'fd00::9' }];
const byRoute = [
  { dst: '0.0.0.0/0', gw: '10.244.1.7' },
  { dst: '10.96.0.0/12', gw: '10.244.1.7' },
];
const force = { forceBridgeGateway: true };
const additional = {
  optionalFlags: { gatewayFromAdditionalRoutes: true },
  additionalRoutes: [
    { dst: '0.0.0.0/0', gw: '10.244.1.3' },
    { dst: '::/0', gw: 'fd00::3' },
  ],
};

test.each([
  ['win-bridge: the second address', 'win-bridge', {}, oneSubnet, [defaultGateway], byRoute, ['10.244.1.2']],
  [
    "win-bridge: the second address of the pod's prefix",
    'win-bridge',
    {},
    wideSubnet,
    [four],
    [],
    ['10.244.1.2'],
  ],
  [
    "win-overlay: the network's gateway",
    'win-overlay',
    {},
    overlaySubnet,
    [ownGateway],
    byRoute,
    ['10.244.1.1'],
  ],
  [
    "sdnbridge: the network's gateway, not the IPAM plugin's default",
    'sdnbridge',
    {},
    oneSubnet,
    [defaultGateway],
    [],
    ['10.244.1.1'],
  ],
  [
    "sdnbridge: the IPAM plugin's gateway, whatever its routes",
    'sdnbridge',
    {},
    oneSubnet,
    [ownGateway],
    byRoute,
    ['10.244.1.9'],
  ],
  ['sdnbridge: a gateway for each family', 'sdnbridge', {}, twoSubnets, both, [], ['10.244.1.1', 'fd00::9']],
  [
    'forceBridgeGateway: the second address, for IPv4 only',
    'sdnbridge',
    { optionalFlags: force },
    twoSubnets,
    both,
    byRoute,
    ['10.244.1.2', 'fd00::9'],
  ],
  [
    'additionalRoutes: for families without a gateway of the IPAM plugin',
    'sdnbridge',
    additional,
    twoSubnets,
    both,
    [],
    ['10.244.1.3', 'fd00::9'],
  ],
])(
  'the only route is that to the gateway with an IPAM plugin, %s',
  async (_, type, more, Subnets, ips, routes, expected) => {
    const node = await startNode();
    const Type = type === 'win-overlay' ? 'Overlay' : 'L2Bridge';
    await node.hcn.createNetwork(network, { ...document, Type, Ipams: [{ Type: 'Static', Subnets }] });
    node.ipam.override.set('ADD', {
      exitCode: 0,
      stdout: JSON.stringify({ cniVersion: '0.4.0', ips, routes }),
    });
    const config = { cniVersion: '0.4.0', name: 'cbr0', type, ipam: { type: 'host-local' }, ...more };
    expect(await node.add(config)).toMatchObject({ exitCode: 0 });
    const sent = node.hns.dump().endpoints[0]?.['Routes'];
    expect(sent).toMatchObject(expected.map((NextHop) => ({ NextHop })));
    await node.stop();
  },
);
