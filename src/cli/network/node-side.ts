import type { RemoteSubnet } from '../../config/network-config.ts';
import type { ObservedNetwork, Subnet } from '../../hcn/documents.ts';
import { isOverlay, providerAddressOf, settingsOf, subnetsOf } from '../../model/network-document.ts';
import { isUsableAddress } from '../../model/readiness.ts';
import { families, familyOf, isLinkLocal, parseAddress } from '../../net/address.ts';
import type { HostAdapter } from '../../net/host-adapter.ts';
import { formatMac, parseMac } from '../../net/mac.ts';
import { formatPrefix, networkOf, parsePrefix } from '../../net/prefix.ts';
import { flannelAnnotations } from './cluster-node.ts';

/** How other nodes reach the pods of one of this node's networks, and what HNS or the node lacks for it, in clauses about the network. */
export type NodeSide = ReturnType<typeof nodeSideOf>;

/** Whether a network's pods can be reached from other nodes as `remoteSubnets` describes it. */
export function reachesOtherNodes(network: ObservedNetwork): boolean {
  return isOverlay(network) || network.Type.toLowerCase() === 'l2bridge';
}

/**
 * Describes how other nodes reach the pods of a network for which `reachesOtherNodes` is true. `managementAddress` is HNS's address of the
 * node on an L2Bridge network.
 */
export function nodeSideOf(
  network: ObservedNetwork,
  managementAddress: string | undefined,
  adapters: readonly HostAdapter[],
) {
  const found = subnetsOf(network).map((subnet) => {
    const prefix = parsePrefix(subnet.IpAddressPrefix);
    if (prefix === undefined) return [`has the invalid subnet ${subnet.IpAddressPrefix}`];
    const text = formatPrefix(networkOf(prefix));
    return isOverlay(network) ? tunnelEnd(text, subnet, network) : nextHop(text, managementAddress, adapters);
  });
  const missing = found.flatMap((one) => (Array.isArray(one) ? one : []));
  return {
    network: network.Name,
    type: network.Type,
    remoteSubnets: found.flatMap((one) => ('subnet' in one ? one : [])),
    missing: found.length === 0 ? ['has no subnet'] : [...new Set(missing)],
  };
}

const later = 'HNS sets it seconds after the creation of the network';

/** The entry of a subnet, or what is missing. */
function tunnelEnd(subnet: string, { Policies }: Subnet, network: ObservedNetwork): RemoteSubnet | string[] {
  const macAddress = parseMac(String(settingsOf(network.Policies, 'DrMacAddress')?.['Address']));
  const providerAddress = usable(providerAddressOf(network));
  const vsid = Number(settingsOf(Policies, 'VSID')?.['IsolationId']);
  if (macAddress !== undefined && providerAddress !== undefined && vsid > 0)
    return { subnet, providerAddress, macAddress, vsid };
  return [
    ...(providerAddress === undefined ? [`has no provider address yet: ${later}`] : []),
    ...(macAddress === undefined ? [`has no DrMacAddress yet: ${later}`] : []),
    ...(vsid > 0 ? [] : [`has no VSID for subnet ${subnet}`]),
  ];
}

/** The node's address on the network, in the family of the subnet. HNS shows one address; its interface has the other. */
function nextHop(
  subnet: string,
  managementAddress: string | undefined,
  adapters: readonly HostAdapter[],
): RemoteSubnet | string[] {
  const family = familyOf(subnet);
  const own = usable(managementAddress);
  if (own === undefined) return [`has no management address yet: ${later}`];
  const addresses = adapters
    .map((adapter) => adapter.addresses.map(({ address }) => address))
    .find((all) => all.includes(own));
  const found = [own, ...(addresses ?? [])].find((one) => familyOf(one) === family && !isLinkLocal(one));
  if (found === undefined) return [`has no ${family} address of the node for subnet ${subnet}`];
  return { subnet, nextHop: found };
}

/** The canonical address, undefined unless other nodes can reach it. */
function usable(address: string | undefined): string | undefined {
  return address !== undefined && isUsableAddress(address) ? parseAddress(address) : undefined;
}

/** What flannel would publish of this node, and the subnets that it cannot express: those of another family than the node's address. */
export function flannelAnnotationsOf({ remoteSubnets }: NodeSide) {
  const { managed, backendType, backendData, publicAddress } = flannelAnnotations;
  const isTunnel = remoteSubnets.some((remote) => 'providerAddress' in remote);
  const annotations: Record<string, string> = {
    [managed]: 'true',
    [backendType]: isTunnel ? 'vxlan' : 'host-gw',
  };
  const omitted: string[] = [];
  for (const family of families) {
    const remote = remoteSubnets.find(({ subnet }) => familyOf(subnet) === family);
    if (remote === undefined) continue;
    const address = 'nextHop' in remote ? remote.nextHop : remote.providerAddress;
    if (familyOf(address) !== family) omitted.push(remote.subnet);
    else {
      const data = 'nextHop' in remote ? null : { VNI: remote.vsid, VtepMAC: formatMac(remote.macAddress) };
      annotations[backendData[family]] = JSON.stringify(data);
      annotations[publicAddress[family]] = address;
    }
  }
  return { annotations, omitted };
}
