import { familyOf } from '../../net/address.ts';
import {
  bitsOf,
  contains,
  firstHost,
  formatPrefix,
  overlaps,
  type Prefix,
  secondHost,
} from '../../net/prefix.ts';

/** The network types that `config generate` knows. */
export const generatedTypes = ['L2Bridge', 'Overlay', 'NAT'] as const;
/** One of these types. */
export type GeneratedType = (typeof generatedTypes)[number];

/** What the options of `config generate` ask for. Addresses are canonical, prefixes without host bits. */
export interface ConfigRequest {
  readonly type: GeneratedType;
  readonly subnet: readonly Prefix[];
  readonly clusterCidr: readonly Prefix[];
  readonly serviceCidr: readonly Prefix[];
  readonly dns: readonly string[];
  readonly gateway: readonly string[];
  readonly name?: string;
  readonly adapter?: string;
  readonly ipam: 'none' | 'host-local';
}

/** Returns what is wrong with the options and checks of the conflist do not find, one sentence each. */
export function findProblems(request: ConfigRequest): readonly string[] {
  const { type, subnet: subnets, clusterCidr, serviceCidr, gateway, adapter, ipam } = request;
  const unused = { '--cluster-cidr': clusterCidr[0], '--service-cidr': serviceCidr[0], '--adapter': adapter };
  const requires = [
    ...(type === 'NAT' ? [] : [`--type ${type}`]),
    ...(ipam === 'none' ? [] : [`--ipam ${ipam}`]),
    ...(gateway.length === 0 ? [] : ['--gateway']),
  ];
  return [
    ...Object.entries(type === 'NAT' ? unused : {})
      .filter(([, value]) => value !== undefined)
      .map(([option]) => `${option} has no effect on a NAT network. Omit it`),
    ...(subnets.length > 0
      ? []
      : requires.map((option) => `${option} requires --subnet, as in --subnet 10.244.1.0/24`)),
    ...subnets.flatMap((subnet) => problemsOfSubnet(subnet, request)),
    ...serviceCidr.flatMap((services) =>
      [...subnets, ...clusterCidr]
        .filter((range) => overlaps(range, services))
        .map((range) => `--service-cidr ${formatPrefix(services)} overlaps ${formatPrefix(range)}`),
    ),
  ];
}

function problemsOfSubnet(subnet: Prefix, { type, clusterCidr: clusters }: ConfigRequest): readonly string[] {
  const option = `--subnet ${formatPrefix(subnet)}`;
  // https://kubernetes.io/docs/concepts/services-networking/dual-stack/#windows-support
  if (type === 'Overlay' && familyOf(subnet.address) === 'IPv6')
    return [`Overlay networks on Windows do not support IPv6: omit ${option}`];
  const longest = bitsOf(familyOf(subnet.address)) - 3;
  if (subnet.length > longest) return [`${option} is too small for pods: use /${longest} or larger`];
  const isInCluster = clusters.some(
    (cluster) => cluster.length <= subnet.length && contains(cluster, subnet.address),
  );
  if (clusters.length === 0 || isInCluster) return [];
  const given = clusters.map(formatPrefix).join(' or ');
  return [`${option} is not in --cluster-cidr ${given}, which must contain the pods of all nodes`];
}

/** Generates a conflist of a request without problems. */
export function generateConfig(request: ConfigRequest): Readonly<Record<string, unknown>> {
  const { type, dns, ipam, adapter, name = type.toLowerCase() } = request;
  const subnets = request.subnet.map((prefix) => withGateway(prefix, request));
  const host = subnets.find(({ hostEndpoint }) => hostEndpoint !== undefined)?.hostEndpoint;
  const plugin = {
    type: 'win-hcn',
    networkType: type,
    ...(adapter !== undefined && { adapter }),
    ...(subnets.length > 0 && {
      subnets: subnets.map(({ prefix, gateway }) => ({
        subnet: formatPrefix(prefix),
        gateway,
        // All nodes use the same VSID: the first one that Windows accepts.
        ...(type === 'Overlay' && { vsid: 4096 }),
      })),
    }),
    ...(host !== undefined && { hostEndpoint: { address: host } }),
    ...(ipam === 'host-local' && {
      ipam: { type: ipam, ranges: subnets.map((subnet) => [hostLocalRange(subnet)]) },
    }),
    capabilities: {
      dns: true,
      portMappings: true,
      ...(type === 'L2Bridge' && { bandwidth: true }),
    },
    ...(dns.length > 0 && { dns: { nameservers: dns } }),
    ...membersOfType(request),
  };
  // A runtime uses the latest version that it knows; one that does not read `cniVersions` uses the first member.
  return { cniVersion: '1.0.0', cniVersions: ['0.3.1', '0.4.0', '1.0.0', '1.1.0'], name, plugins: [plugin] };
}

function membersOfType({ type, subnet, clusterCidr, serviceCidr, dns }: ConfigRequest): object {
  if (type === 'NAT')
    return dns.length > 0 ? {} : { networkPolicies: [{ Type: 'AutomaticDNS', Settings: { Enable: true } }] };
  const pods = clusterCidr.length > 0 ? clusterCidr : subnet;
  return {
    outboundNat: { exceptions: [...pods, ...serviceCidr].map(formatPrefix) },
    ...(serviceCidr.length > 0 && {
      sdnRoutes: serviceCidr.map((prefix) => ({ destinationPrefix: formatPrefix(prefix), needEncap: true })),
    }),
    // kube-proxy uses direct server return by default: a pod reaches its own service only so.
    loopbackDSR: true,
  };
}

/**
 * Chooses the default gateway of a subnet: the first address, which belongs to the virtual switch or which HNS gives to the node. On
 * L2Bridge HNS reserves it, and pods use the second address, of the node's own endpoint. That has only IPv4: IPv6 needs a router.
 */
function withGateway(prefix: Prefix, { type, gateway }: ConfigRequest) {
  const family = familyOf(prefix.address);
  const [first = prefix.address, second = first] = [firstHost(prefix), secondHost(prefix)];
  const given = gateway.find((address) => familyOf(address) === family);
  const hasEndpoint = given === undefined && type === 'L2Bridge' && family === 'IPv4';
  return { prefix, gateway: given ?? first, ...(hasEndpoint && { hostEndpoint: second }) };
}

/** host-local does not assign a range's gateway. Its range starts after the addresses of the gateway and the host endpoint. */
function hostLocalRange({ prefix, gateway, hostEndpoint }: ReturnType<typeof withGateway>): object {
  const third = hostEndpoint?.replace(/(?<!\d)\d+$/, (last) => String(Number(last) + 1));
  return { subnet: formatPrefix(prefix), ...(third === undefined ? { gateway } : { rangeStart: third }) };
}

/** JSON without characters outside ASCII: Windows PowerShell changes those when it passes text from one program to another. */
export function configText(conflist: object): string {
  const text = `${JSON.stringify(conflist, undefined, 2)}\n`;
  return text.replaceAll(
    /[^\n -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
