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

test.each([
  [7, '10.244.1.9 10.244.1.7', 8],
  [8, '10.244.1.9', 1],
])('a service with %s backends is recorded with filter %s, of %s', async (count, last, length) => {
  const guid = (number: number) => `${number}2345678-0000-4000-8000-000000000000`;
  const endpoints = [9, 1, 2, 3, 4, 5, 6, 7, 8].slice(0, count + 1).map((one) => ({
    ...{ ID: guid(one), Name: `${one}`, HostComputeNetwork: guid(0), HostComputeNamespace: guid(0) },
    IpConfigurations: [{ IpAddress: `10.244.1.${one}`, PrefixLength: 8 }],
  }));
  const service = { ID: guid(0), HostComputeEndpoints: endpoints.slice(1).map(({ ID }) => ID), Flags: 1 };
  const PortMappings = [{ Protocol: 6, InternalPort: 80, ExternalPort: 80 }];
  const node = cliNode({
    networks: [{ ID: guid(0), Name: 'pods', Type: 'L2Bridge' }],
    endpoints,
    loadBalancers: [{ ...service, FrontendVIPs: ['10.96.0.10'], PortMappings }],
  });
  const { run, calls, files, removeFile } = scriptedPktmon();
  await node.run('trace 10.244.1.9 10.96.0.10:80 --live 1', { pktmon: run, files, removeFile });
  const added = calls.filter((call) => call.startsWith('filter add'));
  expect([added.at(-1), added.length]).toEqual([`filter add win-hcn -i ${last} -e`, length]);
});
