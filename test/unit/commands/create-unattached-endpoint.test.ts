import { expect, test } from 'vitest';
import { createUnattachedEndpoint } from '../../../src/commands/unattached-endpoint.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import { endpointId } from '../../../src/model/identity.ts';
import { resolveNetwork } from '../../../src/plan/network-plan.ts';
import { example } from '../../e2e/example.ts';
import { changesIn } from '../hcn/small-hcn.ts';
import { type SmallNodeOptions, smallNode } from './small-node.ts';

const config = readNetworkConfig(example('nat'));
const network = { ...resolveNetwork(config, undefined), Type: 'NAT' };
const attachment = { containerId: 'c0ffee', ifname: 'eth0', network: 'nat' };
const id = endpointId(attachment);

const assignment = { ips: [{ address: '172.28.0.2/20' }], routes: [], dns: {} };
const existing = {
  ID: id,
  Name: 'c0ffee_nat_eth0',
  HostComputeNetwork: network.ID,
  IpConfigurations: [{ IpAddress: '172.28.0.9' }],
};

async function created(options: SmallNodeOptions = {}, given = config) {
  const node = smallNode({ networks: [network], ...options });
  const outcome = await createUnattachedEndpoint(attachment, given, assignment, node.context).then(
    (endpoint) => ({ endpoint, error: undefined }),
    (error: unknown) => ({ endpoint: undefined, error }),
  );
  const changes = changesIn(node.calls);
  return { ...outcome, node, changes };
}

test('a missing network is code 102, and is not created', async () => {
  const { error, changes } = await created({ networks: [] });
  expect(error).toMatchObject({
    code: 102,
    message: 'HCN has no network "nat"',
    details: 'win-hcn network ensure creates it from the same file',
  });
  expect(changes).toEqual([]);
});

test('an existing unattached endpoint is kept, and is code 101', async () => {
  const { error, changes } = await created({ endpoints: [existing] });
  expect(error).toMatchObject({
    code: 101,
    message: `container c0ffee already has an unattached endpoint for "eth0" on network "nat": ${id}`,
    details: 'win-hcn debug endpoint attach attaches it, win-hcn debug endpoint delete deletes it',
  });
  expect(changes).toEqual([]);
});

test('an endpoint is not created if HNS lacks a feature that it requires', async () => {
  const answer = '{"Success":true,"Output":{"Major":9,"Minor":1}}';
  const fault = (call: string) => (call === 'HNSCall' ? { answer } : undefined);
  const given = readNetworkConfig(example('nat', { ...tierAcls() }));
  const { error, changes } = await created({ fault }, given);
  expect(error).toMatchObject({
    code: 7,
    message: expect.stringContaining('TierAcl needs HNS 14.0 or later'),
  });
  expect(changes).toEqual([]);
});

function tierAcls(): object {
  const { endpointPolicies, acls } = example('tier-acls');
  return { endpointPolicies, acls };
}

test('an endpoint is rolled back if HNS creates it otherwise than requested', async () => {
  const { error, changes } = await created({ adds: { IpConfigurations: [], State: 5 } });
  expect(error).toMatchObject({ code: 100 });
  expect(changes).toEqual([`create Endpoint ${id}`, `delete Endpoint ${id}`]);
});

test('an endpoint that disappears at once is code 11', async () => {
  const { error } = await created({
    fault: (call) => (call === `query Endpoint ${id}` ? 0x803b0002 : undefined),
  });
  expect(error).toMatchObject({
    code: 11,
    message: `endpoint ${id} disappeared right after its creation: retry`,
  });
});
