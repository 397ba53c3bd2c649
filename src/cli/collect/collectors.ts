import { limitHcnCalls, limitsPerCall, newLimit } from '../../hcn/deadline.ts';
import { interceptHcnCalls } from '../../hcn/library.ts';
import { interceptIpHelperCalls, limitIpHelperCalls } from '../../iphlpapi/ip-helper.ts';
import { runChecks } from '../doctor/checks.ts';
import { findingsText } from '../doctor/findings-text.ts';
import { plain, type Session } from '../session.ts';
import { type Collector, textFile } from './collector.ts';
import { diskCollectors } from './disk-collectors.ts';
import { hcnCollectors } from './hcn-collectors.ts';
import { scriptCollectors } from './script-collectors.ts';

/** A person waits, and a busy node is slow. */
const secondsForCall = 30;

/**
 * All that a bundle is collected from, in the order in which it is. Those that ask HCN share the limits of one listing: HNS that hangs
 * for one is not waited for again.
 */
export function collectorsFor(session: Session): readonly Collector[] {
  const { loadLibrary, timer, now } = session.system;
  const library = interceptHcnCalls(
    loadLibrary,
    limitHcnCalls(newLimit(limitsPerCall(secondsForCall), timer, now)),
  );
  const limited = { ...session, system: { ...session.system, loadLibrary: async () => library } };
  return [
    ...hcnCollectors(session, library),
    adapters(session),
    ...diskCollectors(session),
    doctor(limited),
    ...scriptCollectors(session.terminal),
  ];
}

function adapters({ system: { loadIpHelper, timer, now } }: Session): Collector {
  return {
    name: 'adapters',
    about: 'the network adapters as win-hcn sees them',
    seconds: 30,
    collect: async () => {
      const helper = interceptIpHelperCalls(
        loadIpHelper,
        limitIpHelperCalls(newLimit(limitsPerCall(20), timer, now)),
      );
      return {
        files: [textFile('adapters.json', JSON.stringify(await helper.readAdapters(), undefined, 2))],
      };
    },
  };
}

function doctor(session: Session): Collector {
  return {
    name: 'doctor',
    about: 'what win-hcn doctor says',
    seconds: 120,
    collect: async () => {
      const { findings } = await runChecks(session, undefined);
      return { files: [textFile('doctor.txt', findingsText(findings, plain(session)))] };
    },
  };
}
