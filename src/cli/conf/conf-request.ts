import type { CniVersion } from '../../cni/version.ts';
import type { NetworkType } from '../../config/network-config.ts';
import { families, familyOf } from '../../net/address.ts';
import type { HostAdapter } from '../../net/host-adapter.ts';
import {
  bitsOf,
  contains,
  formatPrefix,
  isHostIn,
  networkOf,
  overlaps,
  type Prefix,
} from '../../net/prefix.ts';
import { latestCniVersion } from '../containerd/version.ts';
import { typeRows } from './network-types.ts';

/** What the options of `conf generate` ask for. Addresses are canonical. */
export interface ConfRequest {
  readonly type: NetworkType;
  readonly subnets: readonly Prefix[];
  readonly clusterCidrs: readonly Prefix[];
  readonly serviceCidrs: readonly Prefix[];
  readonly dns: readonly string[];
  readonly dnsSearch: readonly string[];
  readonly gateways: readonly string[];
  readonly name: string | undefined;
  readonly adapter: string | undefined;
  readonly vsid: number | undefined;
  readonly ipam: 'none' | 'host-local';
  readonly cniVersion: CniVersion | undefined;
}

/** What the node has; undefined if it could not be read. */
export interface ConfNode {
  readonly adapters: readonly HostAdapter[] | undefined;
  /** The version of containerd. */
  readonly containerd: string | undefined;
}

type PrefixOption = 'subnets' | 'clusterCidrs' | 'serviceCidrs';
const optionNames: Readonly<Record<PrefixOption, string>> = {
  subnets: '--subnet',
  clusterCidrs: '--cluster-cidr',
  serviceCidrs: '--service-cidr',
};

/** What is wrong with the options, one sentence each. */
export function findProblems(request: ConfRequest, { containerd }: ConfNode): readonly string[] {
  const prefixProblems = (['subnets', 'clusterCidrs', 'serviceCidrs'] as const).flatMap((option) =>
    problemsOfPrefixes(optionNames[option], request[option]),
  );
  if (prefixProblems.length > 0) return prefixProblems;
  return [
    ...unsuitableOptions(request),
    ...overlayIPv6(request),
    ...smallSubnets(request),
    ...unrelatedRanges(request),
    ...wrongGateways(request),
    ...wrongVersion(request, containerd),
  ];
}

function problemsOfPrefixes(option: string, prefixes: readonly Prefix[]): readonly string[] {
  const hostBits = prefixes.flatMap((prefix) => {
    const network = networkOf(prefix);
    return network.address === prefix.address
      ? []
      : [`${option} ${formatPrefix(prefix)} has host bits: use ${formatPrefix(network)}`];
  });
  const repeated = families.filter((family) => ofFamily(prefixes, family).length > 1);
  return [
    ...hostBits,
    ...repeated.map(
      (family) => `${option} has several ${family} ranges, expected at most one of each family`,
    ),
  ];
}

/** Options that have no effect on a network type, or that it requires. */
function unsuitableOptions(request: ConfRequest): readonly string[] {
  const { type, subnets, clusterCidrs, serviceCidrs, gateways, adapter, vsid, ipam } = request;
  const row = typeRows[type];
  const unused = (isGiven: boolean, option: string, why: string) =>
    isGiven ? [`${option} has no effect on ${article(type)} network: ${why}`] : [];
  const noTranslation = 'win-hcn does not translate addresses there. Omit it';
  return [
    ...(subnets.length === 0 && row.subnetIsOptional !== true
      ? [`--subnet is required for ${article(type)} network, as in --subnet 10.244.1.0/24`]
      : []),
    ...(subnets.length === 0 && ipam === 'host-local' ? ['--ipam host-local requires --subnet'] : []),
    ...(subnets.length === 0 && gateways.length > 0 ? ['--gateway requires --subnet'] : []),
    ...unused(row.outboundNat !== true && clusterCidrs.length > 0, '--cluster-cidr', noTranslation),
    ...unused(row.outboundNat !== true && serviceCidrs.length > 0, '--service-cidr', noTranslation),
    ...unused(row.gateway === 'none' && gateways.length > 0, '--gateway', 'it has no way out. Omit it'),
    ...unused(row.hasAdapter !== true && adapter !== undefined, '--adapter', 'it has no adapter. Omit it'),
    ...unused(
      type !== 'Overlay' && vsid !== undefined,
      '--vsid',
      'only Overlay networks have a VSID. Omit it',
    ),
  ];
}

