import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { endpointId } from '../../src/model/identity.ts';
import { example } from './example.ts';
import { type Node, startNode } from './node.ts';

let node: Node;
let folder: string;
beforeEach(async () => {
  node = await startNode();
  folder = mkdtempSync(join(tmpdir(), 'win-hcn-results-'));
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await node.stop();
});

const network = '07e4aa2e-0e6a-5bd9-9d5a-b9ee6a5be1d6';
const config = example('l2bridge', { cniVersion: '1.1.0' });

/** Runs an ADD for which HNS returns an endpoint with these members. */
function addWith(members: object, changes: object = {}): ReturnType<Node['add']> {
  const pod = node.newPod();
  const document = {
    ID: endpointId({ containerId: pod.containerId, ifname: 'eth0', network: 'l2bridge' }),
    Name: `${pod.containerId}_l2bridge_eth0`,
    HostComputeNetwork: network,
    MacAddress: '00-15-5D-52-C0-01',
    Policies: Array.from({ length: 9 }, () => ({ Type: 'ACL' })),
    IpConfigurations: [{ IpAddress: '10.244.1.5', PrefixLength: 24 }],
    Routes: [{ NextHop: '10.244.1.1', DestinationPrefix: '0.0.0.0/0' }],
    ...members,
  };
  const effect = { answer: JSON.stringify(document) };
  node.hns.inject({ function: 'HcnQueryEndpointProperties', ordinal: 'every', effect });
  return node.add({ ...config, ...changes }, pod);
}

const ipv4 = (address: string, length = 24) => ({
  IpConfigurations: [{ IpAddress: address, PrefixLength: length }],
});
const ipv6 = (address: string, length = 64) => ({
  IpConfigurations: [
    { IpAddress: '10.244.1.5', PrefixLength: 24 },
    ...ipv4(address, length).IpConfigurations,
  ],
});
const through = (NextHop: string, DestinationPrefix = '0.0.0.0/0') => ({
  Routes: [{ NextHop, DestinationPrefix }],
});

describe('an endpoint from HNS that no pod can use is an error that says what HNS returned, and is rolled back', () => {
  test.each([
    ['address 255.255.255.255/24', ipv4('255.255.255.255')],
    ['address ff02::1/64', ipv6('ff02::1')],
    ['next hop fd00::1 of route 0.0.0.0/0', through('fd00::1')],
    ['MAC address "01-00-5E-00-00-01"', { MacAddress: '01-00-5E-00-00-01' }],
    [`MAC address "${'x'.repeat(80)}"`, { MacAddress: 'x'.repeat(5000) }],
  ])('%s', async (invalid, members) => {
    expect(await addWith(members)).toMatchObject({
      exitCode: 1,
      json: {
        cniVersion: '1.1.0',
        code: 100,
        msg:
          `HNS assigned ${invalid} to the endpoint, which no pod can use: run win-hcn show network ${network} ` +
          'and correct its subnets, or drain the node and run Restart-Service hns',
      },
    });
    expect(node.hns.dump()).toMatchObject({ endpoints: [] });
  });
});

describe('nothing else that HNS may return is refused', () => {
  const result = (address: string, gateway?: string) => ({
    ips: [{ interface: 0, address, ...(gateway !== undefined && { gateway }) }],
  });
  const defaultRoute = [{ dst: '0.0.0.0/0', gw: '10.244.1.1' }];

  test.each([
    ['the first address of a /31', ipv4('10.244.1.0', 31), result('10.244.1.0/31', '10.244.1.1')],
    ['no MAC address', { MacAddress: '' }, { interfaces: [{ name: 'eth0' }], routes: defaultRoute }],
    [
      'a gateway outside the subnet',
      through('169.254.1.1'),
      { ...result('10.244.1.5/24'), routes: [{ dst: '0.0.0.0/0', gw: '169.254.1.1' }] },
    ],
    [
      'a route to what is on the link, through 0.0.0.0',
      through('0.0.0.0', '10.0.0.0/8'),
      { ...result('10.244.1.5/24'), routes: [{ dst: '10.0.0.0/8' }] },
    ],
  ])('%s', async (_, members, expected) => {
    expect(await addWith(members)).toMatchObject({ exitCode: 0, json: expected });
  });

  test.each(['0.0.0.0', '::', ''])('a default route through %j, which is no gateway', async (NextHop) => {
    const { exitCode, json } = await addWith(through(NextHop, NextHop === '::' ? '::/0' : '0.0.0.0/0'));
    expect([exitCode, json.ips, json.routes]).toEqual([
      0,
      [{ interface: 0, address: '10.244.1.5/24' }],
      undefined,
    ]);
  });

  test('DNS settings with blank entries, which the result does not have', async () => {
    const Dns = { Domain: ' ', Search: ['', 'a.b'], ServerList: ['', '10.96.0.10'], Options: [''] };
    const { json } = await addWith({ Dns });
    expect(json.dns).toEqual({ search: ['a.b'], nameservers: ['10.96.0.10'] });
  });
});
