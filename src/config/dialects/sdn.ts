import { findCniArg } from '../../cni/request.ts';
import { foldKeys, isObject, type JsonObject } from '../../json/members.ts';
import { parseAddress } from '../../net/address.ts';
import { contains, formatPrefix, networkOf, parsePrefix } from '../../net/prefix.ts';
import { type Behavior, dropInBehavior } from '../behavior.ts';
import { isEmpty } from '../known-keys.ts';
import { escapeToken, sourcePathOf } from '../source-paths.ts';
import { type Dialect, translateSharedKeys } from './dialect.ts';
import { policyPaths, type TranslatedPolicy, translatePolicies } from './translate-policies.ts';

/** The keys of sdnbridge and sdnoverlay besides those of the specification. */
export const sdnKeys = ['policies', 'AdditionalArgs', 'optionalFlags', 'additionalRoutes', 'master'];

/** The members of `optionalFlags`. */
export const sdnFlags = [
  'localRoutedPortMapping',
  'allowAclPortMapping',
  'forceBridgeGateway',
  'enableDualStack',
  'loopbackDSR',
  'gatewayFromAdditionalRoutes',
];

/**
 * sdnbridge, sdnoverlay and nat, one plugin under three names: creates a missing network with `ipam.subnet`, an Overlay network
 * only if a network policy has its VSID. The subnet of an existing network may differ. `typeOf` returns the network type for the
 * network's name. On NAT and ICS the node is the gateway, and only the network has its address.
 */
export function sdn(typeOf: (name: unknown) => unknown): Dialect {
  return (given, cniArgs) => {
    const members = foldKeys(given);
    const networkType = typeOf(members['name']);
    const isNodeGateway = networkType === 'NAT' || networkType === 'ICS';
    const ipam = objectIn(members, 'ipam');
    const flags = objectIn(members, 'optionalflags');
    const { endpointPolicies, endpointPaths, network, ignored } = translatePolicies(members);
    const shared = translateSharedKeys(given, members, sdnKeys);
    const routes = gatewaysIn(ipam['routes'], '/ipam/routes');
    const usesAdditional = flags['gatewayfromadditionalroutes'] === true;
    const additional = gatewaysIn(usesAdditional && members['additionalroutes'], '/additionalRoutes');
    const forcesGateway = !isNodeGateway && flags['forcebridgegateway'] === true;
    const isolation = network.flatMap((policy) => isolationOf(policy) ?? []);
    const whole = subnetOf(ipam, isolation, [...routes.gateways, ...additional.gateways]);
    const hasVsid = isolation.some(({ key }) => key === 'vsid');
    const subnet = networkType === 'Overlay' && !hasVsid ? undefined : whole?.subnet;
    const canCreate = subnet !== undefined || isNodeGateway;
    const policies = network.filter((policy) => isolationOf(policy) === undefined);
    const { dns } = shared.config;
    return {
      config: {
        ...shared.config,
        networkType,
        createNetwork: canCreate ? 'ifMissing' : 'never',
        ...(subnet !== undefined && { subnets: [subnet] }),
        ...(dns !== undefined && { dns: inNamespace(dns, cniArgs) }),
        endpointPolicies,
        networkPolicies: policies.map(({ policy }) => policy),
        ...(flags['loopbackdsr'] !== undefined && { loopbackDSR: flags['loopbackdsr'] }),
        portMapping: portMappingOf(members['optionalflags']),
      },
      behavior: {
        ...dropInBehavior,
        ...(isNodeGateway ? {} : gatewayBehavior(routes, additional)),
        secondHostIsGateway: forcesGateway ? ['IPv4'] : [],
        portMappingRuleType: undefined,
      },
      sourcePaths: new Map([
        ...endpointPaths,
        ...policyPaths('/networkPolicies', policies),
        ['/networkType', '/name'],
        ['/subnets/0/subnet', '/ipam/subnet'],
        ...(whole?.gateway === undefined ? [] : [['/subnets/0/gateway', whole.gateway.source] as const]),
        ...isolation.map(({ key, source }) => [`/subnets/0/${key}`, source] as const),
        ['/loopbackDSR', '/optionalFlags/loopbackDSR'],
        ['/portMapping', '/optionalFlags'],
        ['/portMapping/localRoutedVip', '/optionalFlags/localRoutedPortMapping'],
        ['/portMapping/allowAcl', '/optionalFlags/allowAclPortMapping'],
      ]),
      ignored: [
        ...shared.ignored,
        ...ignored,
        ...routes.invalid,
        ...additional.invalid,
        ...unknownFlags(members['optionalflags']),
      ],
    };
  };
}

/** The gateways of default routes, and the paths of invalid ones. */
interface DefaultGateways {
  readonly gateways: readonly Gateway[];
  readonly invalid: readonly string[];
}

