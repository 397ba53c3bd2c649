import type { Pod } from '../node.ts';
import { container, type InventoryNode, network, remote, startInventoryNode, web } from './inventory-node.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
/** A pod on the dual-stack network. */
export const second = '41c0b2f19ff4a2f6f1f1e9e5c3a7b210e12d1d5a8cfb5cbc1a91a9b4dd33b6fb';
const adapters = [
  { name: 'Ethernet', managementIp: '10.0.0.4' },
  { name: 'Ethernet 2', managementIp: '172.16.0.4' },
];
const dualStack = {
  cniVersion: '1.1.0',
  name: 'storage-dual-stack',
  type: 'win-hcn',
  networkType: 'L2Bridge',
  adapter: 'Ethernet 2',
  subnets: [
    { subnet: '10.245.16.0/20', gateway: '10.245.16.1' },
    { subnet: 'fd00:10:245:16::/64', gateway: 'fd00:10:245:16::1' },
  ],
};

export interface PopulatedNode extends InventoryNode {
  readonly secondPod: Pod;
}

/**
 * A node with what makes tables wide: long IDs and names, dual-stack networks, long lists of addresses, policies of many settings,
 * leftovers of several owners, and load balancers with many backends.
 */
export async function startPopulatedNode(): Promise<PopulatedNode> {
  const node = await startInventoryNode({ adapters });
  const secondPod = node.newPod(second);
  await added(node.add(dualStack, secondPod));
  node.hns.attachContainer(secondPod.netns, second);
  const left = node.newPod(`f${container.slice(1)}`);
  await added(node.add(dualStack, left));
  await node.hcn.deleteNamespace(left.netns);
  await node.hcn.addPolicies(web, [
    { Type: 'OutBoundNAT', Settings: { Exceptions: ['10.244.0.0/16', '10.96.0.0/12', '172.16.0.0/12'] } },
    { Type: 'SDNRoute', Settings: { DestinationPrefix: '10.96.0.0/12', NeedEncap: true } },
    { Type: 'PortMapping', Settings: { Protocol: 6, InternalPort: 80, ExternalPort: 8080, Flags: 1 } },
    {
      Type: 'ACL',
      Settings: {
        Protocols: '6',
        Action: 'Block',
        Direction: 'Out',
        RemoteAddresses: '10.0.3.0/24,10.0.4.0/24,10.0.5.0/24,10.0.6.0/24,10.0.7.0/24',
        RemotePorts: '1433,1434',
        Priority: 210,
        RuleType: 'Switch',
      },
    },
  ]);
  const backends = Array.from(
    { length: 12 },
    (_, index) => `b2e6032f-bbf7-4b5a-880f-667bebc656${10 + index}`,
  );
  for (const [index, id] of backends.entries())
    await node.hcn.createEndpoint(network, id, {
      Name: `kproxy_10.244.3.${10 + index}`,
      HostComputeNetwork: network,
      IpConfigurations: [{ IpAddress: `10.244.3.${10 + index}` }],
      MacAddress: `02-11-0A-F4-03-${10 + index}`,
      Flags: 1,
      SchemaVersion,
    });
  await node.hcn.createLoadBalancer('d4e6032f-bbf7-4b5a-880f-667bebc65510', {
    HostComputeEndpoints: [web, remote, ...backends],
    FrontendVIPs: ['10.96.0.11'],
    PortMappings: [
      { Protocol: 6, InternalPort: 8443, ExternalPort: 443 },
      { Protocol: 17, InternalPort: 8443, ExternalPort: 443 },
      { Protocol: 6, InternalPort: 8080, ExternalPort: 80 },
    ],
    Flags: 1,
    SchemaVersion,
  });
  return { ...node, secondPod };
}

async function added(outcome: Promise<{ readonly exitCode: number; readonly stdout: string }>) {
  const { exitCode, stdout } = await outcome;
  if (exitCode !== 0) throw new Error(`cannot prepare the node: ${stdout}`);
}
