import { describe, expect, test } from 'vitest';
import { isNodeName, readClusterNode, readNodeList } from '../../../../src/cli/network/cluster-node.ts';
import { nodeList, nodeObject, vxlanNode } from './node-list.ts';

const read = (text: string) => readNodeList(new TextEncoder().encode(text), 'nodes.json');

describe('a list of nodes', () => {
  test('has the pod subnets, the addresses and what flannel publishes of each node', () => {
    const node = vxlanNode({
      name: 'win-2',
      podCIDRs: ['10.244.2.0/24', 'FD00:10:244:2::/64'],
      address: '10.0.0.5',
      mac: '00:15:5d:fb:cb:0d',
      annotations: { 'flannel.alpha.coreos.com/public-ipv6': 'fd00::5' },
    });
    expect(read(nodeList(node))).toEqual([
      {
        name: 'win-2',
        podSubnets: ['10.244.2.0/24', 'fd00:10:244:2::/64'],
        internalAddresses: ['10.0.0.5'],
        flannel: {
          backendType: 'vxlan',
          publicAddress: { IPv4: '10.0.0.5', IPv6: 'fd00::5' },
          backendData: { IPv4: '{"VNI":4096,"VtepMAC":"00:15:5d:fb:cb:0d"}', IPv6: undefined },
        },
      },
    ]);
  });

  test('prefers the public address that an administrator set', () => {
    const annotations = {
      'flannel.alpha.coreos.com/public-ip-overwrite': '192.0.2.9',
      'flannel.alpha.coreos.com/public-ipv6': 'fd00::5',
      'flannel.alpha.coreos.com/public-ipv6-overwrite': 'fd00::9',
    };
    const [node] = read(nodeList(vxlanNode({ name: 'a', address: '10.0.0.5', annotations })));
    expect(node?.flannel.publicAddress).toEqual({ IPv4: '192.0.2.9', IPv6: 'fd00::9' });
  });

  test('takes podCIDR where podCIDRs is absent, and the NodeList of the API', () => {
    const { kind: _, ...item } = {
      ...nodeObject({ name: 'a' }),
      kind: 'Node',
      spec: { podCIDR: '10.244.2.7/24' },
    };
    expect(
      read(JSON.stringify({ kind: 'NodeList', apiVersion: 'v1', metadata: {}, items: [item] })),
    ).toMatchObject([{ name: 'a', podSubnets: ['10.244.2.0/24'] }]);
  });

  test.each([
    ['has the invalid PodCIDR "10.244.2.0/33"', ['10.244.2.0/33']],
    ['has the invalid PodCIDR 7', [7]],
    ['has PodCIDR 0.0.0.0/0, which overlaps the unspecified addresses 0.0.0.0/8', ['0.0.0.0/0']],
    ['has PodCIDR 127.0.0.0/8, which overlaps the loopback addresses 127.0.0.0/8', ['127.0.0.0/8']],
    ['has PodCIDR 128.0.0.0/1, which overlaps the link-local addresses 169.254.0.0/16', ['128.0.0.0/1']],
    ['has PodCIDR 239.1.2.0/24, which overlaps the multicast addresses 224.0.0.0/4', ['239.1.2.3/24']],
    ['has 100000 PodCIDRs, expected one of each address family', Array(100_000).fill('10.1.0.0/24')],
  ])('%s is the problem of a node', (problem, podCIDRs) => {
    expect(read(nodeList(nodeObject({ name: 'a', podCIDRs })))).toMatchObject([{ podSubnets: [], problem }]);
  });

  test('is read from the UTF-16 that PowerShell writes', () => {
    const text = `\ufeff${nodeList(nodeObject({ name: 'a' }))}`;
    expect(readNodeList(Buffer.from(text, 'utf16le'), 'nodes.json')).toMatchObject([{ name: 'a' }]);
  });

  test.each([
    ['', 'nodes.json is empty'],
    [' \r\n', 'nodes.json is empty'],
    [
      '{"kind": "List"',
      "nodes.json is not JSON: Expected ',' or '}' after property value in JSON at position 15 (line 1 column 16)",
    ],
    ['7', 'nodes.json is not a list of objects of Kubernetes'],
    ['{}', 'nodes.json is not a list of objects of Kubernetes'],
    [JSON.stringify(nodeObject({ name: 'a' })), 'nodes.json is not a list of objects of Kubernetes'],
    [
      nodeList(nodeObject({ name: 'a' }), { kind: 'Pod', metadata: { name: 'b' } }),
      'nodes.json is not a list of nodes: items[1] is not a node with a name',
    ],
    [
      nodeList(nodeObject({ name: 'n'.repeat(254) })),
      'nodes.json is not a list of nodes: items[0] is not a node with a name',
    ],
    [nodeList({ kind: 'Node' }), 'nodes.json is not a list of nodes: items[0] is not a node with a name'],
    [
      JSON.stringify({ kind: 'NodeList', metadata: { continue: 'eyJ2Ijoi' }, items: [] }),
      'nodes.json is only a part of the list (metadata.continue is set)',
    ],
    [
      JSON.stringify({ kind: 'NodeList', metadata: { remainingItemCount: 5 }, items: [] }),
      'nodes.json is only a part of the list (metadata.remainingItemCount is set)',
    ],
  ])('is refused if it is %s', (text, message) => {
    expect(() => read(text)).toThrow(
      expect.objectContaining({ message, code: 6, details: 'pass the output of kubectl get nodes -o json' }),
    );
  });
});

test.each([
  ['a', true],
  ['1', true],
  ['ab', true],
  ['win-1.example', true],
  ['n'.repeat(253), true],
  ['n'.repeat(254), false],
  ['', false],
  ['Win', false],
  ['-a', false],
  ['a-', false],
  ['a_b', false],
  ['.a', false],
])('%s is the name of a node: %j', (name, expected) => {
  expect(isNodeName(name)).toBe(expected);
});

describe('of a node are read', () => {
  const node = (spec: object, annotations: object = {}) =>
    readClusterNode({ metadata: { name: 'a', annotations }, spec });

  test.each<[string, object, readonly string[]]>([
    ['no pod subnets of an empty podCIDR', { podCIDR: '' }, []],
    ['podCIDRs before podCIDR', { podCIDR: '10.1.0.0/24', podCIDRs: ['10.2.0.0/24'] }, ['10.2.0.0/24']],
    ['no pod subnets of another type', { podCIDRs: '10.2.0.0/24' }, []],
  ])('%s', (_, spec, expected) => {
    expect(node(spec)?.podSubnets).toEqual(expected);
  });

  test('public addresses of their family only', () => {
    const prefix = 'flannel.alpha.coreos.com';
    const annotations = { [`${prefix}/public-ip`]: 'fd00::5', [`${prefix}/public-ipv6`]: '10.0.0.5' };
    expect(node({}, annotations)?.flannel.publicAddress).toEqual({ IPv4: undefined, IPv6: undefined });
  });
});
