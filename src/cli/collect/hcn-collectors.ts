import { aroundHcnCalls } from '../../hcn/around-calls.ts';
import { hcnWithin, limitsOf, newLimit } from '../../hcn/deadline.ts';
import { valueFrom } from '../../hcn/judge-answer.ts';
import type { Kind } from '../../hcn/library.ts';
import { kinds, listsOf } from '../ls/command.ts';
import { serialized } from '../output.ts';
import type { Session } from '../session.ts';
import { type BundleFile, type Collected, type Collector, reasonOf, textFile } from './collector.ts';
import { findObjects, type HcnObjects } from './hcn-objects.ts';
import { inventoryOf } from './inventory-of.ts';

/** A person waits, and a busy node is slow. */
const secondsForCall = 30;
/** How long objects of one kind are asked for. */
const secondsForKind = 60;
/** Longer, with a call that is late, so that it can be said which one that was. */
const seconds = 120;

/** What HCN and HNS say, each object asked for once. All of them share the limits of one listing: HNS that hangs for one is not waited for again. */
export function hcnCollectors(session: Session): readonly Collector[] {
  const { loadLibrary, timer, now } = session.system;
  const library = aroundHcnCalls(loadLibrary, hcnWithin(newLimit(limitsOf(secondsForCall), timer, now)));
  const found = new Map<Kind, Promise<HcnObjects>>();
  const find = (kind: Kind): Promise<HcnObjects> => {
    const until = now() + secondsForKind * 1000;
    const known = found.get(kind) ?? findObjects(library, kind, () => now() < until);
    found.set(kind, known);
    return known;
  };
  const objects = (kind: Kind, name: string): Collector => ({
    name,
    about: `${name}, each as HCN answered`,
    seconds,
    collect: async () => {
      const { documents, problems } = await find(kind);
      const path = `hcn/${name.replaceAll(' ', '-')}.json`;
      return { files: [textFile(path, jsonList(documents.map(({ json }) => json)))], problems };
    },
  });
  const hnsCall = async (path: string): Promise<string> =>
    valueFrom(await library.hnsCall('GET', path, ''), `HNSCall GET ${path}`);
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
        const { inventory, problems } = await inventoryOf(find);
        const lists = listsOf(inventory, true);
        const plain: Session = {
          ...session,
          width: Number.POSITIVE_INFINITY,
          colours: false,
          style: (_, text) => text,
        };
        const rows = Object.fromEntries(kinds.map((kind) => [kind, lists[kind].rows]));
        const tables = kinds.map((kind) => lists[kind].show(true, plain)).join('\n\n');
        const json = serialized(rows, 'json') ?? '';
        return { files: [textFile('ls.txt', tables), textFile('ls.json', json)], problems };
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

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
