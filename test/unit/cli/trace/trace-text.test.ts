import { describe, expect, test } from 'vitest';
import type { NodeState } from '../../../../src/cli/path/node-state.ts';
import { newSession } from '../../../../src/cli/terminal/session.ts';
import { terminal } from '../../../../src/cli/terminal/terminal.ts';
import { furtherCommands } from '../../../../src/cli/trace/further-commands.ts';
import type { Sender } from '../../../../src/cli/trace/predict-path.ts';
import type { Unread } from '../../../../src/cli/trace/read-node-state.ts';
import { traceFrom } from '../../../../src/cli/trace/trace.ts';
import { traceText } from '../../../../src/cli/trace/trace-text.ts';
import { parseDestination } from '../../../../src/cli/traffic/destination.ts';
import type { ObservedEndpoint } from '../../../../src/hcn/documents.ts';
import { system } from '../../../../src/system.ts';
import { bridgeState, type Changes, overlayState, podNamespace, policy } from '../../../cluster/states.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const sessionOf = (width: number | undefined) =>
  newSession({ ...system, environment: {} }, { ...terminal, width }, () => undefined);

/** The endpoint of the pod shop/web. */
const web = { Name: '0e12d1_cbr0' };
const api: ObservedEndpoint = {
  ID: 'api',
  Name: 'a91100_cbr0',
  HostComputeNetwork: 'bridge-1',
  HostComputeNamespace: podNamespace,
  IpConfigurations: [{ IpAddress: '10.244.1.6', PrefixLength: 24 }],
  SchemaVersion,
};
/** An endpoint of no container. */
const unnamed: ObservedEndpoint = { ...api, ID: '7f2e3a41-0000-4000-8000-000000000000', Name: 'other' };
const balancer = (...HostComputeEndpoints: readonly string[]) => ({
  ID: 'd4e6032f-bbf7-4b5a-880f-667bebc65504',
  HostComputeEndpoints,
  FrontendVIPs: ['10.96.0.10'],
  PortMappings: [{ Protocol: 6, InternalPort: 8080, ExternalPort: 80 }],
  Flags: 1,
  SchemaVersion,
});
const named = (state: NodeState): NodeState => ({
  ...state,
  inventory: {
    ...state.inventory,
    pods: new Map([
      ['0e12d1', { name: 'shop/web', added: '' }],
      ['a91100', { name: 'shop/api', added: '' }],
    ]),
  },
});
const bridge = (changes: Changes = {}) =>
  named(bridgeState(1, { others: [api], ...changes, endpoint: { ...web, ...changes.endpoint } }));
const overlay = (changes: Changes = {}) =>
  named(overlayState(1, { ...changes, endpoint: { Name: '0e12d1_flannel.4096', ...changes.endpoint } }));
const blocks = (Direction: string) => ({
  Policies: [policy('ACL', { Direction, Action: 'Block', Priority: 100, Protocols: '6' })],
});

interface Given {
  readonly from?: Sender;
  readonly width?: number;
  readonly wide?: boolean;
  readonly unread?: readonly Unread[];
}

/** What `trace` prints about a packet of the pod shop/web, or of another sender, as lines. */
function lines(
  node: NodeState,
  to: string,
  { from, width, wide = false, unread = [] }: Given = {},
): readonly string[] {
  const destination = parseDestination(to);
  const [endpoint] = node.inventory.endpoints;
  if (destination === undefined || endpoint === undefined) throw new Error('nothing to trace');
  const sender = from ?? { is: 'pod', endpoint };
  const trace = traceFrom(sender, destination, { node, unread });
  const key = sender.is === 'pod' ? 'shop/web' : undefined;
  const see = furtherCommands(key, trace, node.inventory);
  return traceText(trace, key, see, wide, sessionOf(width)).split('\n');
}

const inPodSubnet = (node: NodeState): NodeState => ({
  ...node,
  adapters: node.adapters.map((one) =>
    one.index === 5
      ? { ...one, addresses: [...one.addresses, { address: '10.244.1.200', length: 24 }] }
      : one,
  ),
});
const elsewhere = (address: string): Given => ({ from: { is: 'elsewhere', address } });
const fromNode: Given = { from: { is: 'node' } };

