import { hostComputeQuery } from '../../hcn/documents.ts';
import { findValue, HcnTimeout, parseAnswer, requireValue } from '../../hcn/errors.ts';
import type { Guid } from '../../hcn/guid.ts';
import { isPolicyNotFound } from '../../hcn/hresults.ts';
import type { ComputeNetworkLibrary, Kind } from '../../hcn/library.ts';
import { readIds } from '../../hcn/read-document.ts';
import { reasonOf } from './collector.ts';

/** The objects of one kind, each as HCN answered, and those that are there and could not be had. */
export interface HcnObjects {
  readonly documents: readonly { readonly id: Guid; readonly json: string }[];
  readonly missing: readonly { readonly id: Guid; readonly error: unknown }[];
}

/**
 * Asks HCN for every object of a kind while there is time; one that is deleted meanwhile is left out. Throws where HCN does not even
 * list them.
 */
export async function findObjects(
  library: Pick<ComputeNetworkLibrary, 'enumerate' | 'open' | 'query'>,
  kind: Kind,
  hasTime: () => boolean,
): Promise<HcnObjects> {
  const doing = `HcnEnumerate${kind}s`;
  const list = requireValue(await library.enumerate(kind, hostComputeQuery()), doing);
  const documents: { readonly id: Guid; readonly json: string }[] = [];
  const missing: { readonly id: Guid; readonly error: unknown }[] = [];
  for (const id of parseAnswer(doing, () => readIds(list))) {
    try {
      if (!hasTime()) throw new HcnTimeout(`HcnOpen${kind}`, 0);
      const json = await findDocument(library, kind, id);
      if (json !== undefined) documents.push({ id, json });
    } catch (error) {
      missing.push({ id, error });
    }
  }
  return { documents, missing };
}

/** Why objects are missing; those there was no time for are counted. */
export function problemsOf({ documents, missing }: HcnObjects): readonly string[] {
  const unasked = missing.filter(({ error }) => error instanceof HcnTimeout && !error.tried).length;
  const asked = missing.filter(({ error }) => !(error instanceof HcnTimeout && !error.tried));
  const all = documents.length + missing.length;
  return [
    ...asked.map(({ error }) => reasonOf(error)),
    ...(unasked > 0 ? [`no time was left for ${unasked} of ${all}`] : []),
  ];
}

async function findDocument(
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
