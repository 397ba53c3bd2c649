import type { ObservedLoadBalancer } from '../../hcn/documents.ts';
import type { Guid, Kind, NamespaceId } from '../../hcn/guid.ts';
import { describeHresult, isFailure } from '../../hcn/hresults.ts';
import type { ComputeNetworkLibrary } from '../../hcn/library.ts';
import { describeObject } from '../../hcn/open-objects.ts';
import type { Inventory } from '../../model/inventory.ts';
import { boundAdapter } from '../../model/network-document.ts';
import { isHostNamespace } from '../../model/ownership.ts';
import { attachedTo } from '../../model/readiness.ts';
import { idIn, isAbsent, memberRequest, zeroGuid } from './documents.ts';
import { type HcnCalls, newHcnCalls, type OpenObject } from './hcn-calls.ts';
import { isProbeFrontend, isProbeId, isProbeName } from './names.ts';

/** An object that a probe created. */
export interface Leftover {
  readonly kind: Kind;
  readonly id: Guid;
  /** The namespace of an attached endpoint. */
  readonly namespace?: NamespaceId;
  /** The adapter that a network may use; empty if HNS does not show it. */
  readonly adapter?: string;
}

/** Types of networks without an adapter. */
const internalTypes = ['private', 'nat', 'internal'];

/**
 * The objects of probes, in the order to delete them: networks and endpoints by their names, endpoints by their network too, others by
 * their ID or by what they refer to, because HNS may have chosen another ID. An object that could not be read is one by its ID only. A
 * namespace that HNS gave its own ID and that has no endpoint is not recognized.
 */
export function findLeftovers(inventory: Inventory): readonly Leftover[] {
  const { unreadable = [] } = inventory;
  const networks = inventory.networks.filter(({ ID, Name }) => isProbeId(ID) || isProbeName(Name));
  const networkIds = new Set<string>(networks.map(({ ID }) => ID));
  const endpoints = inventory.endpoints.filter(
    ({ ID, Name, HostComputeNetwork }) =>
      isProbeId(ID) || isProbeName(Name) || networkIds.has(HostComputeNetwork),
  );
  const own = new Set<string>(endpoints.map(({ ID }) => ID));
  const ofOwn = (ids: readonly string[]) => ids.length > 0 && ids.every((id) => own.has(id));
  const existing = new Set<string>(inventory.endpoints.map(({ ID }) => ID));
  const isAbandoned = ({ HostComputeEndpoints, FrontendVIPs = [] }: ObservedLoadBalancer) =>
    unreadable.length === 0 &&
    !HostComputeEndpoints.some((id) => existing.has(id)) &&
    FrontendVIPs.length > 0 &&
    FrontendVIPs.every(isProbeFrontend);
  const loadBalancers = inventory.loadBalancers.filter(
    (one) => isProbeId(one.ID) || ofOwn(one.HostComputeEndpoints) || isAbandoned(one),
  );
  const namespaces = inventory.namespaces.filter((namespace) => {
    const { ID = '', Resources = [] } = namespace;
    const members = Resources.map(({ Type, Data }) => (Type === 'Endpoint' ? (Data.Id ?? '') : ''));
    return !isHostNamespace(namespace) && (isProbeId(ID) || ofOwn(members));
  });
  const unread = (kind: Kind) =>
    unreadable
      .filter((one) => one.kind === kind && isProbeId(one.id))
      .map(({ id }): Leftover => ({ kind, id, ...(kind === 'Network' && { adapter: '' }) }));
  return [
    ...loadBalancers.map(({ ID }): Leftover => ({ kind: 'LoadBalancer', id: ID })),
    ...unread('LoadBalancer'),
    ...endpoints.map((endpoint): Leftover => {
      const namespace = attachedTo(endpoint);
      return { kind: 'Endpoint', id: endpoint.ID, ...(namespace !== undefined && { namespace }) };
    }),
    ...unread('Endpoint'),
    ...namespaces.map(({ ID = '' }): Leftover => ({ kind: 'Namespace', id: ID })),
    ...unread('Namespace'),
    ...networks.map((network): Leftover => {
      const { ID, Type } = network;
      const adapter = internalTypes.includes(Type.toLowerCase())
        ? {}
        : { adapter: boundAdapter(network) ?? '' };
      return { kind: 'Network', id: ID, ...adapter };
    }),
    ...unread('Network'),
  ];
}

/** An inventory without leftovers. */
export function without(inventory: Inventory, leftovers: readonly Leftover[]): Inventory {
  const ids = new Set<string>(leftovers.map(({ id }) => id));
  const isOther = ({ ID }: { readonly ID: string }) => !ids.has(ID);
  const { networks, endpoints, unreadable = [] } = inventory;
  return {
    ...inventory,
    networks: networks.filter(isOther),
    endpoints: endpoints.filter(isOther),
    unreadable: unreadable.filter(({ id }) => !ids.has(id)),
  };
}

/** Detaches and deletes an object. Returns why it could not be deleted; undefined if it is gone. */
export async function removeLeftover(
  { kind, id, namespace }: Leftover,
  hcn: HcnCalls,
): Promise<string | undefined> {
  if (namespace !== undefined) {
    const { value } = await hcn.open('Namespace', namespace);
    // A refusal is ignored: HNS may have detached the endpoint, and the deletion then shows it.
    if (value !== undefined) {
      await hcn.modify(value, memberRequest('Remove', id));
      await hcn.close(value);
    }
  }
  const answer = await hcn.delete(kind, id);
  const { hresult } = answer;
  return !isFailure(hresult) || isAbsent(answer)
    ? undefined
    : `${describeObject(kind, id)}: HCN returned ${describeHresult(hresult)}`;
}

/**
 * Deletes what an experiment created, the newest first. Never rejects: what could not be deleted is a leftover that the end of the run
 * deletes. Returns whether no network remains.
 */
export async function removeObjects(
  objects: readonly OpenObject[],
  {
    library,
    wait,
  }: { readonly library: ComputeNetworkLibrary; readonly wait: (milliseconds: number) => Promise<void> },
): Promise<boolean> {
  const hcn = newHcnCalls(library);
  let isDeleted = true;
  for (const object of objects.toReversed()) {
    const { kind } = object;
    try {
      // HNS may have chosen another ID, and may have forgotten the handle.
      const { value: document = {} } = await hcn.query(object);
      await hcn.close(object);
      const namespace = String(document['HostComputeNamespace'] ?? zeroGuid).toLowerCase();
      const id = idIn(document) ?? object.id;
      const leftover = { kind, id, ...(namespace !== zeroGuid && { namespace }) };
      let problem = await removeLeftover(leftover, hcn);
      // HNS may still have the endpoints that were just deleted.
      for (let retry = 0; retry < 4 && problem !== undefined && kind === 'Network'; retry += 1) {
        await wait(500);
        problem = await removeLeftover(leftover, hcn);
      }
      isDeleted &&= problem === undefined || kind !== 'Network';
    } catch {
      isDeleted &&= kind !== 'Network';
    }
  }
  return isDeleted;
}
