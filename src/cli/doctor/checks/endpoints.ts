import { addressesIn, type ObservedEndpoint } from '../../../hcn/documents.ts';
import { findById } from '../../../model/inventory.ts';
import { isRemote } from '../../../model/ownership.ts';
import { isAttached } from '../../../model/readiness.ts';
import { parseUnicastMac } from '../../../net/mac.ts';
import { segmentOfAddress } from '../../../plan/segments.ts';
import { endpointRow, endpointRows } from '../../inventory/endpoint-row.ts';
import { countText, shortGuid } from '../../terminal/short-text.ts';
import { type Check, fail, isSelected, known, orPass, unknown, warn } from '../finding.ts';
import { describeEndpoint, showEndpoint } from '../pod-endpoints.ts';
import type { Snapshot } from '../snapshot.ts';

/** Finds leftovers, the endpoints that `ls` shows as stale: the next pods may get their addresses. */
export const staleEndpoints: Check = {
  name: 'leftover endpoints',
  diagnose: ({ inventory }) => {
    // kube-proxy keeps a remote endpoint without a load balancer if the service has a local traffic policy.
    const rows = endpointRows(known(inventory)).filter(({ remote }) => !remote);
    const judged = rows.filter(({ owner }) => owner !== 'unknown');
    const stale = judged.filter(({ leftover }) => leftover !== undefined);
    const idle = rows.filter((row) => row.owner === 'unknown' && row.namespace === undefined);
    const uncertain = idle
      .filter(({ state }) => ['Created', 'Detached', 'Destroyed'].includes(state))
      .map((row) => unknown('in no namespace; who created it is unknown', showEndpoint(row)));
    const found = stale.map((row) => {
      const subjects = [describeEndpoint(row)];
      if (row.owner === 'win-hcn')
        return warn(`leftover of win-hcn, ${row.leftover}`, { subjects, fix: 'win-hcn gc --yes' });
      // Deleting endpoints of another plugin is the user's decision, after a dry run.
      const see = 'win-hcn gc --other-plugins';
      return warn(`leftover of another plugin, ${row.leftover}`, { subjects, see });
    });
    if (judged.length === 0) return uncertain;
    return [...orPass(found, `0 of ${countText(judged.length, 'local endpoint')}`), ...uncertain];
  },
};

/** Finds endpoints that HNS could not program: their pods have no network, or a partial one. */
export const endpointHealth: Check = {
  name: 'endpoint health',
  isOfPod: true,
  diagnose: (snapshot) => {
    const rows = endpointRows(known(snapshot.inventory)).filter(({ id }) => isSelected(snapshot, id));
    if (rows.length === 0) return [];
    const degraded = rows.filter(({ health, state }) => health !== 'ok' || state === 'Degraded');
    const found = degraded.map((row) =>
      fail(`${row.state}, health ${row.health}: recreate the pod`, showEndpoint(row)),
    );
    return orPass(found, `0 of ${rows.length} degraded`);
  },
};

/** Finds addresses of this node that a second endpoint on the same network or segment has: it receives their traffic. */
export const duplicateAddresses: Check = {
  name: 'addresses',
  isOfPod: true,
  diagnose: (snapshot) => {
    const assigned = assignedAddresses(snapshot);
    const chosen = assigned.filter(({ endpoint }) => isSelected(snapshot, endpoint.ID));
    if (chosen.length === 0) return [];
    const groupsBy = (keyOf: (one: Assigned) => string | undefined) =>
      groupsOfSeveral(assigned, keyOf).filter((group) => group.some((one) => chosen.includes(one)));
    const found = [
      ...groupsBy((one) => (one.isRemote ? undefined : `${one.segment} ${one.address}`)).map((group) =>
        fail(`several endpoints of this node have ${group[0].address}${namesIn(group)}`, seeAddress(group)),
      ),
      ...groupsBy((one) => `${one.endpoint.HostComputeNetwork} ${one.address}`)
        .filter((group) => group.filter((one) => !one.isRemote).length === 1)
        .map((group) =>
          warn(
            `an endpoint of this node and a remote one have ${group[0].address}${namesIn(group)}: kube-proxy treats it as a pod on another node`,
            seeAddress(group),
          ),
        ),
      // The virtual switch delivers to one of them.
      ...groupsBy(({ endpoint, isRemote, mac }) =>
        isRemote || mac === undefined ? undefined : `${endpoint.HostComputeNetwork} ${mac}`,
      ).map((group) =>
        fail(`several endpoints of this node have MAC address ${group[0].mac}${namesIn(group)}`, {
          see: `win-hcn show endpoint ${shortGuid(group[0].endpoint.ID)}`,
        }),
      ),
    ];
    const compared = chosen.length === assigned.length ? '' : `${chosen.length} of `;
    return orPass(found, `${compared}${assigned.length} addresses and local MAC addresses, no duplicates`);
  },
};

/** An address of an endpoint. */
interface Assigned {
  readonly address: string;
  readonly endpoint: ObservedEndpoint;
  readonly isRemote: boolean;
  /** As in `944e0fbf (pod shop/web) on "pods"`. */
  readonly name: string;
  /** On which segment; the id of the network if that is all. */
  readonly segment: string;
  /** Undefined if HNS does not return it, or no pod uses the endpoint. */
  readonly mac: string | undefined;
}

function assignedAddresses({ inventory: objects, adapters }: Snapshot): readonly Assigned[] {
  const inventory = known(objects);
  return inventory.endpoints.flatMap((endpoint) => {
    const { HostComputeNetwork, MacAddress = '' } = endpoint;
    const network = findById(inventory.networks, HostComputeNetwork);
    const row = endpointRow(endpoint, inventory);
    return addressesIn(endpoint).map((address) => {
      const segment =
        network && segmentOfAddress(network, address, 'value' in adapters ? adapters.value : []);
      return {
        address,
        endpoint,
        isRemote: isRemote(endpoint),
        name: `${describeEndpoint(row)} on "${row.network}"`,
        segment: segment?.toLowerCase() ?? HostComputeNetwork,
        mac: isAttached(endpoint) ? parseUnicastMac(MacAddress) : undefined,
      };
    });
  });
}

type Group = readonly [Assigned, ...Assigned[]];

/** The addresses with the same key, one of each endpoint, if several endpoints have some. */
function groupsOfSeveral(
  assigned: readonly Assigned[],
  keyOf: (one: Assigned) => string | undefined,
): readonly Group[] {
  const groups = Map.groupBy(assigned, keyOf);
  groups.delete(undefined);
  return [...groups.values()].flatMap((group): readonly Group[] => {
    const [first, ...others] = new Map(group.map((one) => [one.endpoint, one])).values();
    return first === undefined || others.length === 0 ? [] : [[first, ...others]];
  });
}

function namesIn(group: Group): string {
  return `: ${group.map(({ name }) => name).join(', ')}`;
}

function seeAddress([{ address }]: Group) {
  return { see: `win-hcn show ip ${address}` };
}