/** The plugin's gateways, where the node is not the gateway. */
function gatewayBehavior(routes: DefaultGateways, additional: DefaultGateways) {
  return {
    gateways: routes.gateways.map(({ address }) => address),
    additionalGateways: additional.gateways.map(({ address }) => address),
    preferIpamGateway: 'always',
  } satisfies Partial<Behavior>;
}

function objectIn(members: JsonObject, key: string): JsonObject {
  const value = members[key];
  return isObject(value) ? foldKeys(value) : {};
}

function portMappingOf(given: unknown): unknown {
  if (!isEmpty(given) && !isObject(given)) return given;
  const flags = foldKeys(isObject(given) ? given : {});
  return {
    localRoutedVip: flags['localroutedportmapping'] ?? false,
    allowAcl: flags['allowaclportmapping'] ?? false,
  };
}

function unknownFlags(given: unknown): readonly string[] {
  const known = new Set(sdnFlags.map((name) => name.toLowerCase()));
  return Object.keys(isObject(given) ? given : {})
    .filter((key) => !known.has(key.toLowerCase()))
    .map((key) => `/optionalFlags/${escapeToken(key)}`);
}

interface Gateway {
  readonly address: string;
  /** Its JSON pointer in the given configuration. */
  readonly source: string;
}

/** The gateways of default routes: CNI's key is `gw`, Microsoft's example and nerdctl write `gateway`. */
function gatewaysIn(list: unknown, path: string): DefaultGateways {
  const read = (Array.isArray(list) ? list : []).map((route: unknown, index) => {
    const { dst, gw, gateway } = isObject(route) ? foldKeys(route) : {};
    const isDefault = isEmpty(dst) || (typeof dst === 'string' && parsePrefix(dst)?.length === 0);
    const given = isEmpty(gw) ? gateway : gw;
    const address = typeof given === 'string' ? parseAddress(given) : undefined;
    const source = `${path}/${index}/${isEmpty(gw) ? 'gateway' : 'gw'}`;
    return { address: isDefault ? address : undefined, source, isInvalid: !address && !isEmpty(given) };
  });
  return {
    gateways: read.flatMap(({ address, source }): Gateway[] =>
      address === undefined ? [] : [{ address, source }],
    ),
    invalid: read.filter(({ isInvalid }) => isInvalid).map(({ source }) => source),
  };
}

/** The subnet without its host bits. An invalid one is unchanged: the schema refuses it later. */
function subnetOf(ipam: JsonObject, isolation: readonly Isolation[], gateways: readonly Gateway[]) {
  const given = ipam['subnet'];
  if (isEmpty(given)) return undefined;
  const prefix = typeof given === 'string' ? parsePrefix(given) : undefined;
  const gateway = gateways.find(({ address }) => prefix !== undefined && contains(prefix, address));
  return {
    gateway,
    subnet: {
      subnet: prefix === undefined ? given : formatPrefix(networkOf(prefix)),
      ...(gateway !== undefined && { gateway: gateway.address }),
      ...Object.fromEntries(isolation.map(({ key, id }) => [key, id])),
    },
  };
}

interface Isolation {
  readonly key: 'vsid' | 'vlan';
  readonly id: unknown;
  readonly source: string;
}

/** The keys of a subnet, by the type of the network policy in lower case. */
const isolationKeys: ReadonlyMap<string, Isolation['key']> = new Map([
  ['vsid', 'vsid'],
  ['vlan', 'vlan'],
]);

/** The VSID or VLAN of a network policy; HCN has it in the subnet. */
function isolationOf({ policy, sourcePaths }: TranslatedPolicy): Isolation | undefined {
  const { Type, Settings } = isObject(policy) ? policy : {};
  const key = typeof Type === 'string' ? isolationKeys.get(Type.toLowerCase()) : undefined;
  if (key === undefined) return undefined;
  const id = isObject(Settings) ? foldKeys(Settings)['isolationid'] : undefined;
  return { key, id, source: sourcePathOf(sourcePaths, '/Settings/IsolationId') };
}

/** Prefixes the first search domain with the pod's namespace. */
function inNamespace(dns: unknown, cniArgs: string): unknown {
  const namespace = findCniArg(cniArgs, 'K8S_POD_NAMESPACE');
  if (!isObject(dns) || namespace === undefined) return dns;
  return Object.fromEntries(
    Object.entries(dns).map(([key, value]) => {
      const search =
        key === 'search' && Array.isArray(value) ? value.filter((item) => item !== '') : undefined;
      const [first, ...others] = search ?? [];
      return [key, typeof first === 'string' ? [`${namespace}.${first}`, ...others] : value];
    }),
  );
}
