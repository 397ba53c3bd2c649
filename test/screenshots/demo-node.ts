import { createHash } from 'node:crypto';
import type { HostComputeEndpoint } from '../../src/hcn/documents.ts';
import { networkId } from '../../src/model/identity.ts';
import { doctorEnvironment, files as filesInOrder, healthy } from '../e2e/cli/doctor-node.ts';
import { libcniFile } from '../e2e/cli/libcni-files.ts';
import { runCli } from '../e2e/cli/run-cli.ts';
import { type Node, startNode } from '../e2e/node.ts';

const SchemaVersion = { Major: 2, Minor: 0 };

const l2bridge = {
  cniVersion: '1.1.0',
  name: 'l2bridge',
  type: 'win-hcn',
  networkType: 'L2Bridge',
  adapter: 'Ethernet',
  subnets: [{ subnet: '10.244.1.0/24', gateway: '10.244.1.1' }],
  hostEndpoint: {},
  outboundNat: { exceptions: ['10.244.0.0/16', '10.96.0.0/12'] },
};
const overlay = {
  cniVersion: '1.1.0',
  name: 'vxlan0',
  type: 'win-hcn',
  networkType: 'Overlay',
  adapter: 'Ethernet 2',
  subnets: [{ subnet: '10.245.1.0/24', gateway: '10.245.1.1', vsid: 4096 }],
};

const bridgePods = [
  'shop/web-7d4b9c-xk2vp',
  'shop/web-7d4b9c-z8tq4',
  'shop/api-5f6c8d-m4hnw',
  'shop/cart-6b9f7-q2lsd',
  'shop/search-84c5-h7rpk',
  'pay/gateway-59d8-v6jmc',
  'pay/ledger-77b4-t9wfx',
  'monitoring/exporter-p5zkd',
];
const overlayPods = ['batch/import-29k4-n3sgv', 'batch/report-8x7c-b6dqh', 'batch/resize-5w2m-k9tfl'];

/** Why pods cannot reach other hosts: the node does not forward between its endpoint and its adapter. */
const forwarding = {
  interfaces: [5, 6, 7, 8].map((index) => ({ index, isIPv6: false, forwarding: index !== 7 })),
};

/**
 * Runs a command on a node whose content never changes: pods on two networks, services, leftovers, and a problem for doctor. Returns
 * its output.
 */
export async function runOnDemoNode(words: readonly string[], width?: number): Promise<string> {
  const node = await startNode({
    adapters: [
      { name: 'Ethernet', managementIp: '10.0.0.4' },
      { name: 'Ethernet 2', managementIp: '10.1.0.4' },
    ],
  });
  const names = [
    ...(await addPods(node, l2bridge, bridgePods)),
    ...(await addPods(node, overlay, overlayPods)),
  ];
  await addLeftovers(node);
  await addServices(node);
  const { type: _, cniVersion, name, ...plugin } = l2bridge;
  const conflist = JSON.stringify({ cniVersion, name, plugins: [{ type: 'win-hcn', ...plugin }] });
  const files = Object.assign({}, filesInOrder, ...names, {
    'C:\\etc\\cni\\net.d\\10-win-hcn.conflist': conflist,
  });
  const environment = doctorEnvironment(node, { ...healthy, forwarding }, files);
  const { stdout } = await runCli(words, { ...environment, ...(width !== undefined && { width }) });
  const [random = ''] = node.hns
    .dump()
    .namespaces.filter(({ Type }) => Type === 'HostDefault')
    .map(({ ID }) => String(ID));
  await node.stop();
  return stdout.replaceAll(random, idOf('namespace of the node'));
}

async function addPods(
  node: Node,
  config: { readonly name: string },
  pods: readonly string[],
): Promise<readonly Readonly<Record<string, string>>[]> {
  const files: Readonly<Record<string, string>>[] = [];
  for (const pod of pods) {
    const attachment = await addPod(node, config, pod);
    files.push(libcniFile('/var/lib/cni/results', { ...attachment, network: config.name }, pod));
  }
  return files;
}

async function addPod(node: Node, config: { readonly name: string }, name: string) {
  const containerId = createHash('sha256').update(name).digest('hex');
  const netns = idOf(`namespace of ${name}`);
  await node.hcn.createNamespace(netns, { Type: 'Host', SchemaVersion });
  const { exitCode, stdout } = await node.cni('ADD', { config, pod: { containerId, netns } });
  if (exitCode !== 0) throw new Error(`ADD of ${name} failed: ${stdout}`);
  node.hns.attachContainer(netns, containerId);
  return { containerId, netns };
}

/** A pod whose DEL did not arrive, and an endpoint of another plugin. */
async function addLeftovers(node: Node): Promise<void> {
  const { containerId, netns } = await addPod(node, l2bridge, 'shop/cart-6b9f7-old');
  node.hns.detachContainer(netns, containerId);
  await node.hcn.deleteNamespace(netns);
  await createEndpoint(node, 'l2bridge', {
    Name: 'c0ffee42_l2bridge',
    IpConfigurations: [{ IpAddress: '10.244.1.30' }],
  });
}

/** Services of kube-proxy, with backends on this node and others. */
async function addServices(node: Node): Promise<void> {
  const { hcn } = node;
  const local = (await hcn.findEndpoints()).filter(({ State }) => State === 2).map(({ ID }) => ID);
  const remote: string[] = [];
  for (const address of ['10.245.2.7', '10.245.3.12'])
    remote.push(
      await createEndpoint(node, 'vxlan0', {
        Name: `Remote_${address}`,
        IpConfigurations: [{ IpAddress: address }],
        MacAddress: macOf(address),
        Flags: 1,
        Policies: [{ Type: 'ProviderAddress', Settings: { ProviderAddress: '10.1.0.5' } }],
      }),
    );
  const services = [
    { vip: '10.96.0.10', port: 53, backends: remote },
    { vip: '10.96.12.80', port: 80, backends: local.slice(0, 2) },
    { vip: '10.96.40.7', port: 8443, backends: local.slice(2, 3) },
  ];
  for (const { vip, port, backends } of services)
    await hcn.createLoadBalancer(idOf(vip), {
      HostComputeEndpoints: backends,
      FrontendVIPs: [vip],
      PortMappings: [
        { Protocol: port === 53 ? 17 : 6, InternalPort: port === 80 ? 8080 : port, ExternalPort: port },
      ],
      Flags: 1,
      SchemaVersion,
    });
}

/** The MAC address that kube-proxy gives a remote endpoint. */
function macOf(address: string): string {
  const octets = address.split('.').map((octet) => Number(octet).toString(16).padStart(2, '0'));
  return ['02', '11', ...octets].join('-').toUpperCase();
}

async function createEndpoint(
  { hcn }: Node,
  network: string,
  document: Partial<HostComputeEndpoint> & { readonly Name: string },
): Promise<string> {
  const id = idOf(document.Name);
  await hcn.createEndpoint(networkId(network), id, {
    HostComputeNetwork: networkId(network),
    SchemaVersion,
    ...document,
  });
  return id;
}

/** A GUID that depends only on a name. */
function idOf(name: string): string {
  const digits = createHash('sha256').update(name).digest('hex');
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}
