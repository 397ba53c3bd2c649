import { errorMessage } from '../../cni/error.ts';
import { HcnError } from '../../hcn/errors.ts';
import { isUnavailable } from '../../hcn/hresults.ts';
import { type HcnInterceptor, interceptHcnCalls } from '../../hcn/library.ts';
import { type CallRecord, type Equipment, type Item, newLaboratory } from './laboratory.ts';
import { removeItems } from './leftovers.ts';
import type { Finding } from './report.ts';
import { type Experiment, type Ground, NotTried, type Row } from './row.ts';
import { newSharedNetwork, type SharedNetwork } from './shared-network.ts';

/** What the operator permits. */
export interface Permissions {
  /** The adapter for networks of other types than Private, Internal and NAT. */
  readonly adapter: string | undefined;
  readonly nat: boolean;
  readonly restart: boolean;
}

/** The dependencies of experiments, and callbacks of the command. */
export interface Surroundings extends Equipment {
  /** Called before each experiment. */
  readonly onStart: (row: string) => void;
  /** Why no further experiment can be run; undefined if it can. `isSuspect`: a call failed in an unexpected way. */
  readonly stopReason: (isSuspect: boolean) => Promise<string | undefined>;
}

/** Throws if the service failed: its answer then shows nothing about how it behaves. */
const throwIfUnavailable: HcnInterceptor = async (call, make) => {
  const response = await make();
  const { hresult, errorRecord } = response;
  if (isUnavailable(hresult)) throw new HcnError(call.name, hresult, errorRecord);
  return response;
};

/** Experiments on one ground follow each other and share its network. */
const grounds: readonly Ground[] = [
  'base',
  'L2Bridge',
  'L2Tunnel',
  'Overlay',
  'Transparent',
  'NAT',
  'service',
];

/**
 * Runs the experiments of rows one after the other, and deletes what each created. Never rejects. The findings have the order of the
 * rows.
 */
export async function runRows(
  rows: readonly Row[],
  permissions: Permissions,
  given: Surroundings,
): Promise<readonly Finding[]> {
  const library = interceptHcnCalls(async () => given.library, throwIfUnavailable);
  const surroundings: Surroundings = { ...given, library };
  const findings = new Map<Row, Finding>();
  const shared = newSharedNetwork(surroundings);
  let stopped = await surroundings.stopReason(false);
  for (const row of inOrder(rows)) {
    const { experiment } = row;
    const reason = 'impossible' in experiment ? experiment.impossible : missing(experiment, permissions);
    if ('impossible' in experiment || reason !== undefined || stopped !== undefined) {
      findings.set(row, notTried(row, reason ?? stopped ?? ''));
      continue;
    }
    surroundings.onStart(row.id);
    // Experiments that restart the service observe how its calls fail.
    const own = experiment.on === 'service' ? given : surroundings;
    const { finding, isSuspect } = await runExperiment(row, experiment, shared, own);
    findings.set(row, finding);
    stopped = await surroundings.stopReason(isSuspect);
  }
  await shared.remove();
  return rows.flatMap((row) => findings.get(row) ?? []);
}

function inOrder(rows: readonly Row[]): readonly Row[] {
  const ground = ({ experiment }: Row) => ('on' in experiment ? grounds.indexOf(experiment.on) : 0);
  const isAlone = ({ experiment }: Row) => Number('isAlone' in experiment && experiment.isAlone === true);
  return rows.toSorted((one, other) => ground(one) - ground(other) || isAlone(other) - isAlone(one));
}

/** The option without which an experiment is not permitted. */
function missing({ on }: Experiment, { adapter, nat, restart }: Permissions): string | undefined {
  if (on === 'base') return undefined;
  if (on === 'service') return restart ? undefined : 'requires --restart-hns';
  if (on === 'NAT') return nat ? undefined : 'requires --nat';
  return adapter === undefined ? 'requires --adapter' : undefined;
}

function notTried({ id, claim }: Row, reason: string): Finding {
  return { id, claim, verdict: 'not tried', reason };
}

/** Runs one experiment. `isSuspect`: a call failed in a way that no experiment expects, such as a timeout. */
async function runExperiment(
  row: Row,
  { on, isAlone = false, expected, run }: Experiment,
  shared: SharedNetwork,
  surroundings: Surroundings,
): Promise<{ readonly finding: Finding; readonly isSuspect: boolean }> {
  const { id, claim } = row;
  const calls: CallRecord[] = [];
  const kept: Item[] = [];
  const record = (call: CallRecord) => void calls.push(call);
  const type = shared.typeFor(on);
  const laboratory = newLaboratory(surroundings, {
    base: () => shared.use(type, record),
    record,
    keep: (item) => void kept.push(item),
  });
  try {
    if (isAlone) await shared.remove();
    else await shared.clear(type);
    const observation = await run(laboratory);
    const verdict = expected.includes(observation.observed) ? 'holds' : 'does not hold';
    return { finding: { id, claim, verdict, ...observation, on: type, calls }, isSuspect: false };
  } catch (error) {
    const finding: Finding = { ...notTried(row, errorMessage(error)), on: type, calls };
    const isSuspect = !(error instanceof NotTried);
    if (isSuspect) await shared.remove();
    return { finding, isSuspect };
  } finally {
    await removeItems(kept, surroundings);
  }
}
