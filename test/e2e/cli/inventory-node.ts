import type { HostComputeEndpoint } from '../../../src/hcn/documents.ts';
import type { HnsOptions } from '../../simulator/hns.ts';
import { type Node, type Pod, startNode } from '../node.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
/** The configuration of the pod, with ACLs. */
export const config = {
  cniVersion: '1.1.0',
  name: 'l2bridge',
  type: 'win-hcn',
  networkType: 'L2Bridge',
  subnets: [{ subnet: '10.244.1.0/24' }],
  acls: [
    { action: 'Allow', direction: 'In', protocols: ['tcp'], localPorts: ['80'], priority: 300 },
    { action: 'Block', direction: 'In', remoteAddresses: ['10.9.0.0/16'], priority: 200 },
  ],
  defaultAction: 'Allow',
};

/** The id of the network and of its endpoints: the pod's, and those of another plugin, of kube-proxy and of an unknown owner. */
export const network = '259f4964-2dff-5b46-92f1-633319a59298';
export const web = '5efcf8b5-6b39-5f7c-8ebe-586dde64a108';
export const legacy = 'a1e6032f-bbf7-4b5a-880f-667bebc65501';
export const remote = 'b2e6032f-bbf7-4b5a-880f-667bebc65502';
export const other = 'c3e6032f-bbf7-4b5a-880f-667bebc65503';
export const loadBalancer = 'd4e6032f-bbf7-4b5a-880f-667bebc65504';
/** The pod's container. */
export const container = '0e12d1d5a8cfb5cbc1a91a9b4dd33b6fb8b0ee5d1c7f4a2f6f1f1e9e5c3a7b21';

export interface InventoryNode extends Node {
  readonly pod: Pod;
  readonly hostNamespace: string;
}

/** A node with a pod of win-hcn, a leftover of win-hcn and of another plugin, and a service of kube-proxy. */
export async function startInventoryNode(options: HnsOptions = {}): Promise<InventoryNode> {
  const node = await startNode(options);
  const pod = node.newPod(container);
  await add(node, pod);
  node.hns.attachContainer(pod.netns, container);
  const gone = node.newPod('gone');
  await add(node, gone);
  await node.hcn.deleteNamespace(gone.netns);
  const create = (id: string, document: Partial<HostComputeEndpoint> & { readonly Name: string }) =>
    node.hcn.createEndpoint(network, id, { HostComputeNetwork: network, SchemaVersion, ...document });
  await create(legacy, { Name: 'c0ffee_l2bridge', IpConfigurations: [{ IpAddress: '10.244.1.30' }] });
  await create(remote, {
    Name: 'kproxy_10.244.2.7',
    IpConfigurations: [{ IpAddress: '10.244.2.7' }],
    MacAddress: '02-11-0A-F4-02-07',
    Flags: 1,
  });
  await create(other, { Name: 'by-hand', IpConfigurations: [{ IpAddress: '10.244.1.40' }] });
  await node.hcn.createLoadBalancer(loadBalancer, {
    HostComputeEndpoints: [web, remote],
    FrontendVIPs: ['10.96.0.10'],
    PortMappings: [{ Protocol: 6, InternalPort: 8080, ExternalPort: 80, DistributionType: 2 }],
    Flags: 1,
    SchemaVersion,
  });
  const hostNamespace = String(
    node.hns.dump().namespaces.find(({ NamespaceId }) => NamespaceId === 1)?.['ID'],
  );
  return { ...node, pod, hostNamespace };
}

async function add(node: Node, pod: Pod): Promise<void> {
  const { exitCode, stdout } = await node.add(config, pod);
  if (exitCode !== 0) throw new Error(`cannot prepare the node: ${stdout}`);
}
