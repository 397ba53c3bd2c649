import { createHash } from 'node:crypto';
import type { HostComputeEndpoint } from '../../src/hcn/documents.ts';
import { networkId } from '../../src/model/identity.ts';
import { type Node, startNode } from '../e2e/node.ts';

const SchemaVersion = { Major: 2, Minor: 0 };

const l2bridge = {
  cniVersion: '1.1.0',
  name: 'l2bridge',
  type: 'win-hcn',
  networkType: 'L2Bridge',
  subnets: [{ subnet: '10.244.1.0/24' }],
  outboundNat: { exceptions: ['10.244.0.0/16', '10.96.0.0/12'] },
  acls: [
    { action: 'Allow', direction: 'In', protocols: ['tcp'], localPorts: ['80'], priority: 300 },
    { action: 'Block', direction: 'In', remoteAddresses: ['10.9.0.0/16'], priority: 200 },
  ],
  defaultAction: 'Allow',
  dns: { nameservers: ['10.96.0.10'], search: ['shop.svc.cluster.local'] },
};
const overlay = {
  cniVersion: '1.1.0',
  name: 'vxlan0',
  type: 'win-hcn',
  networkType: 'Overlay',
  adapter: 'Ethernet 2',
  subnets: [{ subnet: '10.245.1.0/24', gateway: '10.245.1.1', vsid: 4096 }],
};
const nat = {
  cniVersion: '1.1.0',
  name: 'nat',
  type: 'win-hcn',
  networkType: 'NAT',
  subnets: [{ subnet: '172.28.0.0/20' }],
};

/** An endpoint name with HTML that must stay text. */
export const hostileName = `<img src=x onerror="document.title='harmed'"></script><script>document.title='harmed'</script>`;

/** Starts a node with 3 networks and 200 endpoints: pods, leftovers, other endpoints, and services with remote backends. */
export async function startLargeNode(): Promise<Node> {
  const node = await startNode({
    adapters: [
      { name: 'Ethernet', managementIp: '10.0.0.4' },
      { name: 'Ethernet 2', managementIp: '10.1.0.4' },
    ],
  });
  const add = async (config: { readonly name: string }, index: number) => {
    const container = createHash('sha256').update(`${config.name} ${index}`).digest('hex');
    const pod = node.newPod(container);
    const { exitCode, stdout } = await node.cni('ADD', { config, pod });
    if (exitCode !== 0) throw new Error(`ADD failed: ${stdout}`);
    node.hns.attachContainer(pod.netns, container);
    return pod;
  };
  const create = (
    network: string,
    index: number,
    document: Partial<HostComputeEndpoint> & { readonly Name: string },
  ) =>
    node.hcn.createEndpoint(networkId(network), idOf(`${network} endpoint`, index), {
      HostComputeNetwork: networkId(network),
      SchemaVersion,
      ...document,
    });

  for (let index = 0; index < 96; index++) await add(l2bridge, index);
  for (let index = 96; index < 100; index++) {
    const { netns, containerId } = await add(l2bridge, index);
    node.hns.detachContainer(netns, containerId);
    await node.hcn.deleteNamespace(netns);
  }
  for (let index = 0; index < 24; index++) await add(overlay, index);
  for (let index = 0; index < 10; index++) await add(nat, index);

  for (let index = 0; index < 5; index++)
    await create('l2bridge', index, {
      Name: `c0ffee0${index}_l2bridge`,
      IpConfigurations: [{ IpAddress: `10.244.1.${200 + index}` }],
    });
  await create('l2bridge', 5, { Name: hostileName, IpConfigurations: [{ IpAddress: '10.244.1.240' }] });
  const unhealthy = { state: 5, lastErrorCode: 0x803b0013 };
  node.hns.inject({ function: 'HcnCreateEndpoint', effect: { unhealthy } });
  await create('l2bridge', 6, { Name: 'by-hand', IpConfigurations: [{ IpAddress: '10.244.1.241' }] });
  for (let index = 0; index < 59; index++)
    await create('vxlan0', index, {
      Name: `Remote_10.245.${2 + (index % 3)}.${10 + index}`,
      IpConfigurations: [{ IpAddress: `10.245.${2 + (index % 3)}.${10 + index}` }],
      MacAddress: `02-11-0A-F5-02-${index.toString(16).padStart(2, '0')}`,
      Flags: 1,
      Policies: [{ Type: 'ProviderAddress', Settings: { ProviderAddress: `10.0.0.${5 + (index % 3)}` } }],
    });
  await addServices(node);
  return node;
}

async function addServices({ hcn, hns }: Node): Promise<void> {
  const endpoints = await hcn.findEndpoints();
  const remote = endpoints.filter(({ Flags }) => Flags === 1).map(({ ID }) => ID);
  const pods = endpoints.filter(({ Flags, State }) => Flags !== 1 && State === 2).map(({ ID }) => ID);
  for (let index = 0; index < 14; index++)
    await hcn.createLoadBalancer(idOf('load balancer', index), {
      HostComputeEndpoints: [
        ...remote.slice(index * 4, index * 4 + 4),
        ...pods.slice(index * 7, index * 7 + 1 + (index % 3)),
      ],
      FrontendVIPs: index === 13 ? [] : [`10.96.${index}.10`],
      PortMappings: [{ Protocol: 6, InternalPort: 8080, ExternalPort: index === 13 ? 30080 : 80 }],
      Flags: index % 2,
      SchemaVersion,
    });
  hns.clearCalls();
}

function idOf(what: string, index: number): string {
  const digits = createHash('sha256').update(`${what} ${index}`).digest('hex');
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}
