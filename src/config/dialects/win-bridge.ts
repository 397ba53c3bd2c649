import { foldKeys, type JsonObject } from '../../json/members.ts';
import { families } from '../../net/address.ts';
import { dropInBehavior } from '../behavior.ts';
import { isEmpty } from '../known-keys.ts';
import { type Dialect, type Translation, translateSharedKeys } from './dialect.ts';
import { translatePolicies } from './translate-policies.ts';

/** The keys of win-bridge besides those of the specification. */
export const winBridgeKeys = [
  'apiVersion',
  'policies',
  'AdditionalArgs',
  'loopbackDSR',
  'ipMasq',
  'ipMasqNetwork',
  'clusterNetworkPrefix',
];

/** The keys of win-overlay besides those of the specification. */
export const winOverlayKeys = [...winBridgeKeys, 'endpointMacPrefix'];

/** Their values become exceptions of outbound NAT. */
const masqueradeKeys = ['ipMasqNetwork', 'clusterNetworkPrefix'];

/**
 * win-bridge: the network must exist. With an IPAM plugin, the gateway is the second address of the subnet, which is the node's
 * own endpoint; HNS could assign that address to a pod. `apiVersion` has no effect: win-hcn never uses the older HNS API. Network
 * policies have no effect.
 */
export const winBridge: Dialect = (given) => {
  const { config, ...rest } = translate(given, winBridgeKeys, masqueradeKeys);
  return {
    ...rest,
    config: { ...config, networkType: 'L2Bridge' },
    behavior: { ...dropInBehavior, secondHostIsGateway: families },
  };
};

/** win-overlay: the network must exist. Only `ipMasq` enables outbound NAT, with the network's subnets as exceptions. */
export const winOverlay: Dialect = (given) => {
  const { endpointmacprefix: macPrefix, ipmasq } = foldKeys(given);
  const { config, sourcePaths, ...rest } = translate(
    given,
    winOverlayKeys,
    ipmasq === true ? masqueradeKeys : [],
  );
  return {
    ...rest,
    config: {
      ...config,
      networkType: 'Overlay',
      ...(!isEmpty(macPrefix) && { macPrefix }),
    },
    sourcePaths: new Map([...sourcePaths, ['/macPrefix', '/endpointMacPrefix']]),
    behavior: { ...dropInBehavior, exceptOwnSubnets: ipmasq === true },
  };
};

function translate(
  given: JsonObject,
  known: readonly string[],
  exceptionKeys: readonly string[],
): Omit<Translation, 'behavior'> {
  const members = foldKeys(given);
  const { endpointPolicies, endpointPaths, network, ignored } = translatePolicies(members);
  const shared = translateSharedKeys(given, members, known);
  const exceptions = exceptionKeys.flatMap((key) => {
    const prefix = members[key.toLowerCase()];
    return isEmpty(prefix) ? [] : [{ key, prefix }];
  });
  return {
    config: {
      ...shared.config,
      createNetwork: 'never',
      endpointPolicies,
      ...(exceptions.length > 0 && { outboundNat: { exceptions: exceptions.map(({ prefix }) => prefix) } }),
      ...(members['loopbackdsr'] !== undefined && { loopbackDSR: members['loopbackdsr'] }),
      portMapping: { localRoutedVip: false },
    },
    sourcePaths: new Map([
      ...endpointPaths,
      ...exceptions.map(({ key }, index) => [`/outboundNat/exceptions/${index}`, `/${key}`] as const),
    ]),
    ignored: [
      ...shared.ignored,
      ...ignored,
      ...network.flatMap(({ sourcePaths }) => sourcePaths.get('') ?? []),
    ],
  };
}
