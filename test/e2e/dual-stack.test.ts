import { afterEach, beforeEach, expect, test } from 'vitest';
import { example } from './example.ts';
import { type Node, startNode } from './node.ts';

const config = example('dual-stack', { ipam: { type: 'test-ipam' } });

let node: Node;
beforeEach(async () => {
  node = await startNode();
});
afterEach(() => node.stop());

/** Runs ADD with these addresses from the IPAM plugin. */
async function addWith(ips: readonly string[], changes: object = {}) {
  const result = { cniVersion: '1.0.0', ips: ips.map((address) => ({ address })) };
  node.ipam.override.set('ADD', { exitCode: 0, stdout: JSON.stringify(result) });
  return node.add({ ...config, ...changes });
}

const endpoint = () => node.hns.dump().endpoints[0];
const IPv4 = { IpAddress: '10.244.3.9', PrefixLength: 24 };
const IPv6 = { IpAddress: 'fd00:10:244:3::9', PrefixLength: 64 };
const routes = [
  { NextHop: '10.244.3.1', DestinationPrefix: '0.0.0.0/0' },
  { NextHop: 'fd00:10:244:3::1', DestinationPrefix: '::/0' },
];

test.each([
  ['10.244.3.9/24', 'fd00:10:244:3::9/64'],
  ['fd00:10:244:3::9/64', '10.244.3.9/24'],
  ['fd00:10:244:3::9/128', '10.244.3.9/32'],
])(
  'with the addresses %s and %s the endpoint has IPv4 first, each with the prefix length of its subnet',
  async (...ips) => {
    expect(await addWith(ips)).toMatchObject({
      exitCode: 0,
      json: {
        ips: [
          { address: '10.244.3.9/24', gateway: '10.244.3.1' },
          { address: 'fd00:10:244:3::9/64', gateway: 'fd00:10:244:3::1' },
        ],
      },
    });
    expect(endpoint()).toMatchObject({ IpConfigurations: [IPv4, IPv6], Routes: routes });
  },
);

test('two addresses of one family are refused and released', async () => {
  expect(await addWith(['10.244.3.9/24', '10.244.3.10/24'])).toMatchObject({
    json: {
      code: 7,
      msg: '10.244.3.9 and 10.244.3.10 are both IPv4: an HCN endpoint has at most one address per family',
    },
  });
  expect(node.ipam.runs.map(({ command }) => command)).toEqual(['ADD', 'DEL']);
});

const mapping = { hostPort: 8080, containerPort: 80, protocol: 'tcp' };

test.each([
  [
    'on all addresses of the node becomes one policy for each family',
    mapping,
    [
      { Protocol: 6, InternalPort: 80, ExternalPort: 8080, Flags: 1 },
      { Protocol: 6, InternalPort: 80, ExternalPort: 8080, Flags: 3 },
    ],
  ],
  [
    'on an IPv6 address becomes one policy for IPv6',
    { ...mapping, hostIP: 'fd00:1::4' },
    [{ Protocol: 6, InternalPort: 80, ExternalPort: 8080, VIP: 'fd00:1::4', Flags: 3 }],
  ],
  [
    'on an IPv4 address becomes one policy for IPv4',
    { ...mapping, protocol: 'udp', hostIP: '10.0.0.4' },
    [{ Protocol: 17, InternalPort: 80, ExternalPort: 8080, VIP: '10.0.0.4', Flags: 1 }],
  ],
])('a port mapping %s', async (_, portMapping, settings) => {
  const runtimeConfig = { portMappings: [portMapping] };
  const ips = ['10.244.3.9/24', 'fd00:10:244:3::9/64'];
  expect(await addWith(ips, { runtimeConfig })).toMatchObject({ exitCode: 0 });
  expect(endpoint()).toMatchObject({
    Policies: settings.map((Settings) => ({ Type: 'PortMapping', Settings })),
  });
});

test('loopbackDSR without an IPv4 address is refused', async () => {
  const answer = await addWith(['fd00:10:244:3::9/64'], { loopbackDSR: true });
  expect(answer.json).toMatchObject({
    code: 7,
    msg: '/loopbackDSR is true, but the endpoint has no IPv4 address: remove loopbackDSR, or add an IPv4 subnet to the network',
  });
});