describe('trace prints', () => {
  test.each<[string, () => readonly string[], readonly string[]]>([
    [
      'a packet for another pod, and its reply',
      () => lines(bridge(), '10.244.1.6:80'),
      [
        'Arrives at pod shop/api, and the reply comes back.',
        'see: win-hcn explain-nat shop/web 10.244.1.6:80/tcp',
        '',
        'endpoint pod-1 of pod shop/web on cbr0, 10.244.1.5 -> 10.244.1.6:80/tcp',
        'hop  where             does                          rule (evidence)',
        '1    pod               sends it on-link              route 10.244.1.5/24 on-link (documented)',
        '2    port              allows it                     no ACL (documented)',
        '3    port              keeps the source              OutBoundNAT policy 1: exception 10.244.0.0/16 (documented)',
        '4    network cbr0      sends it to a local endpoint  (documented)',
        '5    port of shop/api  allows it                     no ACL (documented)',
        '6    pod shop/api      receives it                   (documented)',
      ],
    ],
    [
      'both paths with -o wide',
      () => lines(bridge(), '10.244.1.6:80', { wide: true }),
      [
        'Arrives at pod shop/api, and the reply comes back.',
        'see: win-hcn explain-nat shop/web 10.244.1.6:80/tcp',
        '',
        'endpoint pod-1 of pod shop/web on cbr0, 10.244.1.5 -> 10.244.1.6:80/tcp',
        'hop  where             does                          rule (evidence)                                             packet',
        '1    pod               sends it on-link              route 10.244.1.5/24 on-link (documented)                    10.244.1.5 -> 10.244.1.6:80/tcp',
        '2    port              allows it                     no ACL (documented)                                         10.244.1.5 -> 10.244.1.6:80/tcp',
        '3    port              keeps the source              OutBoundNAT policy 1: exception 10.244.0.0/16 (documented)  10.244.1.5 -> 10.244.1.6:80/tcp',
        '4    network cbr0      sends it to a local endpoint  (documented)                                                10.244.1.5 -> 10.244.1.6:80/tcp',
        '5    port of shop/api  allows it                     no ACL (documented)                                         10.244.1.5 -> 10.244.1.6:80/tcp',
        '6    pod shop/api      receives it                   (documented)                                                10.244.1.5 -> 10.244.1.6:80/tcp',
        '',
        'the reply',
        'hop  where             does                          rule (evidence)                           packet',
        '1    pod shop/api      sends it on-link              route 10.244.1.6/24 on-link (documented)  10.244.1.6:80 -> 10.244.1.5/tcp',
        '2    port of shop/api  lets the reply pass           the port knows the connection (source)    10.244.1.6:80 -> 10.244.1.5/tcp',
        '3    network cbr0      sends it to a local endpoint  (documented)                              10.244.1.6:80 -> 10.244.1.5/tcp',
        '4    port              allows it                     the port knows the connection (source)    10.244.1.6:80 -> 10.244.1.5/tcp',
        '5    pod               receives it                   (documented)                              10.244.1.6:80 -> 10.244.1.5/tcp',
      ],
    ],
    [
      'a packet that an ACL of the sender blocks',
      () => lines(bridge({ endpoint: blocks('Out') }), '10.244.1.6:80'),
      [
        'Lost. Out ACL with priority 100 (tcp) blocks it.',
        'see: win-hcn explain-acl shop/web out 10.244.1.6:80/tcp',
        'see: win-hcn explain-nat shop/web 10.244.1.6:80/tcp',
        'see: win-hcn capture shop/web 10.244.1.6:80/tcp',
        '',
        'endpoint pod-1 of pod shop/web on cbr0, 10.244.1.5 -> 10.244.1.6:80/tcp',
        'hop  where  does              rule (evidence)',
        '1    pod    sends it on-link  route 10.244.1.5/24 on-link (documented)',
        '2    port   blocks it         Out ACL with priority 100 (tcp) (documented)',
      ],
    ],
    [
      'a packet that an ACL of the receiver blocks',
      () => lines(bridge({ others: [{ ...api, ...blocks('In') }] }), '10.244.1.6:80'),
      [
        'Lost. In ACL with priority 100 (tcp) blocks it.',
        'see: win-hcn explain-acl shop/api in 10.244.1.5:80/tcp',
        'see: win-hcn explain-nat shop/web 10.244.1.6:80/tcp',
        'see: win-hcn capture shop/web 10.244.1.6:80/tcp',
        '',
        'endpoint pod-1 of pod shop/web on cbr0, 10.244.1.5 -> 10.244.1.6:80/tcp',
        'hop  where             does                          rule (evidence)',
        '1    pod               sends it on-link              route 10.244.1.5/24 on-link (documented)',
        '2    port              allows it                     no ACL (documented)',
        '3    port              keeps the source              OutBoundNAT policy 1: exception 10.244.0.0/16 (documented)',
        '4    network cbr0      sends it to a local endpoint  (documented)',
        '5    port of shop/api  blocks it                     In ACL with priority 100 (tcp) (documented)',
      ],
    ],
    [
      'a packet that an ACL of an endpoint without a pod blocks',
      () => lines(bridge({ others: [{ ...unnamed, ...blocks('In') }] }), '10.244.1.6:80'),
      [
        'Lost. In ACL with priority 100 (tcp) blocks it.',
        'see: win-hcn explain-nat shop/web 10.244.1.6:80/tcp',
        'see: win-hcn capture shop/web 10.244.1.6:80/tcp',
        '',
        'endpoint pod-1 of pod shop/web on cbr0, 10.244.1.5 -> 10.244.1.6:80/tcp',
        'hop  where                      does                          rule (evidence)',
        '1    pod                        sends it on-link              route 10.244.1.5/24 on-link (documented)',
        '2    port                       allows it                     no ACL (documented)',
        '3    port                       keeps the source              OutBoundNAT policy 1: exception 10.244.0.0/16 (documented)',
        '4    network cbr0               sends it to a local endpoint  (documented)',
        '5    port of endpoint 7f2e3a41  blocks it                     In ACL with priority 100 (tcp) (documented)',
      ],
    ],
    [
      'a packet for an endpoint that no pod uses',
      () => lines(bridge({ others: [{ ...api, HostComputeNamespace: '' }] }), '10.244.1.6:80'),
      [
        'Lost. The endpoint is in no namespace: no pod receives the packet.',
        'see: win-hcn show endpoint api',
        'see: win-hcn explain-nat shop/web 10.244.1.6:80/tcp',
        'see: win-hcn capture shop/web 10.244.1.6:80/tcp',
        '',
        'endpoint pod-1 of pod shop/web on cbr0, 10.244.1.5 -> 10.244.1.6:80/tcp',
        'hop  where             does                          rule (evidence)',
        '1    pod               sends it on-link              route 10.244.1.5/24 on-link (documented)',
        '2    port              allows it                     no ACL (documented)',
        '3    port              keeps the source              OutBoundNAT policy 1: exception 10.244.0.0/16 (documented)',
        '4    network cbr0      sends it to a local endpoint  (documented)',
        '5    port of shop/api  drops it                      (documented)',
      ],
    ],
    [
      'a ping of a pod that receives none',
      () =>
        lines(
          bridge({
            others: [
              { ...api, Policies: [policy('ACL', { Direction: 'In', Action: 'Block', Priority: 100 })] },
            ],
          }),
          '10.244.1.6/icmp',
        ),
      [
        'Lost. In ACL with priority 100 (everything) blocks it.',
        'see: win-hcn explain-acl shop/api in 10.244.1.5/icmp',
        'see: win-hcn explain-nat shop/web 10.244.1.6/icmp',
        'see: win-hcn capture shop/web 10.244.1.6/icmp',
        '',
        'endpoint pod-1 of pod shop/web on cbr0, 10.244.1.5 -> 10.244.1.6/icmp',
        'hop  where             does                          rule (evidence)',
        '1    pod               sends it on-link              route 10.244.1.5/24 on-link (documented)',
        '2    port              allows it                     no ACL (documented)',
        '3    port              keeps the source              OutBoundNAT policy 1: exception 10.244.0.0/16 (documented)',
        '4    network cbr0      sends it to a local endpoint  (documented)',
        '5    port of shop/api  blocks it                     In ACL with priority 100 (everything) (documented)',
      ],
    ],
    [
      'a packet for an endpoint without a pod',
      () => lines(bridge({ others: [unnamed] }), '10.244.1.6:80'),
      [
        'Arrives at endpoint 7f2e3a41, and the reply comes back.',
        'see: win-hcn explain-nat shop/web 10.244.1.6:80/tcp',
        '',
        'endpoint pod-1 of pod shop/web on cbr0, 10.244.1.5 -> 10.244.1.6:80/tcp',
        'hop  where                      does                          rule (evidence)',
        '1    pod                        sends it on-link              route 10.244.1.5/24 on-link (documented)',
        '2    port                       allows it                     no ACL (documented)',
        '3    port                       keeps the source              OutBoundNAT policy 1: exception 10.244.0.0/16 (documented)',
        '4    network cbr0               sends it to a local endpoint  (documented)',
        '5    port of endpoint 7f2e3a41  allows it                     no ACL (documented)',
        '6    pod of endpoint 7f2e3a41   receives it                   (documented)',
      ],
    ],
    [
      'a packet that leaves by VXLAN',
      () => lines(overlay(), '10.244.2.5:80'),
      [
        'Leaves this node by VXLAN to node 10.0.0.2.',
        'Outer packet: 10.0.0.1 -> 10.0.0.2:4789/udp, VSID 4096, inner destination MAC 00-15-5D-00-00-02.',
        'Node 10.0.0.2 must receive it: VSID 4096, distributed router (DrMacAddress, on Linux the VTEP) with MAC address 00-15-5D-00-00-02, and a firewall that allows UDP 4789.',
        'For replies, node 10.0.0.2 needs a remote subnet 10.244.1.0/24 with provider address 10.0.0.1, VSID 4096 and MAC address 00-15-5D-00-00-01.',
        'see: win-hcn explain-nat shop/web 10.244.2.5:80/tcp',
        'see: win-hcn capture shop/web 10.244.2.5:80/tcp',
        '',
        'endpoint pod-1 of pod shop/web on flannel.4096, 10.244.1.5 -> 10.244.2.5:80/tcp',
        'hop  where                         does                               rule (evidence)',
        '1    pod                           sends it to next hop 10.244.1.1    route 0.0.0.0/0 via 10.244.1.1 (documented)',
        '2    port                          allows it                          no ACL (documented)',
        '3    port                          keeps the source                   OutBoundNAT policy 1: exception 10.244.0.0/16 (documented)',
        '4    network flannel.4096          encapsulates it for node 10.0.0.2  RemoteSubnetRoute 10.244.2.0/24 (source)',
        '5    adapter vEthernet (Ethernet)  sends it to next hop 10.0.0.2      route 10.0.0.0/24 on-link on interface 5 (documented)',
      ],
    ],
    [
      'a packet of the node',
      () => lines(bridge(), '10.244.1.5:80', fromNode),
      [
        'Arrives at pod shop/web, and the reply comes back.',
        '',
        'to 10.244.1.5:80/tcp',
        'hop  where             does                          rule (evidence)',
        '1    this node         sends it on-link              route 10.244.1.0/24 on-link on interface 9 (documented)',
        '2    network cbr0      sends it to a local endpoint  (documented)',
        '3    port of shop/web  allows it                     no ACL (documented)',
        '4    pod shop/web      receives it                   (documented)',
      ],
    ],
    [
      'a packet of the node to itself',
      () => lines(bridge(), '127.0.0.1:80', fromNode),
      [
        'Arrives at this node.',
        'Which source address the node chooses is not documented, so the reply is not traced.',
        '',
        'to 127.0.0.1:80/tcp',
        'hop  where      does         rule (evidence)',
        '1    this node  receives it  (documented)',
      ],
    ],
    [
      'a packet of the node whose source is unknown',
      () =>
        lines(
          {
            ...overlay(),
            adapters: [],
            inventory: {
              ...overlay().inventory,
              networks: overlay().inventory.networks.map((one) => ({
                ...one,
                Policies: [policy('HostRoute')],
              })),
            },
          },
          '10.244.1.5:80',
          fromNode,
        ),
      [
        'Arrives at pod shop/web.',
        'Which source address the node chooses is not documented, so the reply is not traced.',
        '',
        'to 10.244.1.5:80/tcp',
        'hop  where                 does                                rule (evidence)',
        '1    this node             sends it to network "flannel.4096"  HostRoute (reported)',
        '2    network flannel.4096  sends it to a local endpoint        (documented)',
        '3    port of shop/web      allows it                           no ACL (documented)',
        '4    pod shop/web          receives it                         (documented)',
      ],
    ],
    [
      'a packet from elsewhere',
      () => lines(bridge(), '10.244.1.5:80', elsewhere('10.0.0.9')),
      [
        'Arrives at pod shop/web, and the reply leaves this node to 10.0.0.9.',
        '',
        '10.0.0.9 -> 10.244.1.5:80/tcp',
        'hop  where             does                          rule (evidence)',
        '1    this node         sends it on-link              route 10.244.1.0/24 on-link on interface 9 (documented)',
        '2    network cbr0      sends it to a local endpoint  (documented)',
        '3    port of shop/web  allows it                     no ACL (documented)',
        '4    pod shop/web      receives it                   (documented)',
        '',
        'the reply',
        'hop  where                         does                             rule (evidence)',
        '1    pod shop/web                  sends it to next hop 10.244.1.2  route 0.0.0.0/0 via 10.244.1.2 (documented)',
        '2    port of shop/web              lets the reply pass              the port knows the connection (source)',
        '3    network cbr0                  sends it to the node             (documented)',
        '4    this node                     sends it on-link                 route 10.0.0.0/24 on-link on interface 5 (documented)',
        '5    adapter vEthernet (Ethernet)  sends it to next hop 10.0.0.9    route 10.0.0.0/24 on-link on interface 5 (documented)',
      ],
    ],
    [
      'a packet from elsewhere whose reply is lost',
      () => lines(bridge({ endpoint: { Routes: [] } }), '10.244.1.5:80', elsewhere('10.0.0.9')),
      [
        'Arrives at pod shop/web, but the reply is lost.',
        'The reply: The pod has no route to 10.0.0.9.',
        '',
        '10.0.0.9 -> 10.244.1.5:80/tcp',
        'hop  where             does                          rule (evidence)',
        '1    this node         sends it on-link              route 10.244.1.0/24 on-link on interface 9 (documented)',
        '2    network cbr0      sends it to a local endpoint  (documented)',
        '3    port of shop/web  allows it                     no ACL (documented)',
        '4    pod shop/web      receives it                   (documented)',
        '',
        'the reply',
        'hop  where         does      rule (evidence)',
        '1    pod shop/web  drops it  (documented)',
      ],
    ],
    [
      'a packet from elsewhere whose reply is unknown',
      () =>
        lines(
          bridge({ network: { Type: 'Transparent' }, forwarding: [] }),
          '10.244.1.5:80',
          elsewhere('10.0.0.9'),
        ),
      [
        'Arrives at pod shop/web, but whether the reply comes back is unknown.',
        'The reply: Whether IPv4 forwarding is enabled on "vEthernet (cbr0_ep)" is not known.',
        '',
        '10.0.0.9 -> 10.244.1.5:80/tcp',
        'hop  where             does                          rule (evidence)',
        '1    network cbr0      sends it to a local endpoint  (documented)',
        '2    port of shop/web  allows it                     no ACL (documented)',
        '3    pod shop/web      receives it                   (documented)',
        '',
        'the reply',
        'hop  where             does                             rule (evidence)',
        '1    pod shop/web      sends it to next hop 10.244.1.2  route 0.0.0.0/0 via 10.244.1.2 (documented)',
        '2    port of shop/web  lets the reply pass              the port knows the connection (source)',
        '3    network cbr0      sends it to the node             (documented)',
        '4    this node         may forward it                   route 10.0.0.0/24 on-link on interface 5 (documented)',
      ],
    ],
    [
      'a packet from elsewhere that no adapter receives',
      () => lines(bridge(), '10.9.9.9:80', elsewhere('10.8.8.8')),
      ['No adapter of this node receives packets for 10.9.9.9 from this sender.', '', 'to 10.9.9.9:80/tcp'],
    ],
    [
      'a packet to itself',
      () => lines(bridge(), '10.244.1.5:80'),
      [
        'Arrives at pod shop/web.',
        "10.244.1.5 is the pod's own address: traffic to it does not leave the pod.",
        'see: win-hcn explain-nat shop/web 10.244.1.5:80/tcp',
        '',
        'endpoint pod-1 of pod shop/web on cbr0, 10.244.1.5 -> 10.244.1.5:80/tcp',
        'hop  where  does                   rule (evidence)',
        '1    pod    delivers it to itself  (documented)',
      ],
    ],
    [
      'a packet whose address family the pod lacks',
      () => lines(bridge(), 'fd00::1'),
      [
        'Not through this endpoint: it has no IPv6 address.',
        '',
        'endpoint pod-1 of pod shop/web on cbr0, to fd00::1',
      ],
    ],
    [
      'a multicast packet',
      () => lines(bridge(), '224.0.0.1'),
      [
        '224.0.0.1 is not a unicast address, and HNS does not document how it handles it.',
        '',
        'endpoint pod-1 of pod shop/web on cbr0, to 224.0.0.1',
      ],
    ],
    [
      'a packet that a load balancer sends to one of two pods',
      () =>
        lines(
          bridge({
            others: [api, { ...unnamed, IpConfigurations: [{ IpAddress: '10.244.1.7', PrefixLength: 24 }] }],
            loadBalancers: [balancer('api', unnamed.ID)],
          }),
          '10.96.0.10:80',
        ),
      [
        'Arrives at pod shop/api, for 10.244.1.6:8080, and the reply comes back.',
        'A load balancer chooses one of 2 paths (2 arriving). This is the worst one; -o wide shows all.',
        'see: win-hcn explain-nat shop/web 10.96.0.10:80/tcp',
        '',
        'endpoint pod-1 of pod shop/web on cbr0, 10.244.1.5 -> 10.96.0.10:80/tcp',
        'hop  where             does                                                           rule (evidence)',
        '1    pod               sends it to next hop 10.244.1.2                                route 0.0.0.0/0 via 10.244.1.2 (documented)',
        '2    port              allows it                                                      no ACL (documented)',
        '3    port              translates the destination to 10.244.1.6 and the port to 8080  load balancer d4e6032f (documented)',
        '4    network cbr0      sends it to a local endpoint                                   (documented)',
        '5    port of shop/api  allows it                                                      no ACL (documented)',
        '6    pod shop/api      receives it                                                    (documented)',
      ],
    ],
    [
      'both paths of a load balancer with -o wide',
      () =>
        lines(
          bridge({
            others: [
              api,
              {
                ...unnamed,
                HostComputeNamespace: '',
                IpConfigurations: [{ IpAddress: '10.244.1.7', PrefixLength: 24 }],
              },
            ],
            loadBalancers: [balancer('api', unnamed.ID)],
          }),
          '10.96.0.10:80',
          { wide: true },
        ),
      [
        'Lost. The endpoint is in no namespace: no pod receives the packet.',
        'A load balancer chooses one of 2 paths (1 arriving, 1 lost). This is the worst one; -o wide shows all.',
        'see: win-hcn show endpoint 7f2e3a41-0000-4000-8000-000000000000',
        'see: win-hcn explain-nat shop/web 10.96.0.10:80/tcp',
        'see: win-hcn capture shop/web 10.96.0.10:80/tcp',
        '',
        'endpoint pod-1 of pod shop/web on cbr0, 10.244.1.5 -> 10.96.0.10:80/tcp',
        '',
        'path 1 of 2: The endpoint is in no namespace: no pod receives the packet.',
        'hop  where                      does                                                           rule (evidence)                              packet',
        '1    pod                        sends it to next hop 10.244.1.2                                route 0.0.0.0/0 via 10.244.1.2 (documented)  10.244.1.5 -> 10.96.0.10:80/tcp',
        '2    port                       allows it                                                      no ACL (documented)                          10.244.1.5 -> 10.96.0.10:80/tcp',
        '3    port                       translates the destination to 10.244.1.7 and the port to 8080  load balancer d4e6032f (documented)          10.244.1.5 -> 10.244.1.7:8080/tcp',
        '4    network cbr0               sends it to a local endpoint                                   (documented)                                 10.244.1.5 -> 10.244.1.7:8080/tcp',
        '5    port of endpoint 7f2e3a41  drops it                                                       (documented)                                 10.244.1.5 -> 10.244.1.7:8080/tcp',
        '',
        'path 2 of 2: The pod receives it.',
        'hop  where             does                                                           rule (evidence)                              packet',
        '1    pod               sends it to next hop 10.244.1.2                                route 0.0.0.0/0 via 10.244.1.2 (documented)  10.244.1.5 -> 10.96.0.10:80/tcp',
        '2    port              allows it                                                      no ACL (documented)                          10.244.1.5 -> 10.96.0.10:80/tcp',
        '3    port              translates the destination to 10.244.1.6 and the port to 8080  load balancer d4e6032f (documented)          10.244.1.5 -> 10.244.1.6:8080/tcp',
        '4    network cbr0      sends it to a local endpoint                                   (documented)                                 10.244.1.5 -> 10.244.1.6:8080/tcp',
        '5    port of shop/api  allows it                                                      no ACL (documented)                          10.244.1.5 -> 10.244.1.6:8080/tcp',
        '6    pod shop/api      receives it                                                    (documented)                                 10.244.1.5 -> 10.244.1.6:8080/tcp',
        '',
        'the reply',
        'hop  where             does                                                rule (evidence)                           packet',
        '1    pod shop/api      sends it on-link                                    route 10.244.1.6/24 on-link (documented)  10.244.1.6:8080 -> 10.244.1.5/tcp',
        '2    port of shop/api  lets the reply pass                                 the port knows the connection (source)    10.244.1.6:8080 -> 10.244.1.5/tcp',
        '3    network cbr0      sends it to a local endpoint                        (documented)                              10.244.1.6:8080 -> 10.244.1.5/tcp',
        '4    port              reverses the translation by load balancer d4e6032f  the port knows the connection (source)    10.96.0.10:80 -> 10.244.1.5/tcp',
        '5    pod               receives it                                         (documented)                              10.96.0.10:80 -> 10.244.1.5/tcp',
      ],
    ],
    [
      'a packet of a leftover',
      () => lines(bridge({ endpoint: { HostComputeNamespace: '' } }), '10.244.1.6:80'),
      [
        'Lost. The endpoint is in no namespace: no pod uses it.',
        'see: win-hcn explain-nat shop/web 10.244.1.6:80/tcp',
        'see: win-hcn capture shop/web 10.244.1.6:80/tcp',
        '',
        'endpoint pod-1 of pod shop/web on cbr0, 10.244.1.5 -> 10.244.1.6:80/tcp',
        'hop  where  does         rule (evidence)',
        '1    pod    cannot send  (documented)',
      ],
    ],
    [
      'a packet for a pod of this node that leaves it',
      () => lines(inPodSubnet(bridge({ network: { Type: 'L2Tunnel' } })), '10.244.1.6:80'),
      [
        'Leaves this node to 10.244.1.6.',
        '10.244.1.6 is the address of an endpoint of this node: the next hop must send the packet back.',
        'see: win-hcn explain-nat shop/web 10.244.1.6:80/tcp',
        'see: win-hcn capture shop/web 10.244.1.6:80/tcp',
        '',
        'endpoint pod-1 of pod shop/web on cbr0, 10.244.1.5 -> 10.244.1.6:80/tcp',
        'hop  where         does                              rule (evidence)',
        '1    pod           sends it on-link                  route 10.244.1.5/24 on-link (documented)',
        '2    port          allows it                         no ACL (documented)',
        '3    port          keeps the source                  OutBoundNAT policy 1: exception 10.244.0.0/16 (documented)',
        '4    network cbr0  sends it to the physical network  L2Tunnel (documented)',
      ],
    ],
    [
      'a packet that leaves while the routes of the node are unknown',
      () =>
        lines(bridge({ routes: [] }), '10.244.2.5:80', { unread: [{ part: 'routes', error: 'refused' }] }),
      [
        'Unknown. What happens next depends on the routes of the node, which could not be read.',
        'see: win-hcn explain-nat shop/web 10.244.2.5:80/tcp',
        'see: win-hcn capture shop/web 10.244.2.5:80/tcp',
        '',
        'endpoint pod-1 of pod shop/web on cbr0, 10.244.1.5 -> 10.244.2.5:80/tcp',
        'hop  where         does                             rule (evidence)',
        '1    pod           sends it to next hop 10.244.1.2  route 0.0.0.0/0 via 10.244.1.2 (documented)',
        '2    port          allows it                        no ACL (documented)',
        '3    port          keeps the source                 OutBoundNAT policy 1: exception 10.244.0.0/16 (documented)',
        '4    network cbr0  sends it to the node             (documented)',
      ],
    ],
    [
      'an encapsulated packet while the adapters of the node are unknown',
      () =>
        lines(overlay({ routes: [] }), '10.244.2.5:80', {
          unread: [{ part: 'network adapters', error: 'refused' }],
        }),
      [
        'Unknown. The packet leaves to node 10.0.0.2; through which adapter depends on the network adapters of the node, which could not be read.',
        'see: win-hcn explain-nat shop/web 10.244.2.5:80/tcp',
        'see: win-hcn capture shop/web 10.244.2.5:80/tcp',
        '',
        'endpoint pod-1 of pod shop/web on flannel.4096, 10.244.1.5 -> 10.244.2.5:80/tcp',
        'hop  where                 does                               rule (evidence)',
        '1    pod                   sends it to next hop 10.244.1.1    route 0.0.0.0/0 via 10.244.1.1 (documented)',
        '2    port                  allows it                          no ACL (documented)',
        '3    port                  keeps the source                   OutBoundNAT policy 1: exception 10.244.0.0/16 (documented)',
        '4    network flannel.4096  encapsulates it for node 10.0.0.2  RemoteSubnetRoute 10.244.2.0/24 (source)',
      ],
    ],
    [
      'a packet while IP forwarding of the node is unknown',
      () => lines(bridge(), '8.8.8.8:53/udp', { unread: [{ part: 'IP forwarding', error: 'refused' }] }),
      [
        'Leaves this node to next hop 10.0.0.254, with source 10.0.0.1.',
        '10.0.0.254 must forward it to 8.8.8.8.',
        'see: win-hcn explain-nat shop/web 8.8.8.8:53/udp',
        'see: win-hcn capture shop/web 8.8.8.8:53/udp',
        '',
        'endpoint pod-1 of pod shop/web on cbr0, 10.244.1.5 -> 8.8.8.8:53/udp',
        'hop  where                         does                               rule (evidence)',
        '1    pod                           sends it to next hop 10.244.1.2    route 0.0.0.0/0 via 10.244.1.2 (documented)',
        '2    port                          allows it                          no ACL (documented)',
        '3    port                          translates the source to 10.0.0.1  OutBoundNAT policy 1: all other destinations (documented)',
        '4    network cbr0                  sends it to the node               (documented)',
        '5    this node                     sends it to next hop 10.0.0.254    route 0.0.0.0/0 via 10.0.0.254 on interface 5 (documented)',
        '6    adapter vEthernet (Ethernet)  sends it to next hop 10.0.0.254    route 0.0.0.0/0 via 10.0.0.254 on interface 5 (documented)',
      ],
    ],
    [
      'a reply while the routes of the node are unknown',
      () =>
        lines(bridge({ network: { Type: 'Transparent' }, routes: [] }), '10.244.1.5:80', {
          ...elsewhere('10.0.0.9'),
          unread: [{ part: 'routes', error: 'refused' }],
        }),
      [
        'Arrives at pod shop/web, but whether the reply comes back is unknown.',
        'The reply: What happens next depends on the routes of the node, which could not be read.',
        '',
        '10.0.0.9 -> 10.244.1.5:80/tcp',
        'hop  where             does                          rule (evidence)',
        '1    network cbr0      sends it to a local endpoint  (documented)',
        '2    port of shop/web  allows it                     no ACL (documented)',
        '3    pod shop/web      receives it                   (documented)',
        '',
        'the reply',
        'hop  where             does                             rule (evidence)',
        '1    pod shop/web      sends it to next hop 10.244.1.2  route 0.0.0.0/0 via 10.244.1.2 (documented)',
        '2    port of shop/web  lets the reply pass              the port knows the connection (source)',
        '3    network cbr0      sends it to the node             (documented)',
      ],
    ],
    [
      'a packet that no endpoint receives while the routes of the node are unknown',
      () => lines(bridge({ routes: [] }), '10.244.1.77', { unread: [{ part: 'routes', error: 'refused' }] }),
      [
        'Unknown. What happens next depends on the routes of the node, which could not be read.',
        'see: win-hcn explain-acl shop/web out 10.244.1.77',
        'see: win-hcn explain-nat shop/web 10.244.1.77',
        'see: win-hcn capture shop/web 10.244.1.77',
        '',
        'endpoint pod-1 of pod shop/web on cbr0, 10.244.1.5 -> 10.244.1.77',
        'hop  where  does              rule (evidence)',
        '1    pod    sends it on-link  route 10.244.1.5/24 on-link (documented)',
        '2    port   allows it         no ACL (documented)',
        '3    port   keeps the source  OutBoundNAT policy 1: exception 10.244.0.0/16 (documented)',
      ],
    ],
  ])('%s', (_, actual, expected) => {
    expect(actual()).toEqual(expected);
  });
});

