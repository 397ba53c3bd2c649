import { limitsOf, newLimit } from '../../hcn/deadline.ts';
import { aroundIpHelperCalls, ipHelperWithin } from '../../iphlpapi/around-calls.ts';
import type { Session } from '../session.ts';
import { type Collector, textFile } from './collector.ts';
import { diskCollectors } from './disk-collectors.ts';
import { hcnCollectors } from './hcn-collectors.ts';
import { scriptCollectors } from './script-collectors.ts';

/** All that a bundle is collected from, in the order in which it is. */
export function collectorsFor(session: Session): readonly Collector[] {
  return [
    ...hcnCollectors(session),
    adapters(session),
    ...diskCollectors(session),
    ...scriptCollectors(session.terminal),
  ];
}

function adapters({ system: { loadIpHelper, timer, now } }: Session): Collector {
  return {
    name: 'adapters',
    about: 'the network adapters as win-hcn sees them',
    seconds: 30,
    collect: async () => {
      const helper = aroundIpHelperCalls(loadIpHelper, ipHelperWithin(newLimit(limitsOf(20), timer, now)));
      return {
        files: [textFile('adapters.json', JSON.stringify(await helper.readAdapters(), undefined, 2))],
      };
    },
  };
}
