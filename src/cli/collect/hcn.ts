import { limitHcnCalls, limitsPerCall, newLimit } from '../../hcn/deadline.ts';
import { requireValue } from '../../hcn/errors.ts';
import { interceptHcnCalls } from '../../hcn/library.ts';
import { parseJson } from '../../json/members.ts';
import type { Snapshot } from '../doctor/snapshot.ts';
import { unreadableWarnings } from '../inventory/read-inventory.ts';
import { listText } from '../ls.ts';
import { plain, type Session } from '../terminal/session.ts';
import type { Cleaner } from './allow-list.ts';
import { type Collected, collectEach, jsonFile } from './part.ts';

/** The objects of HCN as doctor read them, and the output of `ls`. */
export function collectObjects(
  { inventory, missingEndpoints, hcnError }: Snapshot,
  { clean }: Cleaner,
  session: Session,
): Collected {
  if ('error' in inventory) return { files: [], problems: [hcnError ?? inventory.error] };
  const { networks, endpoints, namespaces, loadBalancers } = inventory.value;
  const missing = 'value' in missingEndpoints ? missingEndpoints.value : { namespaces: [], backends: [] };
  const list = listText(inventory.value, missing, plain(session));
  return {
    files: [
      { path: 'ls.txt', text: list },
      jsonFile('hcn.json', {
        networks: clean(networks),
        endpoints: clean(endpoints),
        namespaces: clean(namespaces),
        loadBalancers: clean(loadBalancers),
      }),
    ],
    problems: unreadableWarnings(inventory.value),
  };
}

/** A busy node is slow. */
const secondsForCall = 30;

/** The older documents of the same objects, with members that HCN's lack. */
export async function collectHnsDocuments(
  { system: { loadLibrary, timer, now } }: Session,
  { clean }: Cleaner,
): Promise<Collected> {
  // One limit for all calls, so that a hanging HNS is waited for once.
  const limit = newLimit(limitsPerCall(secondsForCall), timer, now);
  const library = await interceptHcnCalls(loadLibrary, limitHcnCalls(limit));
  const names = ['globals/version', 'networks', 'endpoints', 'namespaces', 'policylists'];
  return collectEach(names, async (name) => {
    const answer = requireValue(await library.hnsCall('GET', `/${name}`, ''), `HNSCall GET /${name}`);
    return jsonFile(`hns/${name.replace('globals/', '')}.json`, clean(parseJson(answer)));
  });
}
