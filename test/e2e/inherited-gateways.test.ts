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

test("win-bridge's pods with addresses from HNS go through the network's own gateway", async () => {
  const node = await startNode();
  await node.hcn.createNetwork(network, document);
  const config = { cniVersion: '1.0.0', name: 'cbr0', type: 'win-bridge' };
  for (const address of ['10.244.1.2/24', '10.244.1.3/24']) {
    const { json } = await node.cni('ADD', { config, pod: node.newPod() });
    expect(json.ips).toEqual([{ interface: 0, address, gateway: '10.244.1.1' }]);
  }
  await node.stop();
});

test('a pod to which HNS gives the address of its gateway is refused, and leaves nothing', async () => {
  const node = await startNode();
  await node.hcn.createNetwork(network, document);
  const optionalFlags = { forceBridgeGateway: true };
  const config = { cniVersion: '1.0.0', name: 'cbr0', type: 'sdnbridge', optionalFlags };
  expect(await node.cni('ADD', { config, pod: node.newPod() })).toMatchObject({
    exitCode: 1,
    json: { code: 100, msg: 'HNS gave the endpoint 10.244.1.2, which is the gateway asked for' },
  });
  expect(node.hns.dump().endpoints).toEqual([]);
  await node.stop();
});
