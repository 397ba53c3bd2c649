import { isJson } from '../../cni/text.ts';
import { requireValue } from '../../hcn/errors.ts';
import type { ComputeNetworkLibrary, Kind } from '../../hcn/library.ts';
import { snapshotOf } from '../graph/graph-data.ts';
import { graphPage } from '../graph/graph-page.ts';
import { listView } from '../ls.ts';
import type { Format } from '../output.ts';
import { plain, type Session } from '../session.ts';
import { type Collector, collectEach, textFile } from './collector.ts';
import { type HcnObjects, problemsOf, queryObjects, readInventory } from './hcn-objects.ts';

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
  let reading: ReturnType<typeof readInventory> | undefined;
  const inventoryOnce = () => {
    reading ??= readInventory(query);
    return reading;
  };
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
        const { inventory, problems } = await inventoryOnce();
        const listed = (output: Format) =>
          listView(inventory, undefined, { remote: true, output }).text?.(plain(session)) ?? '';
        const files = [textFile('ls.txt', listed('wide')), textFile('ls.json', listed('json'))];
        return { files, problems };
      },
    },
    {
      name: 'graph',
      about: 'the output of win-hcn graph, for a browser',
      seconds,
      collect: async () => {
        const { inventory } = await inventoryOnce();
        return { files: [textFile('graph.html', graphPage(inventory, snapshotOf(session.system)))] };
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
