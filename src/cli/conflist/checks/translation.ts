import { readIpamType } from '../../../config/essential-keys.ts';
import { pluginName } from '../../../config/open-config.ts';
import { foldKeys, isObject } from '../../../json/members.ts';
import { canonicalPrefix, formatPrefix, networkOf, parsePrefix } from '../../../net/prefix.ts';
import { natNetworksFault } from '../../../plan/nat-networks.ts';
import { subnetsWithoutException } from '../../../plan/outbound-nat.ts';
import { endpointPolicies } from '../../../plan/policies.ts';
import { firstFew } from '../../terminal/short-text.ts';
import type { Check } from './check.ts';

/** Warns about a subnet for HNS to assign from that is not a network address: containerd's script writes 172.28.112.0/12. */
export const warnOfHostBits: Check = ({ json, place }) => {
  const { subnet } = isObject(json['ipam']) ? foldKeys(json['ipam']) : {};
  const prefix = typeof subnet === 'string' ? parsePrefix(subnet) : undefined;
  if (prefix === undefined || readIpamType(json) !== undefined) return [];
  const network = formatPrefix(networkOf(prefix));
  if (network === formatPrefix(prefix)) return [];
  const path = place('/ipam/subnet');
  const effect = `if the network does not exist, win-hcn creates it with ${network}`;
  return [{ path, text: `${path} is "${subnet}", which is not a network address: ${effect}` }];
};

/** Warns about a file for nat with which a runtime drops port mappings: nerdctl writes none of the capabilities. */
export const warnOfMissingPortMappings: Check = ({ json: { capabilities }, type, place }) => {
  if (pluginName(type) !== 'nat') return [];
  if (isObject(capabilities) && Object.hasOwn(capabilities, 'portMappings')) return [];
  const path = place(capabilities === undefined ? '/type' : '/capabilities');
  const text = `${place('')} has no capability "portMappings", so the runtime maps no ports, as with nerdctl run -p`;
  return [{ path, text: text.trimStart(), isKey: true }];
};

/** Warns about a NAT network beside Docker's or containerd's, which is called nat, if its pods may have host ports. */
export const warnOfSecondNat: Check = ({ json: { capabilities, name }, keys, place }) => {
  const publishes = isObject(capabilities) && capabilities['portMappings'] === true;
  if (keys.networkType !== 'NAT' || !publishes || name === 'nat') return [];
  const path = place('/capabilities/portMappings');
  const text = `${path}: if the node has another NAT network, such as "nat" of Docker, ${natNetworksFault}; use that network, by its name`;
  return [{ path, text, isKey: true }];
};

/** Warns about pod subnets of other nodes that outbound NAT does not except: their pods see the address of this node. */
export const warnOfTranslatedSubnets: Check = ({ keys, place }) => {
  const routed = keys.networkPolicies
    .filter(({ Type }) => Type === 'RemoteSubnetRoute')
    .flatMap(({ Settings }) => canonicalPrefix(String(Settings?.['DestinationPrefix'])) ?? []);
  const policies = endpointPolicies(
    { ...keys, prevResult: undefined },
    { providerAddress: undefined, addresses: [], families: [], ownSubnets: [], encapOverhead: undefined },
  );
  const subnets = [...keys.remoteSubnets.map(({ subnet }) => subnet), ...routed];
  const translated = subnetsWithoutException(policies, subnets);
  if (translated.length === 0) return [];
  const path = place(keys.outboundNat === undefined ? '/endpointPolicies' : '/outboundNat');
  const text = `${path} has no OutBoundNAT exception for ${firstFew(translated)}: pods there see the address of this node`;
  return [{ path, text }];
};
