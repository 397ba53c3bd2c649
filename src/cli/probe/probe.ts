import { limitHcnCalls, limitsPerCall, newLimit } from '../../hcn/deadline.ts';
import { HcnTimeout } from '../../hcn/errors.ts';
import { type ComputeNetworkLibrary, interceptHcnCalls } from '../../hcn/library.ts';
import { describeObject } from '../../hcn/open-objects.ts';
import type { System } from '../../system.ts';
import { version } from '../../version.ts';
import { openHcn, readAdapters } from '../inventory/read-inventory.ts';
import type { Session } from '../terminal/session.ts';
import { errorText, NotTried, type Row, RunEnded } from './experiment.ts';
import { newHcnCalls } from './hcn-calls.ts';
import { type Leftover, removeLeftover } from './leftovers.ts';
import type { Subnet } from './names.ts';
import { callLimits, checkNode, podProblem, readObjects, Unsuitable } from './node.ts';
import { readNodeFacts } from './node-facts.ts';
import { findingsOf, type Report, summaryOf } from './report.ts';
import { restartHns } from './restart-hns.ts';
import { type Permissions, type RunResult, runExperiments } from './run.ts';

/** Before the last attempt to delete leftovers, in milliseconds. */
const lastPause = 5000;
/** Windows moves the addresses of a deleted network back to the adapter. In milliseconds. */
const adapterPause = 10_000;

/**
 * Deletes the leftovers of earlier probes, runs the experiments of rows, and deletes their leftovers. `failure` is the error because of
 * which experiments were not run; undefined if all could be. Throws only Unsuitable.
 */
export async function probe(
  rows: readonly Row[],
  permissions: Permissions,
  session: Session,
): Promise<{ readonly report: Report; readonly failure: unknown }> {
  const { system, terminal } = session;
  const library = limitedLibrary(system);
  const wait = (milliseconds: number) =>
    new Promise<void>((resolve) => void system.timer(milliseconds, resolve));
  let [isRestarted, hasOtherNat] = [false, false];
  let result: RunResult;
  try {
    const start = await readStart(permissions, library, wait, session);
    hasOtherNat = start.hasOtherNat;
    const interrupt = terminal.interrupt();
    result = await runExperiments(rows, {
      ...{ adapter: permissions.adapter, permissions, hasOtherNat, library, wait },
      newSubnet: start.newSubnet,
      adapters: () => readAdapters(system),
      restartHns: async () => {
        await restart(session);
        isRestarted = true;
      },
      pause: (milliseconds) => pauseUnless(interrupt, milliseconds, system),
      now: system.now,
      onStart: (row) => {
        const index = rows.findIndex(({ id }) => id === row) + 1;
        if (terminal.stderrWidth !== undefined) session.printStderr(`[${index}/${rows.length}] ${row}`);
      },
    });
  } catch (failure) {
    if (failure instanceof Unsuitable) throw failure;
    result = { observations: new Map(), failure, created: 0 };
  }
  const { failure, created } = result;
  const observed = {
    created,
    rows: findingsOf(rows, result, permissions, hasOtherNat),
    remaining: await removeLast(result, library, wait, system),
  };
  const hns = await openHcn(system, limitsPerCall(10))
    .version()
    .catch(() => undefined);
  const report: Report = {
    summary: summaryOf(observed, isRestarted),
    winHcn: version,
    time: system.clock().toISOString(),
    ...(await readNodeFacts(terminal)),
    ...(hns !== undefined && { hns }),
    ...observed,
  };
  return { report, failure };
}

type Wait = (milliseconds: number) => Promise<void>;

/** Deletes the leftovers of earlier probes. Throws Unsuitable if experiments would affect others. */
async function readStart(
  permissions: Permissions,
  library: ComputeNetworkLibrary,
  wait: Wait,
  { system, printStderr }: Session,
): Promise<{ readonly hasOtherNat: boolean; readonly newSubnet: () => Subnet }> {
  const { leftovers, others } = await readObjects(system);
  for (const problem of await removeLeftovers(leftovers, library))
    printStderr(`win-hcn: not deleted: ${problem}`);
  if (leftovers.some(({ adapter }) => adapter !== undefined)) await wait(adapterPause);
  const newSubnet = await checkNode(permissions, others, system);
  return { hasOtherNat: hasNat(others), newSubnet };
}

/** Whether another program has a NAT network. */
export function hasNat({ networks }: { readonly networks: readonly { readonly Type: string }[] }): boolean {
  return networks.some(({ Type }) => Type.toUpperCase() === 'NAT');
}

/** Deletes leftovers. Returns what could not be deleted, with the reasons. */
async function removeLeftovers(
  leftovers: readonly Leftover[],
  library: ComputeNetworkLibrary,
): Promise<readonly string[]> {
  const hcn = newHcnCalls(library);
  const problems: string[] = [];
  for (const leftover of leftovers) {
    const problem = await removeLeftover(leftover, hcn).catch(
      (error: unknown) => `${describeObject(leftover.kind, leftover.id)}: ${errorText(error)}`,
    );
    if (problem !== undefined) problems.push(problem);
  }
  return problems;
}

/** Deletes what a run left. Returns what remains, with the reasons. Never rejects. */
async function removeLast(
  { created, failure }: RunResult,
  library: ComputeNetworkLibrary,
  wait: Wait,
  system: System,
): Promise<readonly string[]> {
  const remove = async () => removeLeftovers((await readObjects(system)).leftovers, library);
  const remaining = await remove()
    .catch(() => wait(lastPause).then(remove))
    .catch((error: unknown) => (created === 0 ? [] : [`the objects of this probe: ${errorText(error)}`]));
  const isUnknown = failure instanceof HcnTimeout && failure.message.includes('Create');
  return isUnknown ? [...remaining, `${errorText(failure)}, and may still create an object`] : remaining;
}

async function restart(session: Session): Promise<void> {
  const pods = podProblem((await readObjects(session.system)).others);
  if (pods !== undefined) throw new NotTried(pods);
  const problem = await restartHns(session.terminal);
  if (problem === undefined) return;
  session.printStderr(`win-hcn: ${problem}`);
  throw new NotTried('HNS was not restarted');
}

/** HCN with a limit for each call: the calls of all experiments share no total. */
function limitedLibrary({ loadLibrary, timer, now, onCall }: System): ComputeNetworkLibrary {
  return interceptHcnCalls(loadLibrary, (call, make) =>
    limitHcnCalls(newLimit(callLimits, timer, now), onCall)(call, make),
  );
}

/** Waits. Throws RunEnded after Ctrl+C. */
function pauseUnless(
  interrupt: AbortSignal,
  milliseconds: number,
  { timer }: Pick<System, 'timer'>,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timeout = timer(milliseconds, resolve);
  const stop = () => {
    timeout.cancel();
    reject(new RunEnded('interrupted'));
  };
  if (interrupt.aborted) stop();
  interrupt.addEventListener('abort', stop);
  return promise.finally(() => interrupt.removeEventListener('abort', stop));
}
