import { hostComputeQuery } from '../../hcn/documents.ts';
import { findValue, HcnTimeout, parseAnswer, requireValue } from '../../hcn/errors.ts';
import type { Guid } from '../../hcn/guid.ts';
import { isPolicyNotFound } from '../../hcn/hresults.ts';
import type { ComputeNetworkLibrary, Kind } from '../../hcn/library.ts';
import {
  readEndpoint,
  readIds,
  readLoadBalancer,
  readNamespace,
  readNetwork,
} from '../../hcn/read-document.ts';
import type { Inventory, Unreadable } from '../../model/inventory.ts';
import { isSkipped, reasonOf } from './collector.ts';
import { redact } from './redact.ts';

/** The objects of one kind as HCN returned them, and those that could not be queried. */
export interface HcnObjects {
  readonly documents: readonly { readonly id: Guid; readonly json: string }[];
  readonly missing: readonly { readonly id: Guid; readonly error: unknown }[];
}

/** Queries every object of a kind until `hasTime` returns false; omits objects deleted meanwhile. Throws if HCN cannot list them. */
export async function queryObjects(
  library: Pick<ComputeNetworkLibrary, 'enumerate' | 'open' | 'query'>,
  kind: Kind,
  hasTime: () => boolean,
): Promise<HcnObjects> {
  const enumerate = `HcnEnumerate${kind}s`;
  const list = requireValue(await library.enumerate(kind, hostComputeQuery()), enumerate);
  const documents: { readonly id: Guid; readonly json: string }[] = [];
  const missing: { readonly id: Guid; readonly error: unknown }[] = [];
  for (const id of parseAnswer(enumerate, () => readIds(list))) {
    try {
      if (!hasTime()) throw new HcnTimeout(`HcnOpen${kind}`, 0);
      const json = await queryDocument(library, kind, id);
      if (json !== undefined) documents.push({ id, json });
    } catch (error) {
      missing.push({ id, error });
    }
  }
  return { documents, missing };
}

/** Undefined if the object no longer exists. */
async function queryDocument(
  library: Pick<ComputeNetworkLibrary, 'open' | 'query'>,
  kind: Kind,
  id: Guid,
): Promise<string | undefined> {
  const opened = await library.open(kind, id);
  if (isPolicyNotFound(opened.hresult)) return undefined;
  const handle = findValue(opened, `HcnOpen${kind} ${id}`);
  if (handle === undefined) return undefined;
  const answer = await library.query(handle, hostComputeQuery());
  return findValue(answer, `HcnQuery${kind}Properties ${id}`);
}

/** Why objects are missing; those skipped for lack of time are counted. */
export function problemsOf({ documents, missing }: HcnObjects): readonly string[] {
  const failed = missing.filter(({ error }) => !isSkipped(error));
  const skipped = missing.length - failed.length;
  const all = documents.length + missing.length;
  return [
    ...failed.map(({ error }) => reasonOf(error)),
    ...(skipped > 0 ? [`skipped ${skipped} of ${all}: time limit reached`] : []),
  ];
}

/** The inventory of all objects, without secrets, and the documents that cannot be read. Rejects if a kind cannot be listed. */
export async function readInventory(
  query: (kind: Kind) => Promise<HcnObjects>,
): Promise<{ readonly inventory: Inventory; readonly problems: readonly string[] }> {
  const unreadable: Unreadable[] = [];
  const problems: string[] = [];
  const all = async <T>(kind: Kind, read: (json: string, id: string) => T): Promise<readonly T[]> => {
    const { documents, missing } = await query(kind);
    const omit = (id: string, error: unknown) => {
      unreadable.push({ kind, id, error: error instanceof Error ? error : new Error(String(error)) });
    };
    for (const { id, error } of missing) omit(id, error);
    return documents.flatMap(({ id, json }) => {
      try {
        return [read(redact(json).text, id)];
      } catch (error) {
        omit(id, error);
        problems.push(`${kind} ${id}: ${reasonOf(error)}`);
        return [];
      }
    });
  };
  const inventory = {
    networks: await all('Network', readNetwork),
    endpoints: await all('Endpoint', readEndpoint),
    namespaces: await all('Namespace', readNamespace),
    loadBalancers: await all('LoadBalancer', readLoadBalancer),
    unreadable,
  };
  return { inventory, problems };
}
