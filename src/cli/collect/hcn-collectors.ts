import { limitsPerCall } from '../../hcn/deadline.ts';
import { requireValue } from '../../hcn/errors.ts';
import type { ComputeNetworkLibrary } from '../../hcn/library.ts';
import { parseJson } from '../../json/members.ts';
import { queryInventory, unreadableWarnings } from '../inventory/read-inventory.ts';
import { newPodReader } from '../inventory/read-pods.ts';
import { listView } from '../ls.ts';
import { plain, type Session } from '../terminal/session.ts';
import type { Cleaner } from './allow-list.ts';
import { type Collector, collectEach, jsonFile } from './collector.ts';

const seconds = 120;

/** The objects of HCN as win-hcn reads them, and HNS's documents of the same objects. */
export function hcnCollectors(
  session: Session,
  library: ComputeNetworkLibrary,
  { clean }: Cleaner,
): readonly Collector[] {
  const hnsCall = async (path: string): Promise<unknown> =>
    parseJson(requireValue(await library.hnsCall('GET', path, ''), `HNSCall GET ${path}`));
  return [
    {
      name: 'HCN objects',
      about: 'the objects of HCN as win-hcn reads them, and the output of win-hcn ls --remote -o wide',
      seconds,
      collect: async () => {
        // The library has shorter limits, which all collectors share.
        const inventory = await queryInventory(session.system, limitsPerCall(seconds));
        const named = newPodReader(session)(inventory);
        const list =
          listView(named, undefined, { remote: true, output: 'wide' }).text?.(plain(session)) ?? '';
        const { networks, endpoints, namespaces, loadBalancers } = inventory;
        const objects = {
          networks: clean(networks),
          endpoints: clean(endpoints),
          namespaces: clean(namespaces),
          loadBalancers: clean(loadBalancers),
        };
        return {
          files: [jsonFile('hcn.json', objects), { path: 'ls.txt', text: list }],
          problems: unreadableWarnings(inventory),
        };
      },
    },
    {
      name: 'HNS documents',
      about: "the version of the Host Network Service, and its older documents, with members that HCN's lack",
      seconds,
      collect: () =>
        collectEach(['globals/version', 'networks', 'endpoints', 'namespaces', 'policylists'], async (path) =>
          jsonFile(`hns/${path.replace('globals/', '')}.json`, clean(await hnsCall(`/${path}`))),
        ),
    },
  ];
}
