import { foldKeys } from '../../json/members.ts';
import { families } from '../../net/address.ts';
import { dropInBehavior } from '../behavior.ts';
import { type Dialect, type Json, sharedPart, type Translation } from './dialect.ts';
import { inheritedPolicies } from './policies.ts';
import { isNothing } from './understood.ts';

export const winBridgeKeys = [
  'apiVersion',
  'policies',
  'AdditionalArgs',
  'loopbackDSR',
  'ipMasq',
  'ipMasqNetwork',
  'clusterNetworkPrefix',
];

export const winOverlayKeys = [...winBridgeKeys, 'endpointMacPrefix'];

/** What they name is an exception of outbound NAT. */
const masqueradeKeys = ['ipMasqNetwork', 'clusterNetworkPrefix'];

/**
 * The vocabulary of win-bridge: the network must be there, and of addresses from an IPAM plugin the node's own endpoint at the subnet's
 * second address is the gateway: HNS could give that to a pod. `apiVersion` changes nothing, because HNS's older interface is
 * not used; policies of the network neither.
 */
export const winBridge: Dialect = (given) => {
  const { config, ...rest } = translate(given, winBridgeKeys, masqueradeKeys);
  return {
    ...rest,
    config: { ...config, networkType: 'L2Bridge' },
    behavior: { ...dropInBehavior, secondHostIsGateway: families },
  };
};

/** The vocabulary of win-overlay: the network must be there, and only `ipMasq` asks for outbound NAT, without it. */
export const winOverlay: Dialect = (given) => {
  const { endpointmacprefix: macPrefix, ipmasq } = foldKeys(given);
  const { config, origins, ...rest } = translate(
    given,
    winOverlayKeys,
    ipmasq === true ? masqueradeKeys : [],
  );
  return {
    ...rest,
    config: {
      ...config,
      networkType: 'Overlay',
      ...(!isNothing(macPrefix) && { macPrefix }),
    },
    origins: new Map([...origins, ['/macPrefix', '/endpointMacPrefix']]),
    behavior: { ...dropInBehavior, exceptOwnSubnets: ipmasq === true },
  };
};

function translate(
  given: Json,
  known: readonly string[],
  masquerade: readonly string[],
): Omit<Translation, 'behavior'> {
  const members = foldKeys(given);
  const { endpointPolicies, endpointOrigins, network, ignored } = inheritedPolicies(members);
  const shared = sharedPart(given, members, known);
  const exceptions = masquerade.flatMap((key) => {
    const prefix = members[key.toLowerCase()];
    return isNothing(prefix) ? [] : [{ key, prefix }];
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
    origins: new Map([
      ...endpointOrigins,
      ...exceptions.map(({ key }, index) => [`/outboundNat/exceptions/${index}`, `/${key}`] as const),
    ]),
    ignored: [...shared.ignored, ...ignored, ...network.flatMap(({ origins }) => origins.get('') ?? [])],
  };
}
