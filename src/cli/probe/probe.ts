import { errorMessage } from '../../cni/error.ts';
import { type Limits, limitHcnCalls, limitsPerCall, newLimit } from '../../hcn/deadline.ts';
import { type HcnInterceptor, interceptHcnCalls } from '../../hcn/library.ts';
import { version } from '../../version.ts';
import { openHcn, queryInventory, readAdapters } from '../inventory/read-inventory.ts';
import type { Session } from '../session.ts';
import { findLeftovers, newCleaner, removeLeftover } from './leftovers.ts';
import { readNodeFacts } from './node-facts.ts';
import { openElsewhere } from './open-elsewhere.ts';
import type { Report } from './report.ts';
import { NotTried, type Row } from './row.ts';
import { type Permissions, runRows, type Surroundings } from './run-rows.ts';

/** The time limit of one call, which may be slow on a busy node, and of the calls that only show whether HNS responds. */
const callLimits = limitsPerCall(30);
const checkLimits = limitsPerCall(10);

export interface Probed {
  readonly report: Report;
  /** The error because of which experiments were not run; undefined if all could be. */
  readonly failure: unknown;
}

/** Deletes the leftovers of earlier probes, runs the experiments of rows, and deletes what is left. Never rejects. */
export async function probe(
  rows: readonly Row[],
  permissions: Permissions,
  session: Session,
): Promise<Probed> {
  const { system, terminal } = session;
  const interrupt = terminal.interrupt();
  const surroundings = surroundingsOf(session, permissions, interrupt);
  let failure: unknown;
  const check = async (limits: Limits): Promise<void> => {
    try {
      await queryInventory(system, limits);
    } catch (error) {
      failure = error;
    }
  };
  const before = await removeLeftovers(session, surroundings).catch((error: unknown) => {
    failure = error;
    return [];
  });
  for (const remaining of before) session.printStderr(`win-hcn: not deleted: ${remaining}`);
  let index = 0;
  const findings = await runRows(rows, permissions, {
    ...surroundings,
    onStart: (row) => {
      index += 1;
      showProgress(`[${index}/${rows.length}] ${row}`, session);
    },
    stopReason: async (isSuspect) => {
      if (isSuspect) await check(checkLimits);
      if (interrupt.aborted) failure ??= new NotTried('interrupted');
      return failure === undefined ? undefined : errorMessage(failure);
    },
  });
  showProgress('', session);
  const remaining = await removeLeftovers(session, surroundings).catch((error: unknown) => {
    failure ??= error;
    return [`the objects of this probe: ${errorMessage(error)}`];
  });
  const hns = await openHcn(system, checkLimits)
    .version()
    .catch(() => undefined);
  const report: Report = {
    winHcn: version,
    time: system.clock().toISOString(),
    ...(await readNodeFacts(terminal)),
    ...(hns !== undefined && { hns }),
    rows: findings,
    remaining,
  };
  return { report, failure };
}

/** Deletes the objects of probes. Returns why some could not be deleted. Throws if HCN cannot be queried. */
async function removeLeftovers(
  session: Session,
  surroundings: Parameters<typeof newCleaner>[0],
): Promise<readonly string[]> {
  const inventory = await queryInventory(session.system, checkLimits);
  const laboratory = newCleaner(surroundings);
  const problems: string[] = [];
  for (const leftover of findLeftovers(inventory)) {
    const problem = await removeLeftover(leftover, laboratory).catch(errorMessage);
    if (problem !== undefined) problems.push(problem);
  }
  return problems;
}

function surroundingsOf(
  session: Session,
  { adapter }: Permissions,
  interrupt: AbortSignal,
): Omit<Surroundings, 'onStart' | 'stopReason'> {
  const { system, terminal } = session;
  // Each call has a limit of its own: the calls of a hundred experiments share no total.
  const limited: HcnInterceptor = (call, make) =>
    limitHcnCalls(newLimit(callLimits, system.timer, system.now))(call, make);
  return {
    adapter,
    library: interceptHcnCalls(system.loadLibrary, limited),
    openElsewhere: (kind, id) => openElsewhere(kind, id, session),
    adapters: () => readAdapters(system, 10),
    powershell: async (script, seconds) => {
      const result = await terminal.powershell(script, seconds);
      if ('problem' in result) throw new NotTried(result.problem);
      return result.stdout;
    },
    pause: (milliseconds) =>
      new Promise((resolve, reject) => {
        const stop = () => {
          timeout.cancel();
          reject(new NotTried('interrupted'));
        };
        const timeout = system.timer(milliseconds, () => {
          interrupt.removeEventListener('abort', stop);
          resolve();
        });
        if (interrupt.aborted) stop();
        else interrupt.addEventListener('abort', stop);
      }),
    now: system.now,
  };
}

/** One line on a terminal, which the next one replaces; nothing elsewhere. */
function showProgress(text: string, { system, terminal }: Session): void {
  const { stderrWidth: width } = terminal;
  if (width !== undefined)
    system.writeStderr(`\r${text.slice(0, width - 1).padEnd(width - 1)}${text === '' ? '\r' : ''}`);
}
