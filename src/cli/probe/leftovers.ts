import type { Guid, Kind, NamespaceId } from '../../hcn/guid.ts';
import { describeHresult, isFailure } from '../../hcn/hresults.ts';
import { describeObject } from '../../hcn/open-objects.ts';
import type { Inventory } from '../../model/inventory.ts';
import { isHostNamespace } from '../../model/ownership.ts';
import { attachedTo } from '../../model/readiness.ts';
import { idIn, isAbsent, isSame, memberRequest } from './documents.ts';
import type { HcnCalls, OpenObject } from './hcn-calls.ts';
import { isProbeId, isProbeName } from './names.ts';

/** An object that a probe created. */
export interface Leftover {
  readonly kind: Kind;
  readonly id: Guid;
  /** The namespace of an attached endpoint. */
  readonly namespace?: NamespaceId | undefined;
  /** Whether a network uses an adapter. */
  readonly isExternal?: boolean;
}

/**
 * The objects of probes, in the order to delete them: networks and endpoints by their names, endpoints by their network too, namespaces
 * by their ID or by their endpoints, because HNS may have chosen another ID. A namespace that HNS gave its own ID and that has no
 * endpoint is not recognized.
 */
export function findLeftovers(inventory: Pick<Inventory, 'networks' | 'endpoints' | 'namespaces'>) {
  const networks = inventory.networks.filter(({ ID, Name }) => isProbeId(ID) || isProbeName(Name));
  const networkIds = new Set<string>(networks.map(({ ID }) => ID));
  const endpoints = inventory.endpoints.filter(
    ({ ID, Name, HostComputeNetwork }) =>
      isProbeId(ID) || isProbeName(Name) || networkIds.has(HostComputeNetwork),
  );
  const own = new Set<string>(endpoints.map(({ ID }) => ID));
  const namespaces = inventory.namespaces.filter((namespace) => {
    const { ID = '', Resources = [] } = namespace;
    const hasOnlyOwn =
      Resources.length > 0 &&
      Resources.every(({ Type, Data }) => Type === 'Endpoint' && own.has(Data.Id ?? ''));
    return !isHostNamespace(namespace) && (isProbeId(ID) || hasOnlyOwn);
  });
  const leftovers: readonly Leftover[] = [
    ...endpoints.map((one) => ({ kind: 'Endpoint', id: one.ID, namespace: attachedTo(one) }) as const),
    ...namespaces.map(({ ID = '' }) => ({ kind: 'Namespace', id: ID }) as const),
    ...networks.map(
      ({ ID, Type }) => ({ kind: 'Network', id: ID, isExternal: !isSame(Type, 'Private') }) as const,
    ),
  ];
  return leftovers;
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
  if (!isFailure(answer.hresult) || isAbsent(answer)) return undefined;
  return `${describeObject(kind, id)}: HCN returned ${describeHresult(answer.hresult)}`;
}

/**
 * Deletes what an experiment created, the newest first. Never rejects: what could not be deleted is a leftover that the end of the run
 * deletes. Returns whether no network remains.
 */
export async function removeObjects(
  objects: readonly OpenObject[],
  hcn: HcnCalls,
  wait: (milliseconds: number) => Promise<void>,
): Promise<boolean> {
  const remove = async (object: OpenObject): Promise<boolean> => {
    // HNS may have chosen another ID, and may have forgotten the handle.
    const { value: document = {} } = await hcn.query(object);
    await hcn.close(object);
    const { kind } = object;
    for (let retry = 0; ; retry += 1) {
      const problem = await removeLeftover({ kind, id: idIn(document) ?? object.id }, hcn);
      if (problem === undefined || kind !== 'Network' || retry === 4) return problem === undefined;
      // HNS may still have the endpoints that were just deleted.
      await wait(500);
    }
  };
  let isDeleted = true;
  for (const object of objects.toReversed()) {
    const isGone = await remove(object).catch(() => false);
    isDeleted &&= isGone || object.kind !== 'Network';
  }
  return isDeleted;
}
