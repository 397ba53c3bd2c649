import { expect, test } from 'vitest';
import { isDropped } from '../../../../src/cli/trace/live.ts';
import { scriptedPktmon } from '../capture/scripted-pktmon.ts';
import { cliNode } from '../node-without-hns.ts';

type Hop = Parameters<typeof isDropped>[0]['hops'][number];
const hop = (sent: number, drops: number): Hop => ({
  where: 'pod',
  component: 1,
  sent,
  replies: 0,
  drops: Array.from({ length: drops }, () => ({ packets: 1, reason: 'INET: no route' })),
});

test.each([
  ['none of the sender was seen', [hop(0, 0), hop(0, 0)], true],
  ['one packet of the sender was seen at one hop', [hop(0, 0), hop(1, 0)], false],
  ['one hop dropped packets', [hop(2, 0), hop(1, 1)], true],
])('packets are dropped if %s: %s', (_, hops, expected) => {
  expect(isDropped({ seconds: 10, hops })).toBe(expected);
});

const guid = (number: number) => `${number}2345678-0000-4000-8000-000000000000`;
const endpoint = (number: number) => ({
  ...{ ID: guid(number), Name: `${number}`, HostComputeNetwork: guid(0), HostComputeNamespace: guid(0) },
  IpConfigurations: [{ IpAddress: `10.244.1.${number}`, PrefixLength: 24 }],
  Routes: [{ NextHop: '10.244.1.1', DestinationPrefix: '0.0.0.0/0' }],
});
const ends = ['10.96.0.10', ...[1, 2, 3, 4, 5, 6, 7].map((number) => `10.244.1.${number}`)];

test.each([
  [7, ends.map((end) => `10.244.1.9 ${end}`)],
  [8, ['10.244.1.9']],
])('a service with %s backends is recorded with these filters: %j', async (count, filters) => {
  const backends = Array.from({ length: count }, (_, index) => endpoint(index + 1));
  const balancer = {
    ...{ ID: guid(0), HostComputeEndpoints: backends.map(({ ID }) => ID), FrontendVIPs: ['10.96.0.10'] },
    ...{ PortMappings: [{ Protocol: 6, InternalPort: 80, ExternalPort: 80 }], Flags: 1 },
  };
  const node = cliNode({
    networks: [{ ID: guid(0), Name: 'pods', Type: 'L2Bridge' }],
    endpoints: [endpoint(9), ...backends],
    loadBalancers: [balancer],
  });
  const { run, calls, files, removeFile } = scriptedPktmon();
  await node.run('trace 10.244.1.9 10.96.0.10:80 --live 1', { pktmon: run, files, removeFile });
  const added = calls.filter((call) => call.startsWith('filter add'));
  expect(added).toEqual(filters.map((filter) => `filter add win-hcn -i ${filter} -e`));
});
