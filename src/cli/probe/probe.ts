import { limitHcnCalls, limitsPerCall, newLimit } from '../../hcn/deadline.ts';
import type { Guid, Kind } from '../../hcn/guid.ts';
import { type ComputeNetworkLibrary, type HcnInterceptor, interceptHcnCalls } from '../../hcn/library.ts';
import { describeObject } from '../../hcn/open-objects.ts';
import type { System } from '../../system.ts';
import { version } from '../../version.ts';
import { openHcn, readAdapters } from '../inventory/read-inventory.ts';
import type { Session } from '../terminal/session.ts';
import { anonymized } from './anonymize.ts';
import { newHcnCalls } from './hcn-calls.ts';
import { type Leftover, removeLeftover } from './leftovers.ts';
import type { Subnet } from './names.ts';
import { networkLimits } from './networks.ts';
import { readNodeFacts } from './node-facts.ts';
import { errorText, NotTried } from './observation.ts';
import { planOf } from './preview.ts';
import { type Report, summaryOf } from './report.ts';
import { restartHns } from './restart-hns.ts';
import type { Row } from './row.ts';
import { type Permissions, runRows } from './run-rows.ts';
import { callLimits, readObjects, readOthers, readStart } from './start.ts';
import { podProblem, Unsuitable } from './suitability.ts';

/** The time limit of one call that only shows whether HNS responds. */
const checkLimits = limitsPerCall(10);
/** Before the last attempt to delete leftovers, in milliseconds. */
const lastPause = 5000;
/** After the deletion of an interrupted probe's networks, in milliseconds. */
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
  const interrupt = terminal.interrupt();
  /** Objects that may have been created, with their names: HCN did not respond. */
  const unknown = new Map<Guid, { readonly kind: Kind; readonly name: unknown }>();
  const library = limitedLibrary(session);
  const hcn = newHcnCalls(library, system.now);
  let failure: unknown;
  let created = 0;
  let isRestarted = false;
  let newSubnet = (): Subnet => {
    throw new NotTried('no subnet was chosen');
  };
  let hasOtherNat = false;
  const wait = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => void system.timer(milliseconds, resolve));
  const remove = async (leftovers: readonly Leftover[]): Promise<readonly string[]> => {
    const problems: string[] = [];
    for (const leftover of leftovers) {
      const problem = await removeLeftover(leftover, hcn).catch(
        (error: unknown) => `${describeObject(leftover.kind, leftover.id)}: ${errorText(error)}`,
      );
      if (problem !== undefined) problems.push(problem);
      for (const [id, { kind, name }] of unknown)
        if (id === leftover.id || (name !== undefined && name === leftover.name && kind === leftover.kind))
          unknown.delete(id);
    }
    return problems;
  };
  const removeLeftovers = async () => remove((await readOthers(session)).leftovers);
  try {
    const start = await readStart(permissions, session);
    hasOtherNat = start.hasOtherNat;
    for (const problem of await remove(start.leftovers))
      session.printStderr(`win-hcn: not deleted: ${problem}`);
    // Windows moves the addresses of a deleted network back to the adapter.
    newSubnet = start.newSubnet ?? (await start.check().catch(() => wait(adapterPause).then(start.check)));
  } catch (error) {
    if (error instanceof Unsuitable) throw error;
    failure = error;
  }
  let index = 0;
  const findings = await runRows(rows, permissions, {
    adapter: permissions.adapter,
    library,
    wait,
    hasOtherNat,
    limits: { ...planOf(rows, permissions, hasOtherNat).networks, Private: networkLimits.Private },
    newSubnet,
    adapters: () => readAdapters(system),
    restartHns: async () => {
      const pods = podProblem((await readOthers(session)).others);
      if (pods !== undefined) throw new NotTried(pods);
      isRestarted = true;
      const problem = await restartHns(terminal);
      if (problem === undefined) return;
      session.printStderr(`win-hcn: ${problem}`);
      throw new NotTried('HNS was not restarted');
    },
    pause: (milliseconds) => pauseUnless(interrupt, milliseconds, system),
    now: system.now,
    onStart: (row) => {
      index += 1;
      if (terminal.stderrWidth !== undefined) session.printStderr(`[${index}/${rows.length}] ${row}`);
    },
    onCreated: () => {
      created += 1;
    },
    onUnknown: (kind, id, { Name: name }) => {
      created += 1;
      unknown.set(id, { kind, name });
    },
    stopReason: async (isSuspect) => {
      if (isSuspect)
        await readObjects(system, checkLimits).catch((error: unknown) => {
          failure = error;
        });
      if (interrupt.aborted) failure ??= new NotTried('interrupted');
      return failure === undefined ? undefined : errorText(failure);
    },
  });
  const remaining = await removeLeftovers()
    .catch(() => wait(lastPause).then(removeLeftovers))
    .catch((error: unknown) => {
      failure ??= error;
      return created === 0 ? [] : [`the objects of this probe: ${errorText(error)}`];
    });
  const hns = await openHcn(system, checkLimits)
    .version()
    .catch(() => undefined);
  const observed = {
    winHcn: version,
    time: system.clock().toISOString(),
    ...(await readNodeFacts(terminal)),
    ...(hns !== undefined && { hns }),
    created,
    rows: findings,
    remaining: [...remaining, ...[...unknown].map(([id, { kind }]) => unknownText(kind, id))],
  };
  const report = { summary: summaryOf(observed, isRestarted), ...observed };
  return { report: anonymized(report), failure };
}

function unknownText(kind: Kind, id: Guid): string {
  const outcome =
    kind === 'Namespace' ? 'may have created it, with this ID or another' : 'may still create it';
  return `${describeObject(kind, id)}: HCN did not respond to its creation, and ${outcome}`;
}

/** HCN with a limit for each call: the calls of all experiments share no total. */
function limitedLibrary({ system }: Session): ComputeNetworkLibrary {
  const limited: HcnInterceptor = (call, make) =>
    limitHcnCalls(newLimit(callLimits, system.timer, system.now), system.onCall)(call, make);
  return interceptHcnCalls(system.loadLibrary, limited);
}

/** Waits. Throws NotTried after Ctrl+C. */
function pauseUnless(
  interrupt: AbortSignal,
  milliseconds: number,
  { timer }: Pick<System, 'timer'>,
): Promise<void> {
  if (interrupt.aborted) return Promise.reject(new NotTried('interrupted'));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timeout = timer(milliseconds, resolve);
  const stop = () => {
    timeout.cancel();
    reject(new NotTried('interrupted'));
  };
  interrupt.addEventListener('abort', stop);
  return promise.finally(() => interrupt.removeEventListener('abort', stop));
}
