import { readIpamType } from '../../config/essential-keys.ts';
import { pluginName } from '../../config/open-config.ts';
import { foldKeys, isObject } from '../../json/members.ts';
import { formatPrefix, networkOf, parsePrefix } from '../../net/prefix.ts';
import { natNetworksFault } from '../../plan/nat-networks.ts';
import type { Check } from './checked-config.ts';

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
