import type { Guid, NamespaceId } from '../../hcn/guid.ts';
import { describeHresult, isFailure, isNotFound, isPolicyNotFound, isUnloaded } from '../../hcn/hresults.ts';
import type { Kind } from '../../hcn/library.ts';
import { describeObject } from '../../hcn/open-objects.ts';
import type { Inventory } from '../../model/inventory.ts';
import { attachedTo } from '../../model/readiness.ts';
import { memberRequest, zeroGuid } from './fixtures.ts';
import { type Equipment, type Item, type Laboratory, newLaboratory } from './laboratory.ts';
import { isProbeAddress, isProbeId, isProbeName } from './names.ts';
import { NotTried } from './row.ts';

/** An object that a probe created. */
export interface Leftover {
  readonly kind: Kind;
  readonly id: Guid;
  /** The namespace of an attached endpoint. */
  readonly namespace?: NamespaceId;
}

/**
 * The objects of probes, in the order to delete them: networks and endpoints by their names, endpoints by their network too, others by
 * their id or by what they refer to, because HNS may have chosen another id. A namespace that HNS gave its own id and that has no
 * endpoint yet is not recognized.
 */
export function findLeftovers(inventory: Inventory): readonly Leftover[] {
  const networks = inventory.networks.filter(({ ID, Name }) => isProbeId(ID) || isProbeName(Name));
  const networkIds = new Set<string>(networks.map(({ ID }) => ID));
  const endpoints = inventory.endpoints.filter(
    ({ ID, Name, HostComputeNetwork }) =>
      isProbeId(ID) || isProbeName(Name) || networkIds.has(HostComputeNetwork),
  );
  const own = new Set<string>(endpoints.map(({ ID }) => ID));
  const existing = new Set<string>(inventory.endpoints.map(({ ID }) => ID));
  const loadBalancers = inventory.loadBalancers.filter(({ ID, HostComputeEndpoints, FrontendVIPs = [] }) => {
    const isAbandoned = !HostComputeEndpoints.some((id) => existing.has(id));
    const isOnProbeAddress = FrontendVIPs.length > 0 && FrontendVIPs.every(isProbeAddress);
    return (
      isProbeId(ID) || HostComputeEndpoints.some((id) => own.has(id)) || (isAbandoned && isOnProbeAddress)
    );
  });
  const namespaces = inventory.namespaces.filter(({ ID = '', Resources = [] }) => {
    const members = Resources.flatMap(({ Type, Data }) => (Type === 'Endpoint' ? [Data.Id ?? ''] : []));
    const isOwn =
      members.length > 0 && members.length === Resources.length && members.every((id) => own.has(id));
    return isProbeId(ID) || isOwn;
  });
  return [
    ...loadBalancers.map(({ ID }): Leftover => ({ kind: 'LoadBalancer', id: ID })),
    ...endpoints.map((endpoint): Leftover => {
      const namespace = attachedTo(endpoint);
      return { kind: 'Endpoint', id: endpoint.ID, ...(namespace !== undefined && { namespace }) };
    }),
    ...namespaces.map(({ ID = '' }): Leftover => ({ kind: 'Namespace', id: ID })),
    ...networks.map(({ ID }): Leftover => ({ kind: 'Network', id: ID })),
  ];
}

/** Detaches and deletes an object. Returns why it could not be deleted; undefined if it is gone. */
export async function removeLeftover(
  { kind, id, namespace }: Leftover,
  laboratory: Laboratory,
): Promise<string | undefined> {
  if (namespace !== undefined) await detach(id, namespace, laboratory);
  const { hresult } = await laboratory.delete(kind, id);
  const isGone = !isFailure(hresult) || isNotFound(hresult) || isPolicyNotFound(hresult);
  return isGone ? undefined : `${describeObject(kind, id)}: HCN returned ${describeHresult(hresult)}`;
}

/** A refusal is ignored: HNS may have detached the endpoint, and the deletion then shows it. */
async function detach(id: Guid, namespace: NamespaceId, laboratory: Laboratory): Promise<void> {
  const { value } = await laboratory.open('Namespace', namespace);
  if (value === undefined) return;
  await laboratory.modify(value, memberRequest('Remove', id));
  await laboratory.close(value);
}

/** What an experiment created, as a leftover with the ID that HNS gave it; undefined if it is gone. Closes it. */
async function leftoverOf(item: Item, laboratory: Laboratory): Promise<Leftover | undefined> {
  const { hresult, value = {} } = await laboratory.query(item);
  await laboratory.close(item);
  if (isNotFound(hresult) || isUnloaded(hresult) || isPolicyNotFound(hresult)) return undefined;
  const { ID, HostComputeNamespace = zeroGuid } = value;
  const id = typeof ID === 'string' ? ID.toLowerCase() : item.id;
  const namespace = String(HostComputeNamespace).toLowerCase();
  return { kind: item.kind, id, ...(namespace !== zeroGuid && { namespace }) };
}

/**
 * Deletes what an experiment created, the newest first. Never rejects: what cannot be deleted now is a leftover, which the end of the
 * run deletes.
 */
export async function removeItems(
  items: readonly Item[],
  equipment: Omit<Equipment, 'base' | 'record' | 'keep'>,
): Promise<void> {
  const laboratory = newCleaner(equipment);
  for (const item of items.toReversed()) {
    try {
      const leftover = await leftoverOf(item, laboratory);
      if (leftover !== undefined) await removeLeftover(leftover, laboratory);
    } catch {
      return;
    }
  }
}

/** A laboratory that records nothing and creates nothing. */
export function newCleaner(equipment: Omit<Equipment, 'base' | 'record' | 'keep'>): Laboratory {
  const ignore = () => undefined;
  const base = () => Promise.reject(new NotTried('the experiments have ended'));
  return newLaboratory({ ...equipment, base, record: ignore, keep: ignore });
}
