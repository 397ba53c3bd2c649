import type { ObservedLoadBalancer } from '../../hcn/documents.ts';
import { HcnTimeout } from '../../hcn/errors.ts';
import type { Guid, NamespaceId } from '../../hcn/guid.ts';
import { describeHresult, isFailure } from '../../hcn/hresults.ts';
import type { Kind } from '../../hcn/library.ts';
import { describeObject } from '../../hcn/open-objects.ts';
import type { JsonObject } from '../../json/members.ts';
import type { Inventory } from '../../model/inventory.ts';
import { isHostNamespace } from '../../model/ownership.ts';
import { attachedTo } from '../../model/readiness.ts';
import { granted, isAbsent, isGone, memberRequest, zeroGuid } from './fixtures.ts';
import { type Equipment, type Item, type Laboratory, newLaboratory } from './laboratory.ts';
import { isProbeFrontend, isProbeId, isProbeName } from './names.ts';
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
      .map(({ id }): Leftover => ({ kind, id }));
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
    ...networks.map(({ ID }): Leftover => ({ kind: 'Network', id: ID })),
    ...unread('Network'),
  ];
}

/** Detaches and deletes an object. Returns why it could not be deleted; undefined if it is gone. */
export async function removeLeftover(
  { kind, id, namespace }: Leftover,
  laboratory: Laboratory,
): Promise<string | undefined> {
  if (namespace !== undefined) await detach(id, namespace, laboratory);
  const answer = await laboratory.delete(kind, id);
  const { hresult } = answer;
  return !isFailure(hresult) || isAbsent(answer)
    ? undefined
    : `${describeObject(kind, id)}: HCN returned ${describeHresult(hresult)}`;
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
  const answer = await laboratory.query(item);
  await laboratory.close(item);
  if (isGone(answer)) return undefined;
  return answer.value === undefined ? reopened(item, laboratory) : described(item, answer.value);
}

/** The same through a new handle, because a handle of an HNS that has been restarted is invalid. Throws if HCN returns no document. */
async function reopened(item: Item, laboratory: Laboratory): Promise<Leftover | undefined> {
  const opened = await laboratory.open(item.kind, item.id);
  if (isAbsent(opened)) return undefined;
  const again = granted(opened, `opening ${describeObject(item.kind, item.id)}`);
  const answer = await laboratory.query(again);
  await laboratory.close(again);
  return described(item, granted(answer, `querying ${describeObject(item.kind, item.id)}`));
}

function described({ kind, id }: Item, { ID, HostComputeNamespace = zeroGuid }: JsonObject): Leftover {
  const namespace = String(HostComputeNamespace).toLowerCase();
  return {
    kind,
    id: typeof ID === 'string' ? ID.toLowerCase() : id,
    ...(namespace !== zeroGuid && { namespace }),
  };
}

/**
 * Deletes what an experiment created, the newest first. Never rejects: what cannot be deleted now is a leftover, which the end of the
 * run deletes. After a timeout, all that remains is.
 */
export async function removeItems(items: readonly Item[], equipment: Equipment): Promise<void> {
  const laboratory = newCleaner(equipment);
  for (const item of items.toReversed()) {
    try {
      const leftover = await leftoverOf(item, laboratory);
      if (leftover !== undefined) await removeLeftover(leftover, laboratory);
    } catch (error) {
      if (error instanceof HcnTimeout) return;
    }
  }
}

/** A laboratory that records nothing and creates nothing. */
export function newCleaner(equipment: Equipment): Laboratory {
  const ignore = () => undefined;
  const base = () => Promise.reject(new NotTried('the experiments have ended'));
  return newLaboratory(equipment, { base, record: ignore, keep: ignore });
}
