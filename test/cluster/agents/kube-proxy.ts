// kube-proxy on Windows, as far as it changes HCN: the endpoints and load balancers of pkg/proxy/winkernel.
// Sources: kubernetes/kubernetes, pkg/proxy/winkernel/hns.go at 025f283, and proxier.go of Kubernetes 1.33 (syncProxyRules).

import { v4 as uuidv4 } from 'uuid';
import type { HcnClient } from '../../../src/hcn/client.ts';
import { addressesIn, type ObservedNetwork, schemaVersion } from '../../../src/hcn/documents.ts';
import type { EndpointId } from '../../../src/hcn/guid.ts';
import { addressBytes, familyOf } from '../../../src/net/address.ts';
import { contains, parsePrefix } from '../../../src/net/prefix.ts';

export interface KubeProxyOptions {
  readonly hcn: HcnClient;
  /** `--network-name`, or the environment variable KUBE_NETWORK. */
  readonly network: string;
  /** `--bind-address`. */
  readonly nodeIP: string;
  /** The MAC address of the interface with the node's address. */
  readonly hostMac: string;
  /** `--source-vip`, which Overlay networks require. */
  readonly sourceVip?: string;
  /** `--enable-dsr`. */
  readonly dsr?: boolean;
}

export interface Service {
  readonly clusterIP: string;
  readonly port: number;
  readonly targetPort: number;
  /** Default: 6, TCP. */
  readonly protocol?: number;
  readonly nodePort?: number;
  readonly backends: readonly Backend[];
}

/** `isLocal`: according to Kubernetes the pod is on this node. */
export interface Backend {
  readonly ip: string;
  readonly isLocal?: boolean;
}

export interface KubeProxy {
  /** The messages that kube-proxy logs as errors. */
  readonly errors: readonly string[];
  /** Creates what the services need and does not exist yet. */
  sync(services: readonly Service[]): Promise<void>;
}

interface KnownEndpoint {
  readonly id: EndpointId;
  readonly isLocal: boolean;
}

/** Starts kube-proxy: it deletes all load balancers of HNS, also those of others, and looks up its network. */
export async function startKubeProxy(options: KubeProxyOptions): Promise<KubeProxy> {
  const { hcn, network: name, sourceVip } = options;
  for (const { ID } of await hcn.findLoadBalancers()) await hcn.deleteLoadBalancer(ID);
  const network = await hcn.findNetwork(name);
  if (network === undefined) throw new Error(`Unable to find HNS Network specified by ${name}`);
  if (isOverlay(network) && sourceVip === undefined) throw new Error('source-vip flag not set');
  const errors: string[] = [];
  return {
    errors,
    sync: (services) => syncServices(options, network, services, errors),
  };
}

async function syncServices(
  options: KubeProxyOptions,
  network: ObservedNetwork,
  services: readonly Service[],
  errors: string[],
): Promise<void> {
  const { hcn, nodeIP, hostMac, sourceVip } = options;
  const onOverlay = isOverlay(network);
  const known = await findKnownEndpoints(hcn, network);
  const create = async (ip: string, MacAddress: string, isLocal: boolean, providerAddress?: string) => {
    const id = uuidv4();
    const ProviderAddress = onOverlay && !isLocal ? providerAddress : undefined;
    await hcn.createEndpoint(network.ID, id, {
      Name: '',
      HostComputeNetwork: network.ID,
      IpConfigurations: [{ IpAddress: ip }],
      MacAddress,
      Flags: isLocal ? 0 : 1,
      ...(ProviderAddress && { Policies: [{ Type: 'ProviderAddress', Settings: { ProviderAddress } }] }),
      SchemaVersion: schemaVersion,
    });
    const created = { id, isLocal };
    known.set(ip, created);
    return created;
  };
  /** The endpoint of a backend; undefined if a local pod is not on the network. */
  const endpointOf = async ({ ip, isLocal = false }: Backend): Promise<KnownEndpoint | undefined> => {
    const existing = known.get(ip);
    if (existing !== undefined) return existing;
    if (!isLocal) return create(ip, conjuredMac(ip), false, remoteProviderAddress(network, ip) ?? nodeIP);
    errors.push(`Local endpoint not found: on network ${network.Name} ip ${ip}`);
    return undefined;
  };

  if (onOverlay && sourceVip !== undefined && !known.has(sourceVip)) await create(sourceVip, hostMac, true);
  for (const service of services) {
    const { clusterIP, backends } = service;
    if (onOverlay && !known.has(clusterIP)) await create(clusterIP, hostMac, false, nodeIP);
    const found: KnownEndpoint[] = [];
    for (const backend of backends) {
      const endpoint = await endpointOf(backend);
      if (endpoint !== undefined) found.push(endpoint);
    }
    const isOutside = onOverlay && backends.some((backend) => isOutsidePod(network, backend));
    if (found.length === 0) errors.push(`Endpoint information not available for service ${clusterIP}`);
    else await createLoadBalancers(options, service, found, isOutside ? nodeIP : sourceVip);
  }
}

