import type { JsonObject } from '../../json/members.ts';
import { familyOf, formatPort, parseAddress } from '../../net/address.ts';
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
  /** `address:port` of its endpoints, at least one. */
  readonly backends: readonly string[];
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
  const slices = objectsIn(items).filter(({ kind }) => kind === 'EndpointSlice');
  if (slices.length === 0) throw refuse('has no endpoint slices');
  const found = Map.groupBy(slices.flatMap(backendsIn), ({ key }) => key);
  return objectsIn(items).flatMap((item) => {
    const { name, namespace, labels } = membersOf(item['metadata']);
    const { internalTrafficPolicy, clusterIP, clusterIPs = [clusterIP], ports } = membersOf(item['spec']);
    const fullName = `${namespace}/${name}`;
    const isOthers = membersOf(labels)['service.kubernetes.io/service-proxy-name'] !== undefined;
    const isOnEveryNode = item['kind'] === 'Service' && !isOthers && internalTrafficPolicy !== 'Local';
    if (!isOnEveryNode) return [];
    const addresses = listOf(clusterIPs).flatMap((text) => parseAddress(String(text)) ?? []);
    return objectsIn(ports).flatMap(({ port, name: portName = '', protocol: text = 'TCP' }) => {
      const protocol = protocols[String(text)];
      if (typeof port !== 'number' || protocol === undefined) return [];
      return addresses.flatMap((address) => {
        const own = found.get(`${fullName} ${familyOf(address)} ${portName}`) ?? [];
        const backends = own.map(({ backend }) => backend);
        return backends.length === 0 ? [] : { name: fullName, address, port, protocol, backends };
      });
    });
  });
}

/** The backends of a slice. kube-proxy uses those that are shutting down if no other is left. */
function backendsIn({ metadata, addressType = 'IPv4', endpoints, ports }: JsonObject) {
  const { namespace, labels } = membersOf(metadata);
  const service = `${namespace}/${membersOf(labels)['kubernetes.io/service-name']} ${addressType}`;
  const serving = objectsIn(endpoints).filter(({ conditions }) => {
    const { ready, serving } = membersOf(conditions);
    return ready !== false || serving === true;
  });
  const texts = serving.flatMap(({ addresses }) => listOf(addresses));
  const canonical = texts.flatMap((text) => parseAddress(String(text)) ?? []);
  return objectsIn(ports).flatMap(({ name, port }) => {
    const key = `${service} ${name ?? ''}`;
    return canonical.map((address) => ({ key, backend: formatPort(address, String(port)) }));
  });
}

function objectsIn(value: unknown): readonly JsonObject[] {
  return listOf(value).map(membersOf);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
