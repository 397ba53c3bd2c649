import { isJson } from '../../cni/text.ts';
import { requireValue } from '../../hcn/errors.ts';
import type { ComputeNetworkLibrary, Kind } from '../../hcn/library.ts';
import { snapshotOf } from '../graph/graph-data.ts';
import { graphPage } from '../graph/graph-page.ts';
import { listView } from '../ls/list-view.ts';
import type { Format } from '../output.ts';
import { plain, type Session } from '../session.ts';
import { type BundleFile, type Collected, type Collector, reasonOf, textFile } from './collector.ts';
import { findObjects, type HcnObjects, problemsOf } from './hcn-objects.ts';
import { inventoryOf } from './inventory-of.ts';

/** How long objects of one kind are asked for. */
const secondsForKind = 60;
/** Longer, with a call that is late, so that it can be said which one that was. */
const seconds = 120;

/** What HCN and HNS say, each object asked for once. */
export function hcnCollectors(session: Session, library: ComputeNetworkLibrary): readonly Collector[] {
  const { now } = session.system;
  const asked = new Map<Kind, Promise<HcnObjects>>();
  const find = (kind: Kind): Promise<HcnObjects> => {
    const until = now() + secondsForKind * 1000;
    const known = asked.get(kind) ?? findObjects(library, kind, () => now() < until);
    asked.set(kind, known);
    return known;
  };
  const objects = (kind: Kind, name: string): Collector => ({
    name,
    about: `${name}, each as HCN answered`,
    seconds,
    collect: async () => {
      const found = await find(kind);
      const path = `hcn/${name.replaceAll(' ', '-')}.json`;
      const list = jsonList(found.documents.map(({ json }) => json));
      return { files: [textFile(path, list)], problems: problemsOf(found) };
    },
  });
  let taking: ReturnType<typeof inventoryOf> | undefined;
  const takeInventory = () => {
    taking ??= inventoryOf(find);
    return taking;
  };
  const hnsCall = async (path: string): Promise<string> =>
    requireValue(await library.hnsCall('GET', path, ''), `HNSCall GET ${path}`);
  return [
    objects('Network', 'networks'),
    objects('Endpoint', 'endpoints'),
    objects('Namespace', 'namespaces'),
    objects('LoadBalancer', 'load balancers'),
    {
      name: 'ls',
      about: 'the same objects as win-hcn ls --remote lists them, with -o wide and -o json',
      seconds,
      collect: async () => {
        const { inventory, problems } = await takeInventory();
        const listed = (output: Format) =>
          listView(inventory, undefined, { remote: true, output }).text?.(plain(session)) ?? '';
        const files = [textFile('ls.txt', listed('wide')), textFile('ls.json', listed('json'))];
        return { files, problems };
      },
    },
    {
      name: 'graph',
      about: 'the same objects as a picture, for any browser',
      seconds,
      collect: async () => {
        const { inventory } = await takeInventory();
        return { files: [textFile('graph.html', graphPage(inventory, snapshotOf(session.system)))] };
      },
    },
    {
      name: 'HNS version',
      about:
        "the version of the Host Network Service, which tells what it can do: 13.3 is Windows Server 2022's",
      seconds,
      collect: async () => ({ files: [textFile('hns/version.json', await hnsCall('/globals/version'))] }),
    },
    {
      name: 'older documents',
      about: "HNS's older documents of the same objects, with members that HCN's lack, such as ManagementIP",
      seconds,
      collect: () =>
        eachOf(['networks', 'endpoints', 'policylists'], async (kind) =>
          textFile(`hns/${kind}.json`, await hnsCall(`/${kind}`)),
        ),
    },
  ];
}

/** A file of each name, or what kept it from being one. */
async function eachOf(
  names: readonly string[],
  make: (name: string) => Promise<BundleFile>,
): Promise<Collected> {
  const files: BundleFile[] = [];
  const problems: string[] = [];
  for (const name of names) {
    await make(name).then(
      (file) => files.push(file),
      (error) => problems.push(reasonOf(error)),
    );
  }
  return { files, problems };
}

/** A line each; what is no JSON is a string in it. */
function jsonList(documents: readonly string[]): string {
  return `[\n${documents.map((json) => (isJson(json) ? json : JSON.stringify(json))).join(',\n')}\n]`;
}
