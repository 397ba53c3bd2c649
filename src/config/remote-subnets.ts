import type { Policy } from '../hcn/documents.ts';
import { familyOf, isHostAddress, parseAddress } from '../net/address.ts';
import { parseMac } from '../net/mac.ts';
import { earlierOverlaps, parseSubnet, whyNoPodSubnet } from '../net/overlaps.ts';
import { contains, formatPrefix, networkOf, type Prefix, parsePrefix } from '../net/prefix.ts';
import type { RemoteSubnet as Given } from './generated/plugin-config.ts';
import type { RemoteSubnet, SubnetConfig } from './network-config.ts';
import type { Problems } from './problems.ts';

/**
 * Reads the pod subnets of other nodes. The schema allows the form of the network type only. A subnet must not overlap the network's
 * own, another one, or one that `networkPolicies` route.
 */
export function readRemoteSubnets(
  given: readonly Given[],
  subnets: readonly SubnetConfig[],
  networkPolicies: readonly Policy[],
  problems: Problems,
): readonly RemoteSubnet[] {
  const routed = networkPolicies
    .filter(({ Type }) => Type === 'RemoteSubnetRoute')
    .map(({ Settings }) => String(Settings?.['DestinationPrefix']));
  const taken = [...subnets.map(({ prefix }) => prefix), ...routed];
  const all = [...taken, ...given.map(({ subnet }) => subnet)].map(parseSubnet);
  const overlapped = earlierOverlaps(all);
  return given.map((one, index) => {
    const path = `/remoteSubnets/${index}`;
    const prefix = readPrefix(one.subnet, `${path}/subnet`, problems);
    const other = all[overlapped.get(taken.length + index) ?? Number.NaN];
    if (other !== undefined) {
      const expected = `a subnet that does not overlap ${formatPrefix(networkOf(other))}`;
      problems.invalid(`${path}/subnet`, one.subnet, expected);
    }
    return readRemoteSubnet(one, prefix, path, problems);
  });
}

function readPrefix(text: string, path: string, problems: Problems): Prefix | undefined {
  const prefix = parsePrefix(text);
  if (prefix === undefined || prefix.length === 0) {
    problems.invalid(path, text, 'a subnet such as 10.244.2.0/24');
    return undefined;
  }
  const network = networkOf(prefix);
  const reason = whyNoPodSubnet(formatPrefix(network));
  if (reason !== undefined) problems.invalid(path, text, `a subnet of pods: this one ${reason}`);
  if (network.address !== prefix.address)
    problems.invalid(path, text, `${formatPrefix(network)}, without host bits`);
  return network;
}

function readRemoteSubnet(
  { subnet: text, nextHop, providerAddress, macAddress, vsid }: Given,
  prefix: Prefix | undefined,
  path: string,
  problems: Problems,
): RemoteSubnet {
  const subnet = prefix === undefined ? text : formatPrefix(prefix);
  if (nextHop !== undefined) {
    return { subnet, nextHop: readNode(nextHop, prefix, 'same family', `${path}/nextHop`, problems) };
  }
  return {
    subnet,
    providerAddress: readNode(
      providerAddress ?? '',
      prefix,
      'any family',
      `${path}/providerAddress`,
      problems,
    ),
    macAddress: parseMac(macAddress ?? '') ?? '',
    ...(vsid !== undefined && { vsid }),
  };
}

/** An address of the other node or of a router, which cannot be in the subnet that it leads to. */
function readNode(
  text: string,
  prefix: Prefix | undefined,
  families: 'same family' | 'any family',
  path: string,
  problems: Problems,
): string {
  const address = parseAddress(text);
  const family = families === 'same family' && prefix ? familyOf(prefix.address) : undefined;
  const isHost = address !== undefined && isHostAddress(address);
  const isOfFamily = isHost && (family === undefined || family === familyOf(address));
  const isInside = isHost && prefix !== undefined && contains(prefix, address);
  if (!isOfFamily || isInside) {
    const kind = `an ${family ?? 'IP'} address`;
    problems.invalid(path, text, prefix === undefined ? kind : `${kind} outside of ${formatPrefix(prefix)}`);
  }
  return address ?? text;
}
