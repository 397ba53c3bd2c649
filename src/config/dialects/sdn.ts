import { findCniArg } from '../../cni/request.ts';
import { foldKeys, isObject } from '../../json/members.ts';
import { parseAddress } from '../../net/address.ts';
import { contains, formatPrefix, networkOf, parsePrefix } from '../../net/prefix.ts';
import { dropInBehavior } from '../behavior.ts';
import { escaped, originOf } from '../given-paths.ts';
import { type Dialect, type Json, sharedPart } from './dialect.ts';
import { inheritedPolicies, policyOrigins } from './policies.ts';
import type { InheritedPolicy } from './policy-forms.ts';
import { isNothing } from './understood.ts';

export const sdnKeys = ['policies', 'AdditionalArgs', 'optionalFlags', 'additionalRoutes', 'master'];

export const sdnFlags = [
  'localRoutedPortMapping',
  'allowAclPortMapping',
  'forceBridgeGateway',
  'enableDualStack',
  'loopbackDSR',
  'gatewayFromAdditionalRoutes',
];

/**
 * The vocabulary of sdnbridge, sdnoverlay and nat, one plugin under three names: the network is made from `ipam.subnet` when it
 * is not there, an Overlay only with the VSID of a network policy. A subnet other than that of a network that exists means nothing.
 * `typeOf` tells the network's type from its name. On NAT and ICS the node is the gateway, at an address only the network tells.
 */
export function sdn(typeOf: (name: unknown) => unknown): Dialect {
  return (given, cniArgs) => {
    const members = foldKeys(given);
    const networkType = typeOf(members['name']);
    const isNodeGateway = networkType === 'NAT' || networkType === 'ICS';
    const ipam = objectIn(members, 'ipam');
    const flags = objectIn(members, 'optionalflags');
    const { endpointPolicies, endpointOrigins, network, ignored } = inheritedPolicies(members);
    const shared = sharedPart(given, members, sdnKeys);
    const routes = gatewaysIn(ipam['routes'], '/ipam/routes');
    const isAdditionalWanted = flags['gatewayfromadditionalroutes'] === true;
    const additional = gatewaysIn(isAdditionalWanted && members['additionalroutes'], '/additionalRoutes');
    const forcesGateway = !isNodeGateway && flags['forcebridgegateway'] === true;
    const isolation = network.flatMap((policy) => isolationOf(policy) ?? []);
    const whole = subnetOf(ipam, isolation, [...routes.gateways, ...additional.gateways]);
    const hasVsid = isolation.some(({ key }) => key === 'vsid');
    const subnet = networkType === 'Overlay' && !hasVsid ? undefined : whole?.subnet;
    const mayBeMade = subnet !== undefined || isNodeGateway;
    const policies = network.filter((policy) => isolationOf(policy) === undefined);
    const { dns } = shared.config;
    return {
      config: {
        ...shared.config,
        networkType,
        createNetwork: mayBeMade ? 'ifMissing' : 'never',
        ...(subnet !== undefined && { subnets: [subnet] }),
        ...(dns !== undefined && { dns: inNamespace(dns, cniArgs) }),
        endpointPolicies,
        networkPolicies: policies.map(({ policy }) => policy),
        ...(flags['loopbackdsr'] !== undefined && { loopbackDSR: flags['loopbackdsr'] }),
        portMapping: portMappingOf(members['optionalflags']),
      },
      behavior: {
        ...dropInBehavior,
        gateways: isNodeGateway ? [] : routes.gateways.map(({ address }) => address),
        additionalGateways: isNodeGateway ? [] : additional.gateways.map(({ address }) => address),
        secondHostIsGateway: forcesGateway ? ['IPv4'] : [],
        ipamGateway: isNodeGateway ? 'after the network' : 'before the network',
        portMappingRuleType: undefined,
      },
      origins: new Map([
        ...endpointOrigins,
        ...policyOrigins('/networkPolicies', policies),
        ['/networkType', '/name'],
        ['/subnets/0/subnet', '/ipam/subnet'],
        ...(whole?.gateway === undefined ? [] : [['/subnets/0/gateway', whole.gateway.origin] as const]),
        ...isolation.map(({ key, origin }) => [`/subnets/0/${key}`, origin] as const),
        ['/loopbackDSR', '/optionalFlags/loopbackDSR'],
        ['/portMapping', '/optionalFlags'],
        ['/portMapping/localRoutedVip', '/optionalFlags/localRoutedPortMapping'],
        ['/portMapping/allowAcl', '/optionalFlags/allowAclPortMapping'],
      ]),
      ignored: [
        ...shared.ignored,
        ...ignored,
        ...routes.unreadable,
        ...additional.unreadable,
        ...unknownFlags(members['optionalflags']),
      ],
    };
  };
}

function objectIn(members: Json, key: string): Json {
  const value = members[key];
  return isObject(value) ? foldKeys(value) : {};
}

function portMappingOf(given: unknown): unknown {
  if (!isNothing(given) && !isObject(given)) return given;
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
    .map((key) => `/optionalFlags/${escaped(key)}`);
}

interface Gateway {
  readonly address: string;
  readonly origin: string;
}

/** Those of default routes: `gw` as CNI has it, `gateway` as Microsoft's own example and nerdctl write it. */
function gatewaysIn(list: unknown, path: string) {
  const read = (Array.isArray(list) ? list : []).map((route: unknown, index) => {
    const { dst, gw, gateway } = isObject(route) ? foldKeys(route) : {};
    const isDefault = isNothing(dst) || (typeof dst === 'string' && parsePrefix(dst)?.length === 0);
    const given = isNothing(gw) ? gateway : gw;
    const address = typeof given === 'string' ? parseAddress(given) : undefined;
    const origin = `${path}/${index}/${isNothing(gw) ? 'gateway' : 'gw'}`;
    return { address: isDefault ? address : undefined, origin, isUnreadable: !address && !isNothing(given) };
  });
  return {
    gateways: read.flatMap(({ address, origin }): Gateway[] =>
      address === undefined ? [] : [{ address, origin }],
    ),
    unreadable: read.filter(({ isUnreadable }) => isUnreadable).map(({ origin }) => origin),
  };
}

/** Host bits count for nothing. What is no subnet is left as it is, for the schema to refuse. */
function subnetOf(ipam: Json, isolation: readonly Isolation[], gateways: readonly Gateway[]) {
  const given = ipam['subnet'];
  if (isNothing(given)) return undefined;
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
  readonly origin: string;
}

/** A virtual subnet or VLAN that the configuration gives the network, and HCN its subnet. */
function isolationOf({ policy, origins }: InheritedPolicy): Isolation | undefined {
  const { Type, Settings } = isObject(policy) ? policy : {};
  const key = (['vsid', 'vlan'] as const).find(
    (known) => typeof Type === 'string' && Type.toLowerCase() === known,
  );
  if (key === undefined) return undefined;
  const id = isObject(Settings) ? foldKeys(Settings)['isolationid'] : undefined;
  return { key, id, origin: originOf(origins, '/Settings/IsolationId') };
}

/** The first search domain is one of the pod's own namespace. */
function inNamespace(dns: unknown, cniArgs: string): unknown {
  const namespace = findCniArg(cniArgs, 'K8S_POD_NAMESPACE');
  if (!isObject(dns) || namespace === undefined) return dns;
  return Object.fromEntries(
    Object.entries(dns).map(([key, value]) => {
      const search = key.toLowerCase() === 'search' && Array.isArray(value) ? value : undefined;
      const [first, ...others] = search ?? [];
      return [key, typeof first === 'string' ? [`${namespace}.${first}`, ...others] : value];
    }),
  );
}
