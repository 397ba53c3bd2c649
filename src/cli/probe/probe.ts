import { limitHcnCalls, limitsPerCall, newLimit } from '../../hcn/deadline.ts';
import { HcnError, HcnTimeout } from '../../hcn/errors.ts';
import { isUnavailable } from '../../hcn/hresults.ts';
import { type ComputeNetworkLibrary, interceptHcnCalls } from '../../hcn/library.ts';
import { describeObject } from '../../hcn/open-objects.ts';
import type { System } from '../../system.ts';
import { openHcn, queryInventory } from '../inventory/read-inventory.ts';
import type { Session } from '../terminal/session.ts';
import { errorText, type Row, RunEnded } from './experiment.ts';
import { newHcnCalls } from './hcn-calls.ts';
import { findLeftovers, type Leftover, removeLeftover } from './leftovers.ts';
import { newSubnets } from './names.ts';
import { checkNode, readWindows, Unsuitable } from './node.ts';
import { findingsOf, newReport } from './report.ts';
import { type Run, runExperiments } from './run.ts';

/** Before the last attempt to delete leftovers, in milliseconds. */
const lastPause = 5000;
/** Windows moves the addresses of a deleted network back to the adapter. In milliseconds. */
const adapterPause = 10_000;

/**
 * Deletes the leftovers of earlier probes, runs the experiments of rows, and deletes their leftovers. `failure` is the error because of
 * which experiments were not run; undefined if all could be. Throws only Unsuitable.
 */
export async function probe(rows: readonly Row[], adapter: string | undefined, session: Session) {
  const { system, terminal } = session;
  const library = limitedLibrary(system);
  const wait = (milliseconds: number) =>
    new Promise<void>((resolve) => void system.timer(milliseconds, resolve));
  let interrupt: AbortSignal | undefined;
  const run: Run = {
    ...{ adapter, library, wait, now: system.now, newSubnet: newSubnets() },
    pause: async (milliseconds) => {
      if (interrupt?.aborted !== true) await wait(milliseconds);
      if (interrupt?.aborted === true) throw new RunEnded('interrupted');
    },
    ...{ observations: new Map(), created: 0 },
  };
  let failure: unknown;
  try {
    await prepare(run, session);
    interrupt = terminal.interrupt();
    await runExperiments(rows, run);
  } catch (error) {
    if (error instanceof Unsuitable) throw error;
    failure = error;
  }
  const findings = findingsOf(rows, run.observations, failure, adapter);
  const remaining = await removeLast(run, failure, system);
  const hns = await openHcn(system, limitsPerCall(10))
    .version()
    .then(({ Major, Minor }) => `${Major}.${Minor}`)
    .catch(() => undefined);
  const versions = { hns, windows: await readWindows(terminal) };
  return { report: newReport(versions, system.clock(), run.created, findings, remaining), failure };
}

/** Deletes the leftovers of earlier probes. Throws Unsuitable if experiments would affect others. */
async function prepare({ adapter, library, wait }: Run, { system, printStderr }: Session): Promise<void> {
  const inventory = await queryInventory(system);
  const leftovers = findLeftovers(inventory);
  for (const problem of await removeLeftovers(leftovers, library))
    printStderr(`win-hcn: not deleted: ${problem}`);
  if (leftovers.some(({ isExternal }) => isExternal)) await wait(adapterPause);
  await checkNode(adapter, leftovers.length === 0 ? inventory : await queryInventory(system), system);
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
  { created, library, wait }: Run,
  failure: unknown,
  system: System,
): Promise<readonly string[]> {
  const remove = async () => removeLeftovers(findLeftovers(await queryInventory(system)), library);
  const remaining = await remove()
    .catch(() => wait(lastPause).then(remove))
    .catch((error: unknown) => (created === 0 ? [] : [`the objects of this probe: ${errorText(error)}`]));
  const isUnknown = failure instanceof HcnTimeout && failure.message.includes('Create');
  return isUnknown ? [...remaining, `${errorText(failure)}, and may still create an object`] : remaining;
}

/** HCN with a limit for each call, which throws if the service fails: the calls of all experiments share no total. */
function limitedLibrary({ loadLibrary, timer, now, onCall }: System): ComputeNetworkLibrary {
  return interceptHcnCalls(loadLibrary, async (call, make) => {
    const response = await limitHcnCalls(newLimit(limitsPerCall(30), timer, now), onCall)(call, make);
    const { hresult, errorRecord } = response;
    if (isUnavailable(hresult)) throw new HcnError(call.name, hresult, errorRecord);
    return response;
  });
}