describe('on a terminal, trace prints', () => {
  /** Escape sequences as words. */
  const styled = (text: readonly string[]) =>
    text.map((line) =>
      line
        .replaceAll('\u001b[1m', '<bold>')
        .replaceAll('\u001b[22m', '</>')
        .replaceAll('\u001b[33m', '<yellow>')
        .replaceAll('\u001b[39m', '</>'),
    );

  test('the verdict and the last hop in bold, within the width', () => {
    expect(styled(lines(overlay(), '10.244.2.5:80', { width: 60 }))).toEqual([
      '<bold>Leaves this node by VXLAN to node 10.0.0.2.</>',
      'Outer packet: 10.0.0.1 -> 10.0.0.2:4789/udp, VSID 4096,',
      'inner destination MAC 00-15-5D-00-00-02.',
      'Node 10.0.0.2 must receive it: VSID 4096, distributed router',
      '(DrMacAddress, on Linux the VTEP) with MAC address',
      '00-15-5D-00-00-02, and a firewall that allows UDP 4789.',
      'For replies, node 10.0.0.2 needs a remote subnet',
      '10.244.1.0/24 with provider address 10.0.0.1, VSID 4096 and',
      'MAC address 00-15-5D-00-00-01.',
      'see: win-hcn explain-nat shop/web 10.244.2.5:80/tcp',
      'see: win-hcn capture shop/web 10.244.2.5:80/tcp',
      '',
      'endpoint pod-1 of pod shop/web on flannel.4096, 10.244.1.5',
      '-> 10.244.2.5:80/tcp',
      '<bold>hop</>  <bold>where</>              <bold>does</>               <bold>rule (evidence)</>',
      '1    pod                sends it to next   route 0.0.0.0/0',
      '                        hop 10.244.1.1     via 10.244.1.1',
      '                                           (documented)',
      '2    port               allows it          no ACL',
      '                                           (documented)',
      '3    port               keeps the source   OutBoundNAT',
      '                                           policy 1:',
      '                                           exception',
      '                                           10.244.0.0/16',
      '                                           (documented)',
      '4    network            encapsulates it    RemoteSubnetRoute',
      '     flannel.4096       for node 10.0.0.2  10.244.2.0/24',
      '                                           (source)',
      '<bold>5</>    <bold>adapter vEthernet</>  <bold>sends it to next</>   <bold>route 10.0.0.0/24</>',
      '     <bold>(Ethernet)</>         <bold>hop 10.0.0.2</>       <bold>on-link on</>',
      '                                           <bold>interface 5</>',
      '                                           <bold>(documented)</>',
    ]);
  });

  test('an unknown verdict in yellow', () => {
    const [first] = styled(lines(overlay(), '10.244.1.1', { width: 60 }));
    expect(first).toBe('<yellow>Unknown. 10.244.1.1 is the gateway of the network, and HNS</>');
  });
});
