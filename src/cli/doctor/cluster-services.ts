import type { JsonObject } from '../../json/members.ts';
import { familyOf, parseAddress } from '../../net/address.ts';
import { protocolNumbers } from '../../net/protocols.ts';
import { membersOf, readKubectlList } from '../terminal/kubectl-list.ts';

/** A port of a service for which kube-proxy creates a load balancer on every node. */
export interface ClusterService {
  /** `namespace/name`. */
  readonly name: string;
  /** Canonical. */
  readonly address: string;
  readonly port: number;
  /** IANA's number. */
  readonly protocol: number;
}

/** What kubectl must print for `readServices`. */
export const serviceNoun = "'services,endpointslices' --all-namespaces";

const { tcp, udp } = protocolNumbers;
const protocols: Readonly<Record<string, number>> = { TCP: tcp, UDP: udp };

/**
 * Reads the services that have backends from what `kubectl get services,endpointslices --all-namespaces -o json` prints. Leaves out those for
 * which kube-proxy creates no load balancer, or not on every node. Throws CniError as `readKubectlList` does, and without endpoint slices.
 * https://kubernetes.io/docs/reference/networking/virtual-ips/
 */
export function readServices(bytes: Uint8Array, source: string): readonly ClusterService[] {
  const { items, refuse } = readKubectlList(bytes, source, serviceNoun);
  const slices = items.map(membersOf).filter(({ kind }) => kind === 'EndpointSlice');
  if (slices.length === 0) throw refuse('has no endpoint slices');
  const withBackends = new Set(slices.filter(hasBackend).map(serviceOfSlice));
  return items.map(membersOf).flatMap((item) => {
    const { name, namespace, labels } = membersOf(item['metadata']);
    const { internalTrafficPolicy, clusterIP, clusterIPs = [clusterIP], ports } = membersOf(item['spec']);
    const fullName = `${namespace}/${name}`;
    const isOthers = membersOf(labels)['service.kubernetes.io/service-proxy-name'] !== undefined;
    const isOnEveryNode = item['kind'] === 'Service' && !isOthers && internalTrafficPolicy !== 'Local';
    if (!isOnEveryNode) return [];
    const addresses = listOf(clusterIPs).flatMap((text) => parseAddress(String(text)) ?? []);
    return listOf(ports).flatMap((value) => {
      const { port, protocol: text = 'TCP' } = membersOf(value);
      const protocol = protocols[String(text)];
      if (typeof port !== 'number' || protocol === undefined) return [];
      return addresses
        .filter((address) => withBackends.has(`${fullName} ${familyOf(address)}`))
        .map((address) => ({ name: fullName, address, port, protocol }));
    });
  });
}

/** kube-proxy uses backends that are shutting down if no other is left. */
function hasBackend(slice: JsonObject): boolean {
  return listOf(slice['endpoints']).some((endpoint) => {
    const { ready, serving } = membersOf(membersOf(endpoint)['conditions']);
    return (serving ?? ready) !== false;
  });
}

/** `namespace/name family` */
function serviceOfSlice({ metadata, addressType = 'IPv4' }: JsonObject): string {
  const { namespace, labels } = membersOf(metadata);
  return `${namespace}/${membersOf(labels)['kubernetes.io/service-name']} ${addressType}`;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
