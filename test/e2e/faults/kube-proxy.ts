import { createHash } from 'node:crypto';
import type { HcnClient } from '../../../src/hcn/client.ts';
import type { LoadBalancerId, NetworkId } from '../../../src/hcn/guid.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const remote = 1;
const dsr = 1;

/** A GUID of version 4, as HNS generates them. */
function guid(name: string): string {
  const digits = createHash('sha256').update(name).digest('hex');
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, '$1-$2-4$3-9$4-$5');
}

/** A frontend of kube-proxy: the service's address, IANA protocol and port, the backends and their port. */
interface Service {
  readonly id: LoadBalancerId;
  readonly vip: string;
  readonly protocol: number;
  readonly port: number;
  readonly backends: readonly string[];
  readonly backendPort: number;
}

const dns = { vip: '10.96.0.10', port: 53, backends: ['10.244.2.7', '10.244.4.9'], backendPort: 53 };

/** The services of a new cluster: DNS in pods of two other nodes, and the API server. */
export const services = {
  dnsUdp: { ...dns, id: guid('DNS over UDP'), protocol: 17 },
  dnsTcp: { ...dns, id: guid('DNS over TCP'), protocol: 6 },
  api: {
    id: guid('API server'),
    vip: '10.96.0.1',
    protocol: 6,
    port: 443,
    backends: ['10.0.0.10'],
    backendPort: 6443,
  },
} satisfies Record<string, Service>;

/** Creates an endpoint for a backend on another node as kube-proxy does: without a name. */
export function createBackend(hcn: HcnClient, network: NetworkId, address: string): Promise<void> {
  const octets = address.split('.').map((octet) => Number(octet).toString(16).padStart(2, '0'));
  return hcn.createEndpoint(network, guid(address), {
    Name: '',
    HostComputeNetwork: network,
    IpConfigurations: [{ IpAddress: address }],
    MacAddress: ['02', '11', ...octets].join('-'),
    Flags: remote,
    SchemaVersion,
  });
}

/** Creates a load balancer for a service as kube-proxy does with direct server return. */
export function createService(hcn: HcnClient, { id, vip, protocol, ...service }: Service): Promise<void> {
  const { port: ExternalPort, backendPort: InternalPort } = service;
  return hcn.createLoadBalancer(id, {
    HostComputeEndpoints: service.backends.map((address) => guid(address)),
    SourceVIP: '',
    FrontendVIPs: [vip],
    PortMappings: [{ Protocol: protocol, InternalPort, ExternalPort, DistributionType: 0, Flags: 0 }],
    Flags: dsr,
    SchemaVersion,
  });
}

/** Creates what kube-proxy creates at its start. */
export async function startKubeProxy(hcn: HcnClient, network: NetworkId): Promise<void> {
  const all = Object.values(services);
  for (const address of new Set(all.flatMap(({ backends }) => backends)))
    await createBackend(hcn, network, address);
  for (const service of all) await createService(hcn, service);
}
