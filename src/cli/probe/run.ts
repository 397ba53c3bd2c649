import { HcnError } from '../../hcn/errors.ts';
import { isAdapterMissing, isFailure, isUnavailable } from '../../hcn/hresults.ts';
import { type ComputeNetworkLibrary, type HcnInterceptor, interceptHcnCalls } from '../../hcn/library.ts';
import { idIn, networkDocument, required } from './documents.ts';
import {
  type Context,
  type Experiment,
  errorText,
  type Ground,
  isExternal,
  type NetworkType,
  type NodeAccess,
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
import { newProbeId, newProbeName } from './names.ts';

/** What the operator permits. */
export interface Permissions {
  /** The adapter for external networks. */
  readonly adapter: string | undefined;
  readonly nat: boolean;
  readonly restart: boolean;
}

/** What a run uses of the node. */
export interface RunOptions extends NodeAccess {
  readonly library: ComputeNetworkLibrary;
  readonly permissions: Permissions;
  readonly hasOtherNat: boolean;
  /** Waits, even after Ctrl+C. */
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Called before each experiment. */
  readonly onStart: (row: string) => void;
}

/** What a run observed, by row. `failure` is the error that ended it early; undefined if nothing did. */
export interface RunResult {
  readonly observations: ReadonlyMap<string, Observation & { readonly on?: NetworkType }>;
  readonly failure: unknown;
  /** How many objects were created. */
  readonly created: number;
}

/** How long a run pauses before each experiment, so that the requests of pods get through. */
const pauseMilliseconds = 250;

/** The types of networks in the order of their experiments; undefined for those that need no network. */
const order: readonly (NetworkType | undefined)[] = [undefined, 'Private', 'L2Bridge', 'Overlay', 'NAT'];

/** The type of the network on a ground; undefined if it has none. */
function networkTypeOf(on: Ground, { adapter }: Permissions): NetworkType | undefined {
  if (on === 'node') return undefined;
  if (on === 'service') return 'Private';
  if (on === 'base') return adapter === undefined ? 'Private' : 'L2Bridge';
  return on;
}

/** The option without which an experiment is not permitted; undefined if it is. */
function missingOption(on: Ground, { adapter, nat, restart }: Permissions): string | undefined {
  if (on === 'service') return restart ? undefined : '--restart-hns';
  if (on === 'NAT') return nat ? undefined : '--nat';
  return isExternal(on) && adapter === undefined ? '--adapter' : undefined;
}

/** Why a row is not tried on this node; undefined if it is. */
export function obstacle({ on }: Row, permissions: Permissions, hasOtherNat: boolean): string | undefined {
  const option = missingOption(on, permissions);
  if (option !== undefined) return `requires ${option}`;
  return on === 'NAT' && hasOtherNat
    ? 'another program has a NAT network: with two, HNS may hang'
    : undefined;
}

/** The networks of the permitted rows, in the order of their creation. */
export function networkTypes(
  rows: readonly Row[],
  permissions: Permissions,
  hasOtherNat: boolean,
): readonly NetworkType[] {
  const types = rows
    .filter((row) => obstacle(row, permissions, hasOtherNat) === undefined)
    .map(({ on }) => networkTypeOf(on, permissions));
  return order.flatMap((type) => (type !== undefined && types.includes(type) ? [type] : []));
}

/** Throws if the service failed: its answer then shows nothing about how it behaves. */
const throwIfUnavailable: HcnInterceptor = async (call, make) => {
  const response = await make();
  const { hresult, errorRecord } = response;
  if (isUnavailable(hresult)) throw new HcnError(call.name, hresult, errorRecord);
  return response;
};

/** The state of a run. */
interface Run extends RunOptions {
  readonly permitted: readonly Row[];
  readonly observations: Map<string, Observation & { readonly on?: NetworkType }>;
  /** HCN for experiments that expect the service to work. */
  readonly steadyLibrary: ComputeNetworkLibrary;
  created: number;
  /** A network was on the adapter. */
  hadExternal: boolean;
}

/**
 * Runs the experiments of rows one after the other, and deletes what each created. Never rejects: an error that no experiment expects, such
 * as a timeout, ends the run.
 */
export async function runExperiments(rows: readonly Row[], options: RunOptions): Promise<RunResult> {
  const { permissions, hasOtherNat, library } = options;
  const run: Run = {
    ...options,
    permitted: rows.filter((row) => obstacle(row, permissions, hasOtherNat) === undefined),
    observations: new Map(),
    steadyLibrary: interceptHcnCalls(async () => library, throwIfUnavailable),
    created: 0,
    hadExternal: false,
  };
  const chosen = experiments.filter((one) => one.rows.some((row) => run.permitted.includes(row)));
  let failure: unknown;
  try {
    for (const type of order) {
      const group = chosen.filter(({ on }) => networkTypeOf(on, permissions) === type);
      // A restart may delete the network.
      group.sort((one, other) => Number(one.on === 'service') - Number(other.on === 'service'));
      if (group.length > 0) await runOn(type, group, run);
    }
  } catch (error) {
    failure = error;
  }
  return { observations: run.observations, failure, created: run.created };
}

/** Runs experiments on a network of a type, which it creates and deletes. */
async function runOn(type: NetworkType | undefined, group: readonly Experiment[], run: Run): Promise<void> {
  await withObjects(run, async (shared) => {
    let network: SharedNetwork | undefined;
    try {
      const isReplacement = isExternal(type) && run.hadExternal;
      run.hadExternal ||= isExternal(type);
      if (type !== undefined)
        network = await createNetwork(contextFor('node', shared, undefined, run), type, isReplacement);
    } catch (error) {
      for (const one of group) recordError(one, type, error, run);
      return;
    }
    for (const one of group) await runOne(one, network, run);
  });
}

async function runOne(one: Experiment, network: SharedNetwork | undefined, run: Run): Promise<void> {
  const on = network?.type;
  await run.pause(pauseMilliseconds);
  run.onStart(one.rows.find((row) => run.permitted.includes(row))?.id ?? '');
  await withObjects(run, async (own) => {
    try {
      const found = await one.run(contextFor(one.on, own, network, run));
      for (const [id, observation] of Object.entries(found))
        run.observations.set(id, { ...observation, ...(on !== undefined && { on }) });
    } catch (error) {
      recordError(one, on, error, run);
    }
  });
}

/** Keeps the reason why an experiment has no observations. Throws the error if it ends the run. */
function recordError({ rows }: Experiment, on: NetworkType | undefined, error: unknown, run: Run): void {
  for (const { id } of rows)
    run.observations.set(id, { reason: errorText(error), ...(on !== undefined && { on }) });
  if (!(error instanceof NotTried) || error instanceof RunEnded) throw error;
}

/** Does work with a list of created objects, and deletes them. Throws RunEnded if HNS does not delete a network: it may be on the adapter. */
async function withObjects(options: RunOptions, work: (own: OpenObject[]) => Promise<void>): Promise<void> {
  const own: OpenObject[] = [];
  const ended = await work(own).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  const isDeleted = await removeObjects(own, options);
  if (ended !== undefined) throw ended.error;
  if (!isDeleted) throw new RunEnded('HNS did not delete a network of the probe');
}

/** What an experiment can use; the objects that it creates are added to a list. */
function contextFor(on: Ground, own: OpenObject[], network: SharedNetwork | undefined, run: Run): Context {
  // Experiments that restart the service observe how its calls fail.
  const library = on === 'service' ? run.library : run.steadyLibrary;
  return {
    ...run,
    ...newHcnCalls(library, (object) => {
      run.created += 1;
      own.push(object);
    }),
    get network() {
      if (network === undefined) throw new NotTried('the experiment has no network');
      return network;
    },
  };
}

/**
 * Creates the network that experiments share. Retries while HNS has not released the adapter, and if HNS refuses a Private network, of
 * which it may create only one at a time.
 */
async function createNetwork(
  context: Context,
  type: NetworkType,
  isReplacement: boolean,
): Promise<SharedNetwork> {
  const [name, subnet, requested] = [newProbeName(), context.newSubnet(), newProbeId<'Network'>()];
  const settings = networkDocument(name, type, subnet, context.adapter);
  const { answer, refusals } = await retried(
    context,
    (hresult) => isAdapterMissing(hresult) || (type === 'Private' && isFailure(hresult)),
    () => context.create('Network', { ...settings, ID: requested }, requested),
  );
  const network = required(answer, `creating a ${type} network`);
  const document = required(await context.query(network), `querying a ${type} network`);
  const id = idIn<'Network'>(document) ?? network.id;
  return { ...network, id, type, name, subnet, requested, document, refusals, isReplacement };
}