/** https://kubernetes.io/docs/concepts/services-networking/dual-stack/#windows-support */
function overlayIPv6({ type, subnets }: ConfRequest): readonly string[] {
  const [subnet] = type === 'Overlay' ? ofFamily(subnets, 'IPv6') : [];
  return subnet === undefined
    ? []
    : [`--subnet ${formatPrefix(subnet)} is not possible: Overlay networks on Windows do not support IPv6`];
}

/** The addresses of a subnet that pods cannot have: its ends, and the gateways. */
function smallSubnets(request: ConfRequest): readonly string[] {
  return request.subnets.flatMap((subnet) => {
    const longest = bitsOf(familyOf(subnet.address)) - 3;
    return subnet.length <= longest
      ? []
      : [`--subnet ${formatPrefix(subnet)} is too small for pods: use /${longest} or larger`];
  });
}

function unrelatedRanges({ subnets, clusterCidrs, serviceCidrs }: ConfRequest): readonly string[] {
  const missing = families.flatMap((family) => {
    const [subnet] = ofFamily(subnets, family);
    const [cluster] = ofFamily(clusterCidrs, family);
    const [service] = ofFamily(serviceCidrs, family);
    const given = cluster === undefined ? service : cluster;
    const option = cluster === undefined ? '--service-cidr' : '--cluster-cidr';
    if (subnet === undefined && given !== undefined && subnets.length > 0)
      return [
        `${option} has the ${family} range ${formatPrefix(given)}, but --subnet has none: add the ${family} subnet of this node`,
      ];
    return subnet !== undefined && cluster === undefined && clusterCidrs.length > 0
      ? [
          `--subnet has the ${family} range ${formatPrefix(subnet)}, but --cluster-cidr has none: add the cluster's ${family} range`,
        ]
      : [];
  });
  const outside = subnets.flatMap((subnet) => {
    const [cluster] = ofFamily(clusterCidrs, familyOf(subnet.address));
    return cluster === undefined || (cluster.length <= subnet.length && contains(cluster, subnet.address))
      ? []
      : [
          `--subnet ${formatPrefix(subnet)} is not in --cluster-cidr ${formatPrefix(cluster)}, which must contain the pods of all nodes`,
        ];
  });
  const mixed = [...subnets, ...clusterCidrs].flatMap((range) =>
    serviceCidrs.flatMap((services) =>
      familyOf(range.address) === familyOf(services.address) && overlaps(range, services)
        ? [
            `--service-cidr ${formatPrefix(services)} overlaps ${formatPrefix(range)}, but services and pods need different addresses`,
          ]
        : [],
    ),
  );
  return [...missing, ...outside, ...mixed];
}

function wrongGateways({ subnets, gateways }: ConfRequest): readonly string[] {
  if (subnets.length === 0) return [];
  const several = families.filter((family) => gateways.filter((one) => familyOf(one) === family).length > 1);
  return [
    ...several.map((family) => `--gateway has several ${family} addresses, expected at most one`),
    ...gateways.flatMap((gateway) =>
      subnets.some((subnet) => isHostIn(subnet, gateway))
        ? []
        : [`--gateway ${gateway} is not a host address in ${subnets.map(formatPrefix).join(' or ')}`],
    ),
  ];
}

function wrongVersion({ cniVersion }: ConfRequest, containerd: string | undefined): readonly string[] {
  if (cniVersion !== '1.1.0' || containerd === undefined || latestCniVersion(containerd) === '1.1.0')
    return [];
  return [
    `--cni-version 1.1.0 requires containerd 2.0.1 or later, but this node has ${containerd}: use --cni-version 1.0.0`,
  ];
}

function ofFamily(prefixes: readonly Prefix[], family: string): readonly Prefix[] {
  return prefixes.filter(({ address }) => familyOf(address) === family);
}

/** As in `an Overlay`. */
function article(type: NetworkType): string {
  return `${/^[AEIOL]/.test(type) ? 'an' : 'a'} ${type}`;
}
