import { addressesIn, type ObservedEndpoint, type ObservedNetwork } from '../../../hcn/documents.ts';
import { findById, type Inventory } from '../../../model/inventory.ts';
import { isRemote } from '../../../model/ownership.ts';
import type { HostAdapter } from '../../../net/host-adapter.ts';
import { parseUnicastMac } from '../../../net/mac.ts';
import { segmentOfAddress } from '../../../plan/segments.ts';
import { type EndpointRow, endpointRow, endpointRows } from '../../inventory/endpoint-row.ts';
import { countText, shortContainer, shortGuid } from '../../terminal/short-text.ts';
import { type Check, type Diagnosis, fail, isSelected, known, pass, warn } from '../finding.ts';

/** Finds leftovers, the endpoints that `ls` shows as stale: the next pods may get their addresses. */
export const staleEndpoints: Check = {
  name: 'leftover endpoints',
  diagnose: ({ inventory }) => {
    const rows = endpointRows(known(inventory));
    const stale = rows.filter((row) => row.leftover !== undefined);
    if (stale.length === 0)
      return rows.length === 0 ? [] : [pass(`0 of ${countText(rows.length, 'endpoint')}`)];
    return stale.map((row) => {
      const subjects = [describeEndpoint(row)];
      if (row.remote)
        return warn(`leftover remote endpoint, ${row.leftover}`, {
          subjects,
          see: `win-hcn show endpoint ${shortGuid(row.id)}`,
        });
      const isOurs = row.owner === 'win-hcn';
      // Deleting endpoints of another plugin is the user's decision, after a dry run.
      const command = isOurs ? { fix: 'win-hcn gc --yes' } : { see: 'win-hcn gc --other-plugins' };
      const seen = `leftover of ${isOurs ? 'win-hcn' : 'another plugin'}, ${row.leftover}`;
      return warn(seen, { subjects, ...command });
    });
  },
};

/** Finds endpoints that HNS could not program: their pods have no network, or a partial one. */
export const endpointHealth: Check = {
  name: 'endpoint health',
  isOfPod: true,
  diagnose: (snapshot) => {
    const rows = endpointRows(known(snapshot.inventory)).filter(({ id }) => isSelected(snapshot, id));
    const degraded = rows.filter(({ health, state }) => health !== 'ok' || state === 'Degraded');
    if (degraded.length === 0) return rows.length === 0 ? [] : [pass(`0 of ${rows.length} degraded`)];
    return degraded.map((row) =>
      fail(`${row.state}, health ${row.health}: recreate the pod`, {
        subjects: [describeEndpoint(row)],
        see: `win-hcn show endpoint ${shortGuid(row.id)}`,
      }),
    );
  },
};

/** Names an endpoint by its short id, and its pod or else its container if known. */
export function describeEndpoint({ id, pod, container }: EndpointRow): string {
  if (pod !== undefined) return `${shortGuid(id)} (pod ${pod})`;
  return container === undefined
    ? shortGuid(id)
    : `${shortGuid(id)} (container ${shortContainer(container)})`;
}

/** An address of an endpoint. */
interface Assigned {
  readonly address: string;
  readonly endpoint: ObservedEndpoint;
  /** As `describeEndpoint` returns it. */
  readonly name: string;
  /** Undefined if HCN did not return it. */
  readonly network: ObservedNetwork | undefined;
  /** On which segment; undefined if that is only the network. */
  readonly segment: string | undefined;
}

/** Finds addresses of this node that a second endpoint on the same network or segment has: it receives their traffic. */
export const duplicateAddresses: Check = {
  name: 'addresses',
  isOfPod: true,
  diagnose: (snapshot) => {
    const { inventory, adapters } = snapshot;
    const assigned = assignedAddresses(known(inventory), 'value' in adapters ? adapters.value : []);
    const chosen = assigned.filter(({ endpoint }) => isSelected(snapshot, endpoint.ID));
    const shared = assigned.filter(({ address }) => chosen.some((one) => one.address === address));
    const found = [...findLocal(shared), ...findRemote(shared), ...findMacs(assigned, chosen)];
    if (found.length > 0) return found;
    if (chosen.length === 0) return [];
    const compared = chosen.length === assigned.length ? '' : `${chosen.length} of `;
    return [pass(`${compared}${assigned.length} addresses and local MAC addresses, no duplicates`)];
  },
};

