import { describe, expect, test } from 'vitest';
import { analyze, type Findings } from '../../../../src/cli/capture/analyze.ts';
import { parseCounters } from '../../../../src/cli/capture/parse-counters.ts';
import { parseLog } from '../../../../src/cli/capture/parse-log.ts';
import type { NodeRouteRow } from '../../../../src/cli/path/node-state.ts';
import { walk } from '../../../../src/cli/path/walk.ts';
import type { ObservedEndpoint, Policy } from '../../../../src/hcn/documents.ts';
import { component, report } from './log-lines.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const web: ObservedEndpoint = {
  ID: 'e5e6032f-bbf7-4b5a-880f-667bebc65505',
  Name: 'web_overlay_eth0',
  HostComputeNetwork: 'n5e6032f-bbf7-4b5a-880f-667bebc65505',
  HostComputeNamespace: '7c806792-3d8f-4c7b-9e51-0d4f6a3b2c1d',
  MacAddress: '00-15-5D-52-C0-00',
  IpConfigurations: [{ IpAddress: '10.244.1.2', PrefixLength: 24 }],
  Routes: [{ DestinationPrefix: '0.0.0.0/0', NextHop: '10.244.1.1' }],
  State: 2,
  SchemaVersion,
};
const defaultRoute: NodeRouteRow = { interfaceIndex: 5, prefix: '0.0.0.0/0', nextHop: '10.0.0.1', metric: 0 };

/** A node with an Overlay network whose pods' subnet of node 10.0.0.5 is 10.244.2.0/24. */
function nodeWith(policies: readonly Policy[], routes: readonly NodeRouteRow[]) {
  const inventory = {
    networks: [
      {
        ID: 'n5e6032f-bbf7-4b5a-880f-667bebc65505',
        Name: 'overlay',
        Type: 'Overlay',
        Policies: [
          { Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'Ethernet' } },
          { Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.4' } },
          {
            Type: 'RemoteSubnetRoute',
            Settings: {
              DestinationPrefix: '10.244.2.0/24',
              IsolationId: 4096,
              ProviderAddress: '10.0.0.5',
              DistributedRouterMacAddress: '00-15-5D-00-00-05',
            },
          },
        ],
        Ipams: [
          {
            Subnets: [
              {
                IpAddressPrefix: '10.244.1.0/24',
                Policies: [{ Type: 'VSID', Settings: { IsolationId: 4096 } }],
                Routes: [{ NextHop: '10.244.1.1', DestinationPrefix: '0.0.0.0/0' }],
              },
            ],
          },
        ],
        SchemaVersion,
      },
    ],
    endpoints: [{ ...web, Policies: policies }],
    namespaces: [{ ID: '7c806792-3d8f-4c7b-9e51-0d4f6a3b2c1d', NamespaceId: 4, SchemaVersion }],
    loadBalancers: [],
    pods: new Map(),
  };
  const adapters = [
    {
      index: 5,
      alias: 'Ethernet',
      description: 'Microsoft Hyper-V Network Adapter',
      mac: '00-0D-3A-00-00-04',
      mtu: 1500,
      isUp: true,
      mediaType: 6,
      addresses: [{ address: '10.0.0.4', length: 24 }],
      gateways: ['10.0.0.1'],
      metric: 15,
    },
  ];
  return { inventory, adapters, routes, forwarding: [] };
}

const components = [
  component({
    id: 57,
    type: 'Miniport',
    driver: 'vmsmp.sys',
    name: 'Container adapter',
    properties: { PhysAddress: '0x00155D52C000', IfIndex: '31' },
  }),
  component({
    id: 58,
    type: 'Filter',
    driver: 'pacer.sys',
    name: 'QoS Packet Scheduler',
    properties: { MiniportIfIndex: '31' },
  }),
  component({
    id: 135,
    type: 'VmsMiniport',
    driver: 'vmswitch.sys',
    name: 'web_overlay_eth0',
    properties: { VMSwitchName: 'overlay', PhysAddress: '0x00155D52C000' },
  }),
  component({
    id: 140,
    type: 'VmsExtension',
    driver: 'vmswitch.sys',
    name: 'Extensible switch',
    properties: { VMSwitchName: 'overlay' },
  }),
  component({
    id: 106,
    type: '11',
    driver: 'tcpip.sys',
    name: 'TCP/IPv4 - L3/L4',
    properties: { 'IP Address': '10.0.0.4' },
  }),
  component({
    id: 12,
    type: 'Miniport',
    driver: 'netvsc.sys',
    name: 'Microsoft Hyper-V Network Adapter',
    properties: { IfIndex: '5' },
  }),
].join('');

