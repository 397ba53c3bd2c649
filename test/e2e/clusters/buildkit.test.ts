// BuildKit 0.32: util/network/cniprovider/cni.go and createns_windows.go, util/network/netpool/pool.go.

import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { containerdNatConf, createNatNetwork } from '../../cluster/agents/nat-networks.ts';
import { runCli } from '../cli/run-cli.ts';
import { type Node, startNode } from '../node.ts';

const { plugins, ...list } = JSON.parse(readFileSync('conflist-examples/nat.conflist', 'utf8'));
const example = { ...list, ...plugins[0] };
const containerId = 'mpuccrsa5n6vvap48pxv0ztwz';

let node: Node;
let run: { readonly containerId: string; readonly netns: string };
beforeEach(async () => {
  node = await startNode();
  await createNatNetwork(node.hcn, '172.28.112.0/20', '172.28.112.1');
  run = { containerId, netns: node.hns.createNamespace('Guest') };
});
afterEach(() => node.stop());

test.each([
  ['0-containerd-nat.conf', containerdNatConf('172.28.112.1', 20), `${containerId}_nat`],
  ['nat.conflist', example, `${containerId}_nat_eth0`],
])('with %s, attaches an endpoint to a namespace of type Guest, and deletes it', async (_, config, name) => {
  expect(await node.add(config, run)).toMatchObject({ exitCode: 0, log: '' });
  const [endpoint] = node.hns.dump().endpoints;
  expect(endpoint).toEqual({
    ID: expect.any(String),
    Name: name,
    HostComputeNetwork: 'b95d0c5e-57d4-412b-b571-18a81a16e005',
    HostComputeNamespace: run.netns,
    IpConfigurations: [{ IpAddress: '172.28.112.2', PrefixLength: 20 }],
    Routes: [{ NextHop: '172.28.112.1', DestinationPrefix: '0.0.0.0/0' }],
    Dns: {},
    MacAddress: expect.stringMatching(/^00-15-5D/),
    Health: expect.any(Object),
    State: expect.any(Number),
    SchemaVersion: { Major: 2, Minor: 0 },
  });
  expect(await node.del(config, run)).toMatchObject({ exitCode: 0, stdout: '', log: '' });
  expect(node.hns.dump()).toMatchObject({ endpoints: [], namespaces: [{}, { ID: run.netns }] });
});

test('gc keeps the endpoint of a namespace that BuildKit keeps for its next container', async () => {
  await node.add(example, run);
  node.hns.attachContainer(run.netns, 'first');
  node.hns.detachContainer(run.netns, 'first');
  const { endpoints } = node.hns.dump();
  const { stdout } = await runCli(['gc', '--yes'], { system: node.outside });
  expect({ stdout, endpoints: node.hns.dump().endpoints }).toEqual({
    stdout: 'Nothing to delete.\n',
    endpoints,
  });
});
