import type { HostComputeEndpoint } from '../../../src/hcn/documents.ts';
import type { Node } from '../node.ts';

const SchemaVersion = { Major: 2, Minor: 0 };

/** Creates another program's network, with an endpoint in a namespace, an address and a port of the node. */
export async function addForeignNetwork(node: Node): Promise<void> {
  const { hcn } = node;
  const id = '0f6d2f0c-3f63-4f53-9d83-5c1b8b1d8a10';
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
  await hcn.createNetwork(id, { Name: 'nat', Type: 'NAT', Ipams, SchemaVersion });
  const network = (await hcn.findNetworkById(id))?.ID ?? id;
  await attachNew(node, '0f6d2f0c-3f63-4f53-9d83-5c1b8b1d8a11', {
    Name: 'stranger',
    HostComputeNetwork: network,
    Policies: [{ Type: 'PortMapping', Settings: { Protocol: 6, InternalPort: 80, ExternalPort: 9090 } }],
    SchemaVersion,
  });
}

/** Creates another program's endpoint on the network, with a name like that of earlier builds and a foreign id. */
export async function addForeignEndpoint(node: Node, name: string): Promise<void> {
  const network = node.hns.dump().networks.find(({ Name }) => Name === name);
  if (network === undefined) throw new Error(`no network ${name}`);
  const [{ Subnets: [subnet] = [] } = {}] = network['Ipams'] as readonly { Subnets?: readonly Subnet[] }[];
  await attachNew(node, '0f6d2f0c-3f63-4f53-9d83-5c1b8b1d8a12', {
    Name: `stranger_eth0_${name}`,
    HostComputeNetwork: String(network['ID']),
    IpConfigurations: [{ IpAddress: subnet?.IpAddressPrefix.replace(/0\/24$/, '200') ?? '' }],
    SchemaVersion,
  });
}

interface Subnet {
  readonly IpAddressPrefix: string;
}

/** Creates an endpoint in a namespace. Default: a new namespace. */
export async function attachNew(
  { hns, hcn }: Node,
  id: string,
  document: HostComputeEndpoint & { readonly Name: string; readonly HostComputeNetwork: string },
  namespace = hns.createNamespace(),
): Promise<void> {
  await hcn.createEndpoint(document.HostComputeNetwork, id, document);
  const created = await hcn.findEndpoint(id);
  if (created === undefined) throw new Error(`no endpoint ${id}`);
  await hcn.addEndpoint(namespace, created.ID);
}