/** Two packets that the components report in order; the last one may drop them. */
function sentThrough(ids: readonly number[], to: string, drop?: string): string {
  return [1, 2]
    .flatMap((packet) =>
      ids.map((id, at) =>
        report({
          packet,
          component: id,
          from: '10.244.1.2.50000',
          to,
          ...(drop !== undefined && at === ids.length - 1 && { drop }),
        }),
      ),
    )
    .join('');
}

interface Given {
  readonly policies?: readonly Policy[];
  readonly routes?: readonly NodeRouteRow[];
}

function findings(events: string, { policies = [], routes = [defaultRoute] }: Given = {}): Findings {
  const node = nodeWith(policies, routes);
  const packet = { source: '10.244.1.2', destination: '10.244.2.7', protocol: 6, destinationPort: 80 };
  const [endpoint = web] = node.inventory.endpoints;
  return analyze(
    { components: [], counts: [], log: parseLog(`${events}${components}`), seconds: 10 },
    node,
    { local: ['10.244.1.2'], remote: ['10.244.2.7'] },
    walk(node, { from: 'pod', endpoint, packet }),
  );
}

const to = '10.244.2.7.80';

/** An ACL that blocks the packets, if it comes before others. */
const blocked = {
  Type: 'ACL',
  Settings: { Direction: 'Out', Action: 'Block', Priority: 100, Protocols: '6', RemotePorts: '80' },
};
const way = [57, 58, 135, 140, 12];

