import type { RemoteSubnet } from '../../config/network-config.ts';
import type { ObservedNetwork, Subnet } from '../../hcn/documents.ts';
import { isOverlay, providerAddressOf, settingsOf, subnetsOf } from '../../model/network-document.ts';
import { isUsableAddress } from '../../model/readiness.ts';
import { familyOf, isLinkLocal, parseAddress } from '../../net/address.ts';
import type { HostAdapter } from '../../net/host-adapter.ts';
import { parseMac } from '../../net/mac.ts';
import { formatPrefix, networkOf, parsePrefix } from '../../net/prefix.ts';

/** How other nodes reach the pods of one of this node's networks. */
export interface NodeSide {
  readonly network: string;
  readonly type: string;
  /** For the `remoteSubnets` of the other nodes. */
  readonly remoteSubnets: readonly RemoteSubnet[];
  /** What HNS or the node does not have yet, in clauses about the network. */
  readonly missing: readonly string[];
}

/** What the network's document does not have. */
export interface Uplink {
  /** HNS's address of the node on an L2Bridge network. */
  readonly managementAddress: string | undefined;
  readonly adapters: readonly HostAdapter[];
}

/** Whether a network's pods can be reached from other nodes as `remoteSubnets` describes it. */
export function reachesOtherNodes(network: ObservedNetwork): boolean {
  return isOverlay(network) || network.Type.toLowerCase() === 'l2bridge';
}

/** Describes how other nodes reach the pods of a network for which `reachesOtherNodes` is true. */
export function nodeSideOf(network: ObservedNetwork, uplink: Uplink): NodeSide {
  const found = subnetsOf(network).map(({ IpAddressPrefix, ...subnet }) => {
    const prefix = parsePrefix(IpAddressPrefix);
    if (prefix === undefined) return { missing: [`has the invalid subnet ${IpAddressPrefix}`] };
    const known = { ...subnet, IpAddressPrefix: formatPrefix(networkOf(prefix)) };
    return isOverlay(network) ? tunnelEnd(known, network) : nextHop(known, uplink);
  });
  const missing = found.flatMap((one) => ('missing' in one ? one.missing : []));
  return {
    network: network.Name,
    type: network.Type,
    remoteSubnets: found.flatMap((one) => ('missing' in one ? [] : one)),
    missing: found.length === 0 ? ['has no subnet'] : [...new Set(missing)],
  };
}

interface Missing {
  readonly missing: readonly string[];
}

const later = 'HNS sets it seconds after the creation of the network';

function tunnelEnd(subnet: Subnet, network: ObservedNetwork): RemoteSubnet | Missing {
  const mac = parseMac(String(settingsOf(network.Policies, 'DrMacAddress')?.['Address']));
  const providerAddress = usable(providerAddressOf(network));
  const vsid = Number(settingsOf(subnet.Policies, 'VSID')?.['IsolationId']);
  if (mac !== undefined && providerAddress !== undefined && vsid > 0)
    return { subnet: subnet.IpAddressPrefix, providerAddress, macAddress: mac, vsid };
  return {
    missing: [
      ...(providerAddress !== undefined ? [] : [`has no provider address yet: ${later}`]),
      ...(mac === undefined ? [`has no DrMacAddress yet: ${later}`] : []),
      ...(vsid > 0 ? [] : [`has no VSID for subnet ${subnet.IpAddressPrefix}`]),
    ],
  };
}

/** The node's address on the network, in the family of the subnet. HNS shows one address; its interface has the other. */
function nextHop(subnet: Subnet, { managementAddress, adapters }: Uplink): RemoteSubnet | Missing {
  const family = familyOf(subnet.IpAddressPrefix);
  const own = usable(managementAddress);
  const addresses = adapters
    .map((adapter) => adapter.addresses.map(({ address }) => address))
    .find((all) => own !== undefined && all.includes(own));
  const found = [...(own === undefined ? [] : [own]), ...(addresses ?? [])].find(
    (address) => familyOf(address) === family && !isLinkLocal(address),
  );
  if (found !== undefined) return { subnet: subnet.IpAddressPrefix, nextHop: found };
  return {
    missing: [
      own === undefined
        ? `has no management address yet: ${later}`
        : `has no ${family} address of the node for subnet ${subnet.IpAddressPrefix}`,
    ],
  };
}

/** The canonical address, undefined unless other nodes can reach it. */
function usable(address: string | undefined): string | undefined {
  return address !== undefined && isUsableAddress(address) ? parseAddress(address) : undefined;
}
