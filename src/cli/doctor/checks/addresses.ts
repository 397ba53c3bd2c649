import {
  addressesIn,
  type HostComputeNetwork,
  type ObservedEndpoint,
  type ObservedNetwork,
} from '../../../hcn/documents.ts';
import { networkId } from '../../../model/identity.ts';
import type { Inventory } from '../../../model/inventory.ts';
import { isRemote } from '../../../model/ownership.ts';
import type { HostAdapter } from '../../../net/host-adapter.ts';
import { adapterOf } from '../../../plan/adapter-use.ts';
import { isExternal } from '../../../plan/network-adapter.ts';
import { describeOverlap, findOverlaps, isOnOneSegment, segmentOfAddress } from '../../../plan/segments.ts';
import { firstFew, shortGuid } from '../../terminal/short-text.ts';
import { type Check, type Diagnosis, fail, pass, warn, withHcnValue } from '../check.ts';
import type { Facts } from '../facts.ts';
import { missingNetwork } from '../planned-network.ts';

const maxFindings = 5;

/** Finds subnets that overlap with another network's on the same adapter: pods of both can get the same address. */
export const overlappingSubnets: Check = {
  name: 'subnets',
  diagnose: (facts) => ('error' in facts.inventory ? [] : diagnoseSubnets(facts.inventory.value, facts)),
};

function diagnoseSubnets({ networks: existing, endpoints }: Inventory, facts: Facts): readonly Diagnosis[] {
  const adapters = adaptersIn(facts);
  const bound = [...existing, ...missingNetwork(facts)].filter(
    (network) => isExternal(network.Type ?? '') && adapterOf(network, adapters) !== undefined,
  );
  if (bound.length < 2) return [];
  const isUsed = ({ ID, Name }: HostComputeNetwork) =>
    Name === facts.configuration.network?.name ||
    (ID === networkId(Name) && endpoints.some(({ HostComputeNetwork }) => HostComputeNetwork === ID));
  const all = bound.flatMap((network, index) => findOverlaps(network, bound.slice(0, index), adapters));
  if (all.length === 0) return [pass(`those of ${bound.length} networks on adapters do not overlap`)];
  // On different adapters, equal subnets confuse only the node's routes, which matters for networks with pods.
  const overlaps = all.filter(
    (overlap) => isOnOneSegment(overlap) || isUsed(overlap.network) || isUsed(overlap.other),
  );
  if (overlaps.length === 0)
    return [pass('only those of networks without pods overlap, on different adapters')];
  return overlaps
    .slice(0, maxFindings)
    .map((overlap) => warn(describeOverlap(overlap), { see: 'win-hcn ls networks' }));
}

/** An address of an endpoint. */
interface Assigned {
  readonly address: string;
  readonly endpoint: ObservedEndpoint;
  /** Undefined if HCN did not return it. */
  readonly network: ObservedNetwork | undefined;
  /** On which segment; undefined if that is only the network. */
  readonly segment: string | undefined;
}

/** Finds addresses of this node that a second endpoint on the same network or segment has: it receives their traffic. */
export const duplicateAddresses: Check = {
  name: 'addresses',
  diagnose: (facts) =>
    withHcnValue(facts.inventory, (inventory) => {
      const assigned = assignedAddresses(inventory, adaptersIn(facts));
      const diagnoses = [...findLocal(assigned), ...findRemote(assigned)];
      return diagnoses.length === 0 ? [pass('no duplicates')] : diagnoses.slice(0, maxFindings);
    }),
};

function assignedAddresses(
  { endpoints, networks }: Inventory,
  adapters: readonly HostAdapter[],
): readonly Assigned[] {
  return endpoints.flatMap((endpoint) => {
    const network = networks.find(({ ID }) => ID === endpoint.HostComputeNetwork);
    return addressesIn(endpoint).map((address) => {
      const segment = network && segmentOfAddress(network, address, adapters);
      return { address, endpoint, network, segment };
    });
  });
}

/** Addresses that several endpoints of this node have on one segment. */
function findLocal(assigned: readonly Assigned[]): readonly Diagnosis[] {
  const local = assigned.filter(({ endpoint }) => !isRemote(endpoint));
  const groups = Map.groupBy(
    local,
    ({ segment, endpoint, address }) => `${segment?.toLowerCase() ?? endpoint.HostComputeNetwork} ${address}`,
  );
  return [...groups.values()]
    .filter(hasSeveral)
    .map((group) => fail(`several endpoints of this node have ${describeGroup(group)}`, seeAddress(group)));
}

function describeGroup([first, ...others]: readonly [Assigned, ...Assigned[]]): string {
  const all = [first, ...others];
  const isOneNetwork = others.every(
    ({ endpoint }) => endpoint.HostComputeNetwork === first.endpoint.HostComputeNetwork,
  );
  if (isOneNetwork) return `${first.address}: ${describeIds(all)}`;
  const described = all.map(({ endpoint, network }) => `${shortGuid(endpoint.ID)} on "${network?.Name}"`);
  return `${first.address} on ${first.segment}: ${firstFew(described)}`;
}

/** Addresses that one endpoint of this node shares with remote endpoints of its network. */
function findRemote(assigned: readonly Assigned[]): readonly Diagnosis[] {
  const groups = Map.groupBy(
    assigned,
    ({ endpoint, address }) => `${endpoint.HostComputeNetwork} ${address}`,
  );
  return [...groups.values()].flatMap((group) => {
    const [remote, local] = [
      group.filter(({ endpoint }) => isRemote(endpoint)),
      group.filter(({ endpoint }) => !isRemote(endpoint)),
    ];
    if (remote.length === 0 || local.length !== 1 || !hasSeveral(group)) return [];
    const seen = `${describeIds(local)} of this node and remote endpoint ${describeIds(remote)} have ${group[0].address}`;
    return [warn(`${seen}: kube-proxy treats it as a pod on another node`, seeAddress(group))];
  });
}

function hasSeveral(group: Assigned[]): group is [Assigned, ...Assigned[]] {
  return group.length > 1;
}

function describeIds(group: readonly Assigned[]): string {
  return firstFew(group.map(({ endpoint }) => shortGuid(endpoint.ID)));
}

function seeAddress([{ address }]: readonly [Assigned, ...Assigned[]]) {
  return { see: `win-hcn show ip ${address}` };
}

function adaptersIn({ adapters }: Facts): readonly HostAdapter[] {
  return 'value' in adapters ? adapters.value : [];
}
