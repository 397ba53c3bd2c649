import { limitHcnCalls, limitsPerCall, newLimit } from '../../hcn/deadline.ts';
import { interceptHcnCalls } from '../../hcn/library.ts';
import { interceptIpHelperCalls, limitIpHelperCalls } from '../../iphlpapi/ip-helper.ts';
import { runChecks } from '../doctor/checks.ts';
import { findingsText } from '../doctor/findings-text.ts';
import { plain, type Session } from '../session.ts';
import { type Collector, textFile } from './collector.ts';
import { fileCollectors } from './file-collectors.ts';
import { hcnCollectors } from './hcn-collectors.ts';
import { windowsCollectors } from './windows-collectors.ts';

/** A bundle may take longer than a request, and a busy node is slow. */
const secondsForCall = 30;

/** All collectors, in the order in which they run. Those that call HCN share one time limit, so that a hanging HNS is waited for once. */
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
    ...fileCollectors(session),
    doctor(limited),
    ...windowsCollectors(session.terminal),
  ];
}

function adapters({ system: { loadIpHelper, timer, now } }: Session): Collector {
  return {
    name: 'adapters',
    about: 'the network adapters as win-hcn reads them',
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
    about: 'the output of win-hcn doctor',
    seconds: 120,
    collect: async () => {
      const { findings } = await runChecks(session, undefined);
      return { files: [textFile('doctor.txt', findingsText(findings, plain(session)))] };
    },
  };
}
