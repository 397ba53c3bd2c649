import { isJson } from '../../cni/text.ts';
import { hostComputeQuery } from '../../hcn/documents.ts';
import { findValue, HcnTimeout, parseResponse, requireValue } from '../../hcn/errors.ts';
import type { Guid, Kind } from '../../hcn/guid.ts';
import { isPolicyNotFound } from '../../hcn/hresults.ts';
import type { ComputeNetworkLibrary } from '../../hcn/library.ts';
import {
  readEndpoint,
  readIds,
  readLoadBalancer,
  readNamespace,
  readNetwork,
} from '../../hcn/read-document.ts';
import type { Inventory, Unreadable } from '../../model/inventory.ts';
import { newNameReader } from '../inventory/name-reader.ts';
import { listView } from '../ls.ts';
import type { Format } from '../terminal/output.ts';
import { plain, type Session } from '../terminal/session.ts';
import { type Collector, collectEach, isSkipped, reasonOf, textFile } from './collector.ts';
import { redact } from './redact.ts';

/** The time limit for querying the objects of one kind. */
const secondsForKind = 60;
/** Longer than that, so that a call that times out is reported by its name. */
const seconds = 120;

/** The objects of HCN, each queried once, and their older HNS documents. */
export function hcnCollectors(session: Session, library: ComputeNetworkLibrary): readonly Collector[] {
  const { now } = session.system;
  const queried = new Map<Kind, Promise<HcnObjects>>();
  const query = (kind: Kind): Promise<HcnObjects> => {
    const until = now() + secondsForKind * 1000;
    const objects = queried.get(kind) ?? queryObjects(library, kind, () => now() < until);
    queried.set(kind, objects);
    return objects;
  };
  const documents = (kind: Kind, name: string): Collector => ({
    name,
    about: `${name} as HCN returned them`,
    seconds,
    collect: async () => {
      const found = await query(kind);
      const path = `hcn/${name.replaceAll(' ', '-')}.json`;
      const list = jsonList(found.documents.map(({ json }) => json));
      return { files: [textFile(path, list)], problems: problemsOf(found) };
    },
  });
  const hnsCall = async (path: string): Promise<string> =>
    requireValue(await library.hnsCall('GET', path, ''), `HNSCall GET ${path}`);
  return [
    documents('Network', 'networks'),
    documents('Endpoint', 'endpoints'),
    documents('Namespace', 'namespaces'),
    documents('LoadBalancer', 'load balancers'),
    {
      name: 'ls',
      about: 'the output of win-hcn ls --remote, with -o wide and -o json',
      seconds,
      collect: async () => {
        const { inventory, problems } = await readInventory(query);
        const named = newNameReader(session)(inventory);
        const listed = (output: Format) =>
          listView(named, undefined, { remote: true, output }).text?.(plain(session)) ?? '';
        const files = [textFile('ls.txt', listed('wide')), textFile('ls.json', listed('json'))];
        return { files, problems };
      },
    },
    {
      name: 'HNS version',
      about: "the version of the Host Network Service; 13.3 is Windows Server 2022's",
      seconds,
      collect: async () => ({ files: [textFile('hns/version.json', await hnsCall('/globals/version'))] }),
    },
    {
      name: 'HNS documents',
      about: "HNS's older documents of the same objects, with members that HCN's lack, such as ManagementIP",
      seconds,
      collect: () =>
        collectEach(['networks', 'endpoints', 'policylists'], async (kind) =>
          textFile(`hns/${kind}.json`, await hnsCall(`/${kind}`)),
        ),
    },
  ];
}

/** One document per line; one that is not JSON becomes a string. */
function jsonList(documents: readonly string[]): string {
  return `[\n${documents.map((json) => (isJson(json) ? json : JSON.stringify(json))).join(',\n')}\n]`;
}

/** The objects of one kind as HCN returned them, and those that could not be queried. */
export interface HcnObjects {
  readonly documents: readonly { readonly id: Guid; readonly json: string }[];
  readonly missing: readonly { readonly id: Guid; readonly error: unknown }[];
}

/** Queries every object of a kind until `hasTime` returns false; omits objects deleted since. Throws if HCN cannot list them. */
export async function queryObjects(
  library: Pick<ComputeNetworkLibrary, 'enumerate' | 'open' | 'query'>,
  kind: Kind,
  hasTime: () => boolean,
): Promise<HcnObjects> {
  const enumerate = `HcnEnumerate${kind}s`;
  const list = requireValue(await library.enumerate(kind, hostComputeQuery()), enumerate);
  const documents: { readonly id: Guid; readonly json: string }[] = [];
  const missing: { readonly id: Guid; readonly error: unknown }[] = [];
  for (const id of parseResponse(enumerate, () => readIds(list))) {
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
  const response = await library.query(handle, hostComputeQuery());
  return findValue(response, `HcnQuery${kind}Properties ${id}`);
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
  const all = async <T>(kind: Kind, read: (json: string) => T): Promise<readonly T[]> => {
    const { documents, missing } = await query(kind);
    const omit = (id: string, error: unknown) => {
      unreadable.push({ kind, id, error: error instanceof Error ? error : new Error(String(error)) });
    };
    for (const { id, error } of missing) omit(id, error);
    return documents.flatMap(({ id, json }) => {
      try {
        return [read(redact(json).text)];
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
