import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Policy } from '../../src/hcn/documents.ts';
import { describeNodeRoute, newNodeRoute } from '../../src/net/node-route.ts';
import { example } from './example.ts';
import { type Node, startNode } from './node.ts';

let node: Node;
beforeEach(async () => {
  node = await startNode();
});
afterEach(() => node.stop());

const withoutIpam = { ipam: { type: '' } };
const overlay = example('static-overlay', withoutIpam);
const l2bridge = example('static-routes', { ...withoutIpam, hostEndpoint: undefined });
const policies = () =>
  node.hns
    .dump()
    .networks.flatMap(({ Policies }) => Policies as unknown as readonly Policy[])
    .filter(({ Type }) => Type === 'RemoteSubnetRoute');
const routes = () =>
  node.hns
    .nodeRoutes()
    .filter(({ metric }) => metric === 4242)
    .map(describeNodeRoute);
const route = (subnet: string, nextHop: string) => `route to ${subnet} through ${nextHop} on interface 6`;

describe('an ADD that creates an Overlay network', () => {
  test('adds the remote subnets afterwards, with one request each', async () => {
    expect(await node.add(overlay)).toMatchObject({ exitCode: 0 });
    const requests = node.hns.calls.filter(({ function: name }) => name === 'HcnModifyNetwork');
    expect(requests.map(({ document }) => document)).toMatchObject([
      { RequestType: 'Add', Settings: { Policies: [{ Type: 'HostRoute' }] } },
      { RequestType: 'Add', Settings: { Policies: [{ Settings: { DestinationPrefix: '10.244.2.0/24' } }] } },
      { RequestType: 'Add', Settings: { Policies: [{ Settings: { DestinationPrefix: '10.244.3.0/24' } }] } },
    ]);
  });

  test('fails if HNS refuses one, and keeps the network', async () => {
    node.hns.inject({ function: 'HcnModifyNetwork', ordinal: 3, effect: { hresult: 0x80070057 } });
    expect(await node.add(overlay)).toMatchObject({
      exitCode: 1,
      json: {
        code: 100,
        msg: expect.stringContaining('adding policies to network'),
        details: expect.stringContaining('the next ADD adds them while the network has no endpoint'),
      },
    });
    expect(policies()).toHaveLength(1);
  });
});

describe('an ADD that creates an L2Bridge network', () => {
  test('creates the routes of both families on the interface with the address of the node', async () => {
    const ipv6 = { subnet: 'fd00:2::/64', nextHop: 'fd00::5' };
    const remoteSubnets = [...(l2bridge['remoteSubnets'] as readonly object[]), ipv6];
    expect(await node.add({ ...l2bridge, remoteSubnets })).toMatchObject({ exitCode: 0 });
    expect(routes()).toEqual([
      route('10.244.2.0/24', '10.0.0.5'),
      route('10.244.3.0/24', '10.0.0.6'),
      route('fd00:2::/64', 'fd00::5'),
    ]);
  });

  test('fails if Windows refuses one, and keeps the network and the others, which the next ADD completes', async () => {
    node.hns.inject({ function: 'CreateIpForwardEntry2', ordinal: 2, effect: { hresult: 0x80070005 } });
    expect(await node.add(l2bridge)).toMatchObject({
      exitCode: 1,
      json: {
        code: 100,
        msg:
          'creating the route to 10.244.3.0/24 through 10.0.0.6 on interface 6: Windows returned ERROR_ACCESS_DENIED (5). Only SYSTEM and elevated administrators may do that. ' +
          'Run Get-NetIPInterface and Get-NetRoute to check that the interface exists, has IPv4, and no other route to the subnet. Run Get-Service nsi, iphlpsvc to check that both services are running.',
      },
    });
    expect(routes()).toEqual([route('10.244.2.0/24', '10.0.0.5')]);
    expect(await node.add(l2bridge)).toMatchObject({ exitCode: 0 });
    expect(routes()).toEqual([route('10.244.2.0/24', '10.0.0.5'), route('10.244.3.0/24', '10.0.0.6')]);
  });

  test("leaves another program's route alone, with a notice in the log", async () => {
    await node.add({ ...l2bridge, name: 'other', subnets: [{ subnet: '10.245.1.0/24' }], remoteSubnets: [] });
    const learned = { ...newNodeRoute(6, '10.244.2.0/24', '10.0.0.9'), metric: 10 };
    node.hns.addNodeRoute(learned);
    const folder = mkdtempSync(join(tmpdir(), 'win-hcn-'));
    const logFile = join(folder, 'win-hcn.log');
    expect(await node.add({ ...l2bridge, logFile })).toMatchObject({ exitCode: 0 });
    const log = readFileSync(logFile, 'utf8');
    rmSync(folder, { recursive: true });
    expect(log).toContain(
      `the ${route('10.244.2.0/24', '10.0.0.9')}, which another program created, is not changed`,
    );
    expect(routes()).toEqual([route('10.244.3.0/24', '10.0.0.6')]);
  });
});

test.each([
  ['Overlay', overlay],
  ['L2Bridge', l2bridge],
])('an ADD on a %s network with pods adds no remote subnets', async (_, config) => {
  await node.add({ ...config, remoteSubnets: [] });
  expect(await node.add(config)).toMatchObject({ exitCode: 0 });
  expect([policies(), routes()]).toEqual([[], []]);
});
