import { isAdapterMissing, isFailure } from '../../hcn/hresults.ts';
import type { ComputeNetworkLibrary } from '../../hcn/library.ts';
import { created, networkDocument } from './documents.ts';
import {
  type Context,
  type Experiment,
  errorText,
  type Ground,
  isExternal,
  type NetworkType,
  NotTried,
  type Observation,
  type Row,
  RunEnded,
  retried,
  type SharedNetwork,
} from './experiment.ts';
import { experiments } from './experiments.ts';
import { newHcnCalls, type OpenObject } from './hcn-calls.ts';
import { removeObjects } from './leftovers.ts';
import { newProbeId } from './names.ts';

/** A run: what it uses of the node, and its results. */
export interface Run extends Pick<Context, 'adapter' | 'newSubnet' | 'pause' | 'now'> {
  /** HCN, whose calls throw if the service fails: its answer then shows nothing about how it behaves. */
  readonly library: ComputeNetworkLibrary;
  /** Waits, even after Ctrl+C. */
  readonly wait: (milliseconds: number) => Promise<void>;
  /** By row. */
  readonly observations: Map<string, Observation>;
  /** How many objects were created. */
  created: number;
}

/** How long a run pauses before each experiment, so that the requests of pods get through. */
const pauseMilliseconds = 250;

/** The types of networks in the order of their experiments; undefined for those that need no network. */
const order: readonly (NetworkType | undefined)[] = [undefined, 'Private', 'L2Bridge', 'Overlay'];

/** The type of the network on a ground; undefined if it has none. */
function networkTypeOf(on: Ground, adapter: string | undefined): NetworkType | undefined {
  if (on === 'node') return undefined;
  if (on !== 'base') return on;
  return adapter === undefined ? 'Private' : 'L2Bridge';
}

/** Whether an experiment is possible with an adapter, or without one. */
export function isPermitted({ on }: Pick<Row, 'on'>, adapter: string | undefined): boolean {
  return adapter !== undefined || !isExternal(on);
}

/**
 * Runs the experiments of rows one after the other, and deletes what each created. An error that no experiment expects, such as a timeout,
 * ends the run: it is thrown.
 */
export async function runExperiments(rows: readonly Row[], run: Run): Promise<void> {
  const { adapter } = run;
  const chosen = experiments.filter((one) =>
    one.rows.some((row) => rows.includes(row) && isPermitted(row, adapter)),
  );
  const groups = Map.groupBy(chosen, ({ on }) => networkTypeOf(on, adapter));
  for (const type of order) await runOn(type, groups.get(type) ?? [], groups.has('L2Bridge'), run);
}

/** What can be used outside of an experiment. */
type OuterContext = Omit<Context, 'network'>;

/** Runs experiments on a network of a type, which it creates and deletes. */
async function runOn(
  type: NetworkType | undefined,
  group: readonly Experiment[],
  hasBridge: boolean,
  run: Run,
): Promise<void> {
  if (group.length === 0) return;
  const all = group.flatMap((one) => one.rows);
  await attempt(all, type, run, async (outer) => {
    const network = type && (await createNetwork(outer, type, type === 'Overlay' && hasBridge));
    for (const { rows, run: observe } of group) {
      await run.pause(pauseMilliseconds);
      await attempt(rows, type, run, async (context) => {
        const found = await observe({
          ...context,
          get network() {
            if (network === undefined) throw new NotTried('the experiment has no network');
            return network;
          },
        });
        for (const [id, observation] of Object.entries(found))
          run.observations.set(id, { ...observation, ...(type && { on: type }) });
      });
    }
  });
}

/**
 * Does work, and deletes the objects that it created. An error is the reason why rows have no observations. Throws it if it ends the run,
 * and RunEnded if HNS does not delete a network: it may be on the adapter.
 */
async function attempt(
  rows: readonly Row[],
  on: NetworkType | undefined,
  run: Run,
  work: (context: OuterContext) => Promise<void>,
): Promise<void> {
  const own: OpenObject[] = [];
  const hcn = newHcnCalls(run.library, (object) => {
    run.created += 1;
    own.push(object);
  });
  const ended = await work({ ...run, ...hcn }).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  const isDeleted = await removeObjects(own, hcn, run.wait);
  if (ended !== undefined) {
    const { error } = ended;
    for (const { id } of rows)
      if (!run.observations.has(id))
        run.observations.set(id, { reason: errorText(error), ...(on && { on }) });
    if (!(error instanceof NotTried) || error instanceof RunEnded) throw error;
  }
  if (!isDeleted) throw new RunEnded('HNS did not delete a network of the probe');
}

/**
 * Creates the network that experiments share. Retries while HNS has not released the adapter, and if HNS refuses a Private network, of
 * which it may create only one at a time.
 */
async function createNetwork(
  context: OuterContext,
  type: NetworkType,
  isReplacement: boolean,
): Promise<SharedNetwork> {
  const [subnet, id] = [context.newSubnet(), newProbeId<'Network'>()];
  const settings = networkDocument(type, subnet, context.adapter);
  const { answer, refusals } = await retried(
    context,
    (hresult) => isAdapterMissing(hresult) || (type === 'Private' && isFailure(hresult)),
    () => context.create('Network', { ...settings, ID: id }, id),
  );
  return { ...(await created(context, answer)), type, subnet, refusals, isReplacement };
}