function assignedAddresses(inventory: Inventory, adapters: readonly HostAdapter[]): readonly Assigned[] {
  return inventory.endpoints.flatMap((endpoint) => {
    const network = findById(inventory.networks, endpoint.HostComputeNetwork);
    const name = describeEndpoint(endpointRow(endpoint, inventory));
    return addressesIn(endpoint).map((address) => {
      const segment = network && segmentOfAddress(network, address, adapters);
      return { address, endpoint, name, network, segment };
    });
  });
}

/** Addresses that several endpoints of this node have on one segment. */
function findLocal(assigned: readonly Assigned[]): readonly Diagnosis[] {
  const groups = Map.groupBy(
    assigned.filter(({ endpoint }) => !isRemote(endpoint)),
    ({ segment, endpoint, address }) => `${segment?.toLowerCase() ?? endpoint.HostComputeNetwork} ${address}`,
  );
  return [...groups.values()]
    .filter(hasSeveral)
    .map((group) => fail(`several endpoints of this node have ${describeGroup(group)}`, seeAddress(group)));
}

/** Addresses that an endpoint of this node shares with remote endpoints of its network. */
function findRemote(assigned: readonly Assigned[]): readonly Diagnosis[] {
  const groups = Map.groupBy(
    assigned,
    ({ endpoint, address }) => `${endpoint.HostComputeNetwork} ${address}`,
  );
  return [...groups.values()]
    .filter(hasSeveral)
    .filter((group) => group.filter(({ endpoint }) => !isRemote(endpoint)).length === 1)
    .map((group) => {
      const seen = `an endpoint of this node and a remote one have ${describeGroup(group)}`;
      return warn(`${seen}: kube-proxy treats it as a pod on another node`, seeAddress(group));
    });
}

/** MAC addresses that several endpoints of this node have on one network: the virtual switch delivers to one of them. */
function findMacs(assigned: readonly Assigned[], chosen: readonly Assigned[]): readonly Diagnosis[] {
  const local = assigned.filter(({ endpoint }) => !isRemote(endpoint) && macOf(endpoint) !== undefined);
  const groups = Map.groupBy(local, ({ endpoint }) => `${endpoint.HostComputeNetwork} ${macOf(endpoint)}`);
  return [...groups.values()].flatMap((group) => {
    const endpoints = [...new Set(group.map(({ endpoint }) => endpoint))];
    const [first] = endpoints;
    if (first === undefined || endpoints.length < 2 || !group.some((one) => chosen.includes(one))) return [];
    const names = endpoints.map((one) => group.find(({ endpoint }) => endpoint === one)?.name ?? '');
    return [
      fail(`several endpoints of this node have MAC address ${macOf(first)}: ${names.join(', ')}`, {
        see: `win-hcn show endpoint ${shortGuid(first.ID)}`,
      }),
    ];
  });
}

/** Undefined if HNS does not return it. */
function macOf({ MacAddress = '' }: ObservedEndpoint): string | undefined {
  return parseUnicastMac(MacAddress);
}

function describeGroup(group: readonly [Assigned, ...Assigned[]]): string {
  const ids = group.map(({ name, network }) => `${name} on "${network?.Name}"`);
  return `${group[0].address}: ${ids.join(', ')}`;
}

function hasSeveral(group: Assigned[]): group is [Assigned, ...Assigned[]] {
  return group.length > 1;
}

function seeAddress([{ address }]: readonly [Assigned, ...Assigned[]]) {
  return { see: `win-hcn show ip ${address}` };
}