async function findKnownEndpoints(
  hcn: HcnClient,
  network: ObservedNetwork,
): Promise<Map<string, KnownEndpoint>> {
  const known = new Map<string, KnownEndpoint>();
  for (const endpoint of await hcn.findEndpoints()) {
    if (endpoint.HostComputeNetwork !== network.ID) continue;
    const { ID: id, Flags = 0 } = endpoint;
    for (const ip of addressesIn(endpoint).slice(0, 2)) known.set(ip, { id, isLocal: (Flags & 1) === 0 });
  }
  return known;
}

const flag = { dsr: 1, ipv6: 2 } as const;
const portFlag = { localRoutedVip: 2, vipExternalIP: 16 } as const;

async function createLoadBalancers(
  { hcn, dsr = false }: KubeProxyOptions,
  service: Service,
  endpoints: readonly KnownEndpoint[],
  SourceVIP: string | undefined,
): Promise<void> {
  const { clusterIP, port, nodePort } = service;
  const create = async (
    FrontendVIPs: readonly string[],
    ExternalPort: number,
    isDsr: boolean,
    Flags: number,
  ) => {
    const mapping = {
      Protocol: service.protocol ?? 6,
      InternalPort: service.targetPort,
      ExternalPort,
      DistributionType: 0,
      Flags,
    };
    const document = {
      HostComputeEndpoints: endpoints.map(({ id }) => id),
      ...(SourceVIP && { SourceVIP }),
      FrontendVIPs,
      PortMappings: [mapping],
      Flags: (isDsr ? flag.dsr : 0) | (familyOf(clusterIP) === 'IPv6' ? flag.ipv6 : 0),
      SchemaVersion: schemaVersion,
    };
    await hcn.createLoadBalancer(uuidv4(), document);
  };
  await create([clusterIP], port, dsr, 0);
  if (nodePort !== undefined)
    await create([], nodePort, false, portFlag.localRoutedVip | portFlag.vipExternalIP);
}

/** Whether a backend is another node, or outside the cluster: no pod of this node or of a remote subnet. */
function isOutsidePod(network: ObservedNetwork, { ip, isLocal = false }: Backend): boolean {
  const providerAddress = remoteProviderAddress(network, ip);
  return !isLocal && (providerAddress === undefined || providerAddress === ip);
}

/** The provider address of the last remote subnet that contains the address or is reached through it. */
function remoteProviderAddress({ Policies = [] }: ObservedNetwork, ip: string): string | undefined {
  return Policies.filter(({ Type }) => Type === 'RemoteSubnetRoute')
    .map(({ Settings }) => Settings ?? {})
    .findLast(({ DestinationPrefix, ProviderAddress }) => {
      const prefix = parsePrefix(String(DestinationPrefix));
      return ip === ProviderAddress || (prefix !== undefined && contains(prefix, ip));
    })
    ?.['ProviderAddress']?.toString();
}

/** The MAC address of a remote endpoint, which is never on the wire. */
function conjuredMac(ip: string): string {
  const bytes = addressBytes(ip);
  const last = familyOf(ip) === 'IPv4' ? bytes : bytes.slice(-4).toReversed();
  return ['02', '11', ...last.map((one) => one.toString(16).padStart(2, '0'))].join('-');
}

function isOverlay({ Type }: ObservedNetwork): boolean {
  return Type === 'Overlay';
}
