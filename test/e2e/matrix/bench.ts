import { endpointId } from '../../../src/plan/identity.ts';
import { type EventClock, eventClock } from '../clock.ts';
import { type Call, type Node, startNode } from '../node.ts';
import type { Scenario } from './scenario.ts';
import { winBridgeEndpoint } from './scenarios.ts';
import { type Snapshot, snapshot } from './snapshot.ts';

/** A node with what a scenario wants to be there, neighbours among it, that is restored after each cell. */
export interface Bench {
  readonly node: Node;
  readonly clock: EventClock;
  /** The attachment it is about. */
  readonly call: Call;
  /** The keys, in a snapshot, of what is the attachment's own. */
  readonly own: readonly string[];
  readonly clean: Snapshot;
}

const SchemaVersion = { Major: 2, Minor: 0 };

export async function newBench({ config, hns, prefixes, neighbour }: Scenario): Promise<Bench> {
  let clock: EventClock | undefined;
  const node = await startNode(hns, (service) => {
    clock = eventClock(service);
    return clock;
  });
  const [prefix, prefix6] = prefixes ?? [];
  node.ipam.prefix = prefix ?? node.ipam.prefix;
  node.ipam.prefix6 = prefix6;
  await addStrangersNetwork(node);
  if (neighbour !== undefined) {
    const answer = await node.cni('ADD', { config: neighbour, pod: node.newPod('neighbour') });
    if (answer.exitCode !== 0) throw new Error(`the neighbour's ADD failed: ${answer.stdout}`);
    await addStrangersEndpoint(node, String(neighbour['name']));
  }
  const call = { config, pod: node.newPod('pod') };
  if (clock === undefined) throw new Error('the node has no clock');
  return { node, clock, call, own: ownKeys(call), clean: snapshot(node) };
}

function ownKeys({ config, pod }: Call): readonly string[] {
  const { containerId, netns } = pod;
  const network: string = Object(config).name;
  const endpoints = [endpointId({ containerId, ifname: 'eth0', network }), winBridgeEndpoint];
  return [...endpoints.map((id) => `endpoints ${id}`), `namespaces ${netns}`, `lease of ${containerId} eth0`];
}

/** Somebody else's network, with an endpoint in a namespace, an address and a port of the node. */
async function addStrangersNetwork({ hns, hcn }: Node): Promise<void> {
  const network = '0f6d2f0c-3f63-4f53-9d83-5c1b8b1d8a10';
  const endpoint = '0f6d2f0c-3f63-4f53-9d83-5c1b8b1d8a11';
  const Ipams = [
    {
      Subnets: [
        {
          IpAddressPrefix: '172.30.0.0/16',
          Routes: [{ NextHop: '172.30.0.1', DestinationPrefix: '0.0.0.0/0' }],
        },
      ],
    },
  ];
  await hcn.createNetwork(network, { Name: 'nat', Type: 'NAT', Ipams, SchemaVersion });
  await hcn.createEndpoint(network, endpoint, {
    Name: 'stranger',
    HostComputeNetwork: network,
    Policies: [{ Type: 'PortMapping', Settings: { Protocol: 6, InternalPort: 80, ExternalPort: 9090 } }],
    SchemaVersion,
  });
  await hcn.addEndpoint(hns.createNamespace(), endpoint);
}

/** Somebody else's endpoint on the network itself, with a name that ours could have. */
async function addStrangersEndpoint({ hns, hcn }: Node, name: string): Promise<void> {
  const network = await hcn.findNetwork(name);
  if (network === undefined) throw new Error(`no network ${name}`);
  const subnet = network.Ipams?.[0]?.Subnets?.[0]?.IpAddressPrefix ?? '';
  const id = '0f6d2f0c-3f63-4f53-9d83-5c1b8b1d8a12';
  await hcn.createEndpoint(network.ID, id, {
    Name: `stranger_eth0_${name}`,
    HostComputeNetwork: network.ID,
    IpConfigurations: [{ IpAddress: subnet.replace(/0\/24$/, '200') }],
    SchemaVersion,
  });
  await hcn.addEndpoint(hns.createNamespace(), id);
}