describe('a capture shows', () => {
  test('that packets take the predicted path', () => {
    const { says, isProblem, hops, predicted } = findings(sentThrough(way, to));
    expect(hops.map(({ where, sent }) => [where, sent])).toEqual([
      ['adapter of container web', 2],
      ['pacer.sys of container web', 2],
      ['port of container web on overlay', 2],
      ['virtual switch overlay', 2],
      ['adapter Ethernet', 2],
    ]);
    expect({ says, isProblem }).toEqual({
      says: [
        'Seen: 2 from the pod, 0 to the pod; pktmon reports no drop.',
        'Packets were seen at all predicted hops as far as adapter Ethernet.',
        'Predicted to leave the node: It leaves the node to next hop 10.0.0.1.',
      ],
      isProblem: false,
    });
    expect(predicted).toEqual([
      {
        outcome: 'leaves',
        hops: [
          ['pod of endpoint e5e6032f', 'sends it to next hop 10.244.1.1 (route 0.0.0.0/0 via 10.244.1.1)'],
          ['port of endpoint e5e6032f', 'allows it (no ACL)'],
          ['port of endpoint e5e6032f', 'keeps the source (no OutBoundNAT policy)'],
          ['virtual switch overlay', 'encapsulates it for node 10.0.0.5 (RemoteSubnetRoute 10.244.2.0/24)'],
          ['adapter Ethernet', 'sends it to next hop 10.0.0.1 (route 0.0.0.0/0 via 10.0.0.1 on interface 5)'],
        ].map(([hop, text]) => ({ hop, predicted: text, seen: 2, drops: [] })),
      },
    ]);
  });

  test('the port at which an ACL drops them', () => {
    const { says, isProblem, hops } = findings(sentThrough([57, 135], to, '12'), { policies: [blocked] });
    expect(hops.at(-1)).toEqual({
      component: 135,
      kind: 'port',
      where: 'port of container web on overlay',
      endpoint: web.ID,
      sent: 2,
      received: 0,
      other: 0,
      drops: [{ flow: 'sent', packets: 2, reason: 'FailedSecurityPolicy (12)', location: '0xE000204E' }],
    });
    expect({ says, isProblem }).toEqual({
      says: [
        '2 packets from the pod were dropped at port of container web on overlay: FailedSecurityPolicy (12).',
        'Seen: 2 from the pod, 0 to the pod.',
        'As predicted, packets are lost at port of container web on overlay.',
        'Predicted to be lost: Out ACL with priority 100 (tcp, remote port 80) blocks it.',
      ],
      isProblem: true,
    });
  });

  test('the node that has no route', () => {
    const { says, predicted } = findings(sentThrough([57, 135, 140, 106], to, '907'), { routes: [] });
    expect(says).toEqual([
      '2 packets from the pod were dropped at TCP/IP of the node: NL_NoRoute (907).',
      'Seen: 2 from the pod, 0 to the pod.',
      'As predicted, packets are lost at TCP/IP of the node.',
      'Predicted to be lost: The node has no route to 10.0.0.5.',
    ]);
    expect(predicted[0]?.hops.at(-1)).toMatchObject({
      hop: 'routes of the node',
      drops: [{ packets: 2, reason: 'NL_NoRoute (907)' }],
    });
  });

  test.each([
    [
      'is dropped on the way',
      sentThrough([57, 135], to, 'Filtered VLAN'),
      {},
      'The paths diverge at port of container web on overlay: packets are dropped there.',
    ],
    [
      'passes an ACL that blocks it in HCN',
      sentThrough(way, to),
      { policies: [blocked] },
      'The paths diverge: packets were also seen at virtual switch overlay.',
    ],
    [
      'disappears',
      sentThrough([57, 135], to),
      {},
      'Packets were last seen at port of endpoint e5e6032f, and not seen at virtual switch overlay, without a drop: not all components of Windows report drops.',
    ],
  ])('where the paths part if a packet %s', (_, events, given: Given, sentence) => {
    const { says, isProblem } = findings(events, given);
    expect(says).toContain(sentence);
    expect(isProblem).toBe(true);
  });

  test('replies, and drops of replies', () => {
    const reply = { packet: 3, component: 135, direction: 'Egress', to: '10.244.1.2.50000' } as const;
    const { says } = findings(
      `${sentThrough(way, to)}${report({ ...reply, from: to })}${report({ ...reply, from: to, drop: 'MTU Mismatch' })}`,
    );
    expect(says.slice(0, 2)).toEqual([
      '1 packet to the pod was dropped at port of container web on overlay: MTU Mismatch.',
      'Seen: 2 from the pod, 1 to the pod.',
    ]);
  });

  test('that no packet was sent', () => {
    const { says, isProblem, hops, predicted } = findings('');
    expect({ says, isProblem, hops }).toEqual({
      says: [
        'No packet matched the filters in 10 s. Send traffic during the capture.',
        'Predicted to leave the node: It leaves the node to next hop 10.0.0.1.',
      ],
      isProblem: true,
      hops: [],
    });
    expect(predicted[0]?.hops.map(({ hop, seen }) => [hop, seen])).toEqual([
      ['pod of endpoint e5e6032f', 0],
      ['port of endpoint e5e6032f', 0],
      ['port of endpoint e5e6032f', 0],
      ['virtual switch overlay', 0],
      ['adapter Ethernet', 0],
    ]);
  });

  test('numbers of components that pktmon does not list', () => {
    expect(findings(sentThrough([99], to)).hops).toMatchObject([{ where: 'component 99', kind: 'other' }]);
  });
});

test('without packets in the log, the counters show drops, but not whose packets they are', () => {
  const node = nodeWith([], []);
  const counter = (name: string, packets: number, reason?: string) => ({
    Name: name,
    Outbound: { Packets: packets, ...(reason !== undefined && { DropReason: reason }) },
  });
  const counts =
    parseCounters(
      JSON.stringify([
        {
          Group: 'vSwitch overlay',
          Components: [
            {
              Name: 'web_overlay_eth0',
              Counters: [counter('Upper', 3), counter('Lower', 3), counter('Drops', 1, 'Filtered VLAN')],
            },
          ],
        },
      ]),
    ) ?? [];
  const { says, hops } = analyze(
    { components: [], counts, log: undefined, seconds: 5 },
    node,
    { local: [] },
    [],
  );
  expect(says).toEqual([
    '1 packet was dropped at web_overlay_eth0 (vSwitch overlay): Filtered VLAN.',
    'Seen: at least 3. The counters of pktmon do not show which packets are from the pod.',
  ]);
  expect(hops).toEqual([
    {
      component: -1,
      kind: 'other',
      where: 'web_overlay_eth0 (vSwitch overlay)',
      sent: 0,
      received: 0,
      other: 3,
      drops: [{ flow: 'other', packets: 1, reason: 'Filtered VLAN' }],
    },
  ]);
});
