import { expect, test } from 'vitest';
import { remoteSubnets } from '../../../../src/cli/doctor/checks/remote-subnets.ts';
import type { Policy } from '../../../../src/hcn/documents.ts';
import { type NodeRoute, newNodeRoute } from '../../../../src/net/node-route.ts';
import { adaptersWith, diagnosisTexts, node, pods } from './facts.ts';

const routed = { remoteSubnets: [{ subnet: '10.244.2.0/24', nextHop: '10.0.0.5' }] };
const ours = newNodeRoute(12, '10.244.2.0/24', '10.0.0.5');
const fix = 'fix: win-hcn network sync C:\\etc\\cni\\net.d\\10-pods.conf --yes';
const withRoutes = (...value: readonly NodeRoute[]) =>
  diagnosisTexts(remoteSubnets.diagnose({ ...node({}, { members: routed }), routes: { value } }));

const overlay = {
  networkType: 'Overlay',
  subnets: [{ subnet: '10.244.1.0/24', vsid: 4096 }],
  remoteSubnets: [{ subnet: '10.244.2.0/24', providerAddress: '10.0.0.5', macAddress: '00-15-5D-0A-0B-05' }],
};
const policy = (DestinationPrefix: string, ProviderAddress: string): Policy => ({
  Type: 'RemoteSubnetRoute',
  Settings: {
    DestinationPrefix,
    IsolationId: 4096,
    ProviderAddress,
    DistributedRouterMacAddress: '00:15:5d:0a:0b:05',
  },
});
const withPolicies = (...policies: readonly Policy[]) => {
  const Subnets = [
    { IpAddressPrefix: '10.244.1.0/24', Policies: [{ Type: 'VSID', Settings: { IsolationId: 4096 } }] },
  ];
  const Policies = [...(pods.Policies ?? []), ...policies];
  const networks = [{ ...pods, Type: 'Overlay', Ipams: [{ Subnets }], Policies }];
  return diagnosisTexts(remoteSubnets.diagnose(node({ networks }, { members: overlay })));
};

test('remote subnets pass if they are as configured, and additional ones are a remark', () => {
  expect(withRoutes(ours)).toEqual(['PASS 1 remote subnet as configured']);
  expect(withRoutes(ours, newNodeRoute(12, '10.244.9.0/24', '10.0.0.9'))).toEqual([
    'PASS 1 remote subnet as configured; remote subnet 10.244.9.0/24 (through 10.0.0.9 on interface 12) is not in the configuration',
  ]);
  expect(withPolicies(policy('10.244.2.0/24', '10.0.0.5'))).toEqual(['PASS 1 remote subnet as configured']);
});

test('missing and different remote subnets fail, with the command that sets them', () => {
  expect(withRoutes()).toEqual([
    `FAIL remote subnet 10.244.2.0/24 is missing, expected through 10.0.0.5 on interface 12: pods cannot reach the pods there | ${fix}`,
  ]);
  expect(withRoutes({ ...ours, nextHop: '10.0.0.9' })).toEqual([
    `FAIL remote subnet 10.244.2.0/24 is through 10.0.0.9 on interface 12, expected through 10.0.0.5 on interface 12: pods cannot reach the pods there | ${fix}`,
  ]);
  expect(withPolicies()).toEqual([
    `FAIL remote subnet 10.244.2.0/24 is missing, expected on node 10.0.0.5 with MAC address 00-15-5D-0A-0B-05 and VSID 4096: pods cannot reach the pods there | ${fix}`,
  ]);
  expect(withPolicies(policy('10.244.2.0/24', '10.0.0.9'))).toEqual([
    `FAIL remote subnet 10.244.2.0/24 is on node 10.0.0.9 with MAC address 00-15-5D-0A-0B-05 and VSID 4096, expected on node 10.0.0.5 with MAC address 00-15-5D-0A-0B-05 and VSID 4096: pods cannot reach the pods there | ${fix}`,
  ]);
});

test("another program's route is a warning: network sync does not change it", () => {
  expect(withRoutes({ ...ours, nextHop: '10.0.0.9', metric: 256 })).toEqual([
    'WARN remote subnet 10.244.2.0/24 is through 10.0.0.9 on interface 12, expected through 10.0.0.5 on interface 12: another program created the route | see: Get-NetRoute -DestinationPrefix 10.244.2.0/24',
  ]);
});

test('a policy of networkPolicies is configured too', () => {
  const networkPolicies = [policy('10.244.3.0/24', '10.0.0.6')];
  const { configuration, ...facts } = node({}, { members: { ...overlay, networkPolicies } });
  const Policies = [
    policy('10.244.2.0/24', '10.0.0.5'),
    ...networkPolicies,
    policy('10.244.9.0/24', '10.0.0.6'),
  ];
  const Subnets = [
    { IpAddressPrefix: '10.244.1.0/24', Policies: [{ Type: 'VSID', Settings: { IsolationId: 4096 } }] },
  ];
  const network = { ...pods, Type: 'Overlay', Ipams: [{ Subnets }], Policies };
  const inventory = { value: { networks: [network], endpoints: [], namespaces: [], loadBalancers: [] } };
  expect(diagnosisTexts(remoteSubnets.diagnose({ ...facts, configuration, inventory }))).toEqual([
    'PASS 1 remote subnet as configured; remote subnet 10.244.9.0/24 (on node 10.0.0.6 with MAC address 00-15-5D-0A-0B-05 and VSID 4096) is not in the configuration',
  ]);
});

test('routes and adapters that cannot be read are unknown', () => {
  const facts = node({}, { members: routed });
  expect(diagnosisTexts(remoteSubnets.diagnose(facts))).toEqual(['UNKNOWN not queried | see: Get-NetRoute']);
  const adapters = { error: 'no adapters' };
  expect(diagnosisTexts(remoteSubnets.diagnose({ ...facts, adapters, routes: { value: [] } }))).toEqual([
    'UNKNOWN no adapters | see: Get-NetAdapter',
  ]);
  const lost = node(
    {},
    { members: routed, adapters: adaptersWith('vEthernet (Ethernet)', { addresses: [] }) },
  );
  expect(diagnosisTexts(remoteSubnets.diagnose({ ...lost, routes: { value: [] } }))).toEqual([
    'UNKNOWN the node has no address on the network',
  ]);
});

test('nothing is checked without remote subnets, or before the network exists', () => {
  expect(remoteSubnets.diagnose(node())).toEqual([]);
  expect(remoteSubnets.diagnose(node({ networks: [] }, { members: routed }))).toEqual([]);
});
