import { expect, test } from 'vitest';
import { endpointId, networkId } from '../../../../src/model/identity.ts';
import { cliNode } from '../node-without-hns.ts';

const files = {
  'net.conf': JSON.stringify({
    cniVersion: '1.1.0',
    name: 'pods',
    type: 'win-hcn',
    networkType: 'L2Bridge',
    subnets: [{ subnet: '10.244.1.0/24' }],
  }),
};

test.each([
  [0x803b0001, 'HCN_E_NETWORK_NOT_FOUND'],
  [0x80dead01, '0x80dead01'],
  ['late', 'no response'],
] as const)('debug cni prints the failure %s of a call as %s', async (fault, expected) => {
  const node = cliNode({ fault: (call) => (call.startsWith('open ') ? fault : undefined) });
  const { stderr } = await node.run('debug cni status --conf net.conf', { files });
  expect(stderr).toMatch(new RegExp(`^ +[\\d.]+ +${expected} +Hcn`, 'm'));
});

test.each([
  [0, 0, 'no endpoints deleted'],
  [2, 0, '2 endpoints deleted'],
  [2, 1, '1 endpoint deleted'],
])('debug cni gc with %s leftovers, %s of them gone, prints: %s', async (leftovers, gone, expected) => {
  const network = { ID: networkId('pods'), Name: 'pods', Type: 'L2Bridge' };
  const endpoints = Array.from({ length: leftovers }, (_, index) => ({
    ID: endpointId({ containerId: `pod${index}`, ifname: 'eth0', network: 'pods' }),
    Name: `pod${index}_pods_eth0`,
    HostComputeNetwork: network.ID,
  }));
  const absent = endpoints.slice(0, gone).map(({ ID }) => `delete Endpoint ${ID}`);
  const fault = (call: string) => (absent.includes(call) ? 0x803b0002 : undefined);
  const node = cliNode({ networks: [network], endpoints, fault });
  const { stderr } = await node.run('debug cni gc --conf net.conf --keep-none --yes', { files });
  expect(stderr).toContain(`GC succeeded, ${expected}: `);
});
