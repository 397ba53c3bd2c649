import type { CniVersion } from '../../cni/version.ts';
import { addressBytes, addressFromBytes } from '../../net/address.ts';
import { formatPrefix, type Prefix } from '../../net/prefix.ts';
import { latestCniVersion } from '../containerd/version.ts';
import { chooseGateway, type Gateway } from './choose-gateway.ts';
import { type ConfNode, type ConfRequest, findProblems } from './conf-request.ts';
import { typeRows } from './network-types.ts';

/** A conflist as an object, or why it cannot be generated, one sentence each. */
type Generated =
  | { readonly conflist: Readonly<Record<string, unknown>> }
  | { readonly problems: readonly string[] };

interface Subnet {
  readonly prefix: Prefix;
  readonly gateway: Gateway;
}

/** The subnet's VSID if `--vsid` is absent: the first one that Windows accepts. */
const defaultVsid = 4096;

/**
 * Generates a conflist. Comments are members that start with `x-`: runtimes and win-hcn ignore them. `adapter` is the alias of the
 * adapter with the default route; undefined if the network has none, or the adapters are unknown.
 */
export function generateConf(request: ConfRequest, node: ConfNode, adapter: string | undefined): Generated {
  const problems = findProblems(request, node);
  if (problems.length > 0) return { problems };
  const chosen = request.subnets.map((prefix) => ({ prefix, gateway: chooseGateway(prefix, request, node) }));
  const missing = chosen.flatMap(({ gateway }) => ('problem' in gateway ? [gateway.problem] : []));
  if (missing.length > 0) return { problems: missing };
  const subnets = chosen.flatMap(({ prefix, gateway }) =>
    'problem' in gateway ? [] : [{ prefix, gateway }],
  );
  const name = request.name ?? request.type.toLowerCase();
  return {
    conflist: {
      ...versionMembers(request, node),
      name,
      plugins: [
        {
          type: 'win-hcn',
          'x-comment': typeRows[request.type].about,
          networkType: request.type,
          ...adapterMembers(request, adapter),
          ...subnetMembers(request, subnets),
          ...hostEndpointMembers(subnets),
          ...ipamMembers(request, subnets),
          ...dnsMembers(request),
          ...natMembers(request),
          ...routeMembers(request),
          ...typeRows[request.type].keys,
          ...(request.dns.length === 0 && typeRows[request.type].keysWithoutDns),
        },
      ],
    },
  };
}

function versionMembers({ cniVersion: given }: ConfRequest, { containerd }: ConfNode): object {
  const [cniVersion, reason] = chooseVersion(given, containerd);
  return { 'x-cniVersion': reason, cniVersion };
}

function chooseVersion(
  given: CniVersion | undefined,
  containerd: string | undefined,
): readonly [CniVersion, string] {
  if (given !== undefined) return [given, 'As requested.'];
  const oldest: CniVersion = '1.0.0';
  if (containerd === undefined)
    return [
      oldest,
      "containerd's version is unknown. From containerd 2.0.1 on, use 1.1.0, which adds STATUS.",
    ];
  const version = latestCniVersion(containerd);
  return version === oldest
    ? [oldest, `For containerd ${containerd}. From containerd 2.0.1 on, use 1.1.0, which adds STATUS.`]
    : [version, `For containerd ${containerd}. Use 1.0.0 before containerd 2.0.1.`];
}

function adapterMembers({ type, adapter: given }: ConfRequest, found: string | undefined): object {
  if (typeRows[type].hasAdapter !== true) return {};
  if (given !== undefined) return { adapter: given };
  if (found === undefined) return {};
  return {
    'x-adapter':
      'The adapter with the default route. Its connections are interrupted when the network is created.',
    adapter: found,
  };
}

function subnetMembers({ type, vsid, ipam }: ConfRequest, subnets: readonly Subnet[]): object {
  if (subnets.length === 0) return {};
  const { sharesSubnet } = typeRows[type];
  const shared =
    sharesSubnet === true
      ? [
          `${ipam === 'none' ? 'HNS' : 'host-local'} assigns any address of the subnet: no other host may have one, except the gateway.`,
        ]
      : [];
  const vsids = type === 'Overlay' ? ['All nodes use the same vsid.'] : [];
  const reasons = [...new Set(subnets.map(({ gateway }) => gateway.reason))];
  return {
    'x-subnets': [...reasons, ...shared, ...vsids].join(' '),
    subnets: subnets.map(({ prefix, gateway }) => ({
      subnet: formatPrefix(prefix),
      ...(gateway.address !== undefined && { gateway: gateway.address }),
      ...(type === 'Overlay' && { vsid: vsid ?? defaultVsid }),
    })),
  };
}

function hostEndpointMembers(subnets: readonly Subnet[]): object {
  const address = subnets.map(({ gateway }) => gateway.hostEndpoint).find((one) => one !== undefined);
  if (address === undefined) return {};
  return {
    'x-hostEndpoint': "The node's own endpoint. The node forwards the traffic of its pods.",
    hostEndpoint: { address },
  };
}

/** host-local does not assign a range's gateway. Its range starts after the addresses of the gateway and the host endpoint. */
function ipamMembers({ ipam }: ConfRequest, subnets: readonly Subnet[]): object {
  if (ipam === 'none') return {};
  const range = ({ prefix, gateway: { address, hostEndpoint } }: Subnet) => ({
    subnet: formatPrefix(prefix),
    ...(hostEndpoint !== undefined && { rangeStart: thirdHost(prefix) }),
    ...(hostEndpoint === undefined && address !== undefined && { gateway: address }),
  });
  return {
    'x-ipam': 'host-local.exe must be in the plugin folder.',
    ipam: { type: 'host-local', ranges: subnets.map((subnet) => [range(subnet)]) },
  };
}

function thirdHost({ address }: Prefix): string {
  return addressFromBytes(
    addressBytes(address).map((byte, index, { length }) => (index === length - 1 ? byte | 3 : byte)),
  );
}

function dnsMembers({ type, dns, dnsSearch }: ConfRequest): object {
  const { capabilities } = typeRows[type];
  return {
    'x-capabilities': 'Settings that the runtime passes for a pod.',
    capabilities: Object.fromEntries(capabilities.map((name) => [name, true])),
    ...((dns.length > 0 || dnsSearch.length > 0) && {
      dns: {
        ...(dns.length > 0 && { nameservers: dns }),
        ...(dnsSearch.length > 0 && { search: dnsSearch }),
      },
    }),
  };
}

function natMembers({ type, subnets, clusterCidrs, serviceCidrs }: ConfRequest): object {
  if (typeRows[type].outboundNat !== true) return {};
  const pods = clusterCidrs.length > 0 ? clusterCidrs : subnets;
  const names = [
    clusterCidrs.length > 0 ? 'pods' : 'pods of this node',
    ...(serviceCidrs.length > 0 ? ['services'] : []),
  ];
  return {
    'x-outboundNat': `Translates the pod's address to the node's, except for traffic to ${names.join(' and ')}.`,
    outboundNat: { exceptions: [...pods, ...serviceCidrs].map(formatPrefix) },
  };
}

function routeMembers({ type, serviceCidrs }: ConfRequest): object {
  if (typeRows[type].routesServices !== true || serviceCidrs.length === 0) return {};
  return {
    'x-sdnRoutes': 'The virtual switch takes the traffic to services, not the gateway.',
    sdnRoutes: serviceCidrs.map((prefix) => ({ destinationPrefix: formatPrefix(prefix), needEncap: true })),
  };
}
