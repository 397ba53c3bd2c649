import { HcnError } from '../../hcn/errors.ts';
import type { Guid, Kind } from '../../hcn/guid.ts';
import { isUnavailable } from '../../hcn/hresults.ts';
import { type HcnInterceptor, interceptHcnCalls } from '../../hcn/library.ts';
import type { JsonObject } from '../../json/members.ts';
import type { Context, Part, SharedNetwork } from './context.ts';
import { type CallRecord, newHcnCalls, type OpenObject } from './hcn-calls.ts';
import { type RemovalOptions, removeObjects } from './leftovers.ts';
import { classOf, createNetwork, type NetworkClass, newNetworkCount } from './networks.ts';
import { errorText, isExternal, type NetworkType, NotTried } from './observation.ts';
import type { Finding } from './report.ts';
import type { Ground, Row } from './row.ts';

/** What the operator permits. */
export interface Permissions {
  /** The adapter for external networks. */
  readonly adapter: string | undefined;
  readonly nat: boolean;
  readonly restart: boolean;
}

/** What experiments use of the node, and callbacks of the command. */
export interface RunOptions
  extends RemovalOptions,
    Pick<Context, 'adapter' | 'adapters' | 'restartHns' | 'newSubnet' | 'pause' | 'now'> {
  readonly hasOtherNat: boolean;
  /** How many networks may be created. */
  readonly limits: Readonly<Record<NetworkClass, number>>;
  /** Called before each experiment. */
  readonly onStart: (row: string) => void;
  readonly onCreated: () => void;
  /** HCN did not respond, and may have created the object. */
  readonly onUnknown: (kind: Kind, id: Guid, document: JsonObject) => void;
  /** Why no further experiment can be run; undefined if it can. `isSuspect`: a call failed in an unexpected way. */
  readonly stopReason: (isSuspect: boolean) => Promise<string | undefined>;
}

/** How long a run pauses after each experiment, so that the requests of pods get through. */
export const pauseMilliseconds = 250;

/**
 * Experiments on one ground follow each other and share its network. The restart of HNS comes last on the Private network, whose objects
 * it may delete.
 */
function orderOf({ adapter }: Pick<Permissions, 'adapter'>): readonly Ground[] {
  const onPrivate: readonly Ground[] = adapter === undefined ? ['base', 'service'] : ['service', 'base'];
  return ['node', 'first', 'Private', ...onPrivate, 'L2Bridge', 'Overlay', 'NAT'];
}

/** The type of the network on a ground; undefined if it has none. */
export function networkTypeOf(
  on: Ground,
  { adapter }: Pick<Permissions, 'adapter'>,
): NetworkType | undefined {
  if (on === 'node') return undefined;
  if (on === 'service' || on === 'first') return 'Private';
  if (on === 'base') return adapter === undefined ? 'Private' : 'L2Bridge';
  return on;
}

/** The rows in the order of their experiments. */
export function inOrder(rows: readonly Row[], permissions: Pick<Permissions, 'adapter'>): readonly Row[] {
  const grounds = orderOf(permissions);
  return rows.toSorted((one, other) => grounds.indexOf(one.on) - grounds.indexOf(other.on));
}

/** The option without which an experiment is not permitted; undefined if it is. */
export function missingOption({ on }: Row, { adapter, nat, restart }: Permissions): string | undefined {
  if (on === 'service') return restart ? undefined : '--restart-hns';
  if (on === 'NAT') return nat ? undefined : '--nat';
  return isExternal(on) && adapter === undefined ? '--adapter' : undefined;
}

/** Why an experiment is not run on this node; undefined if it is. */
export function obstacle(row: Row, permissions: Permissions, hasOtherNat: boolean): string | undefined {
  const option = missingOption(row, permissions);
  if (option !== undefined) return `requires ${option}`;
  return row.on === 'NAT' && hasOtherNat
    ? 'another program has a NAT network: with two, HNS may hang'
    : undefined;
}

/** Throws if the service failed: its answer then shows nothing about how it behaves. */
const throwIfUnavailable: HcnInterceptor = async (call, make) => {
  const response = await make();
  const { hresult, errorRecord } = response;
  if (isUnavailable(hresult)) throw new HcnError(call.name, hresult, errorRecord);
  return response;
};

/**
 * Runs the experiments of rows one after the other, and deletes what each created. Never rejects. The findings have the order of the
 * rows.
 */
export async function runRows(
  rows: readonly Row[],
  permissions: Permissions,
  options: RunOptions,
): Promise<readonly Finding[]> {
  const findings = new Map<Row, Finding>();
  const run = newRun(options);
  let stopped = await options.stopReason(false);
  for (const row of inOrder(rows, permissions)) {
    const reason = obstacle(row, permissions, options.hasOtherNat) ?? stopped;
    if (reason !== undefined) {
      findings.set(row, notTried(row, reason));
      continue;
    }
    options.onStart(row.id);
    const { finding, isSuspect } = await run.row(row, networkTypeOf(row.on, permissions));
    findings.set(row, finding);
    // After Ctrl+C, stopReason says so.
    await options.pause(pauseMilliseconds).catch(() => undefined);
    stopped = await options.stopReason(isSuspect);
  }
  await run.remove();
  return rows.flatMap((row) => findings.get(row) ?? []);
}

function notTried({ id, claim }: Row, reason: string): Finding {
  return { id, claim, verdict: 'not tried', reason };
}

/** Runs single experiments. */
function newRun(options: RunOptions) {
  const count = newNetworkCount(options.limits);
  /** The objects that experiments share, and what they share of them. */
  const shared: OpenObject[] = [];
  const parts = new Map<Part<unknown>, Promise<unknown>>();
  let current: { readonly type: NetworkType; readonly network: Promise<SharedNetwork> } | undefined;
  let hadExternal = false;
  /** Why no network of a class is created any more. */
  const closed = new Map<NetworkClass, string>();
  const library = interceptHcnCalls(async () => options.library, throwIfUnavailable);

  const remove = async (): Promise<void> => {
    parts.clear();
    const isOnAdapter = isExternal(current?.type);
    current = undefined;
    const remaining = await removeObjects(shared.splice(0), options);
    if (isOnAdapter && remaining.some(({ kind }) => kind === 'Network'))
      closed.set('external', 'HNS did not delete the network before, which may still be on the adapter');
  };

  /** A context whose objects are kept in a list. */
  const contextFor = (
    row: Row,
    type: NetworkType | undefined,
    calls: CallRecord[],
    kept: OpenObject[],
  ): Context => {
    // Experiments that restart the service observe how its calls fail.
    const usedLibrary = row.on === 'service' ? options.library : library;
    const hcn = newHcnCalls(usedLibrary, options.now, {
      onCall: (call) => void calls.push(call),
      beforeCreate: count.add,
      onCreated: (object) => {
        options.onCreated();
        kept.push(object);
      },
      onRefused: count.subtract,
      onUnknown: (kind, id, document) => {
        if (kind === 'Network')
          closed.set(classOf(document['Type']), 'HCN did not respond to the creation of such a network');
        options.onUnknown(kind, id, document);
      },
    });
    const context: Context = {
      ...options,
      ...hcn,
      roomFor: count.roomFor,
      network: async () => {
        if (type === undefined) throw new NotTried('the experiment has no network');
        if (row.after !== undefined && !hadExternal && current?.type !== type) await use(row.after);
        return use(type);
      },
      share: <T>(part: Part<T>): Promise<T> => {
        const made = parts.get(part) ?? part.make(contextFor(row, type, calls, shared));
        parts.set(part, made);
        return made as Promise<T>;
      },
    };
    const use = async (wanted: NetworkType): Promise<SharedNetwork> => {
      if (current?.type !== wanted) {
        if (current !== undefined) await remove();
        const reason = closed.get(classOf(wanted));
        if (reason !== undefined) throw new NotTried(reason);
        const isReplacement = isExternal(wanted) && hadExternal;
        hadExternal ||= isExternal(wanted);
        const network = createNetwork(contextFor(row, type, calls, shared), wanted, isReplacement);
        current = { type: wanted, network };
      }
      return current.network;
    };
    return context;
  };

  return {
    /** Deletes the shared objects. */
    remove,
    /** Runs one experiment. `isSuspect`: a call failed in a way that no experiment expects, such as a timeout. */
    row: async (
      row: Row,
      type: NetworkType | undefined,
    ): Promise<{ readonly finding: Finding; readonly isSuspect: boolean }> => {
      const calls: CallRecord[] = [];
      const own: OpenObject[] = [];
      const { id, claim } = row;
      const about = { ...(type !== undefined && { on: type }), calls };
      try {
        if (type !== undefined && current?.type !== type && row.after === undefined) await remove();
        const observation = await row.run(contextFor(row, type, calls, own));
        return {
          finding: { id, claim, ...verdictOf(row, observation.observed), ...observation, ...about },
          isSuspect: false,
        };
      } catch (error) {
        const isSuspect = !(error instanceof NotTried);
        await removeObjects(own.splice(0), options);
        if (isSuspect) await remove();
        return { finding: { ...notTried(row, errorText(error)), ...about }, isSuspect };
      } finally {
        await removeObjects(own, options);
      }
    },
  };
}

function verdictOf({ expected, handled }: Row, observed: string): Pick<Finding, 'verdict' | 'handled'> {
  if (expected.includes(observed)) return { verdict: 'holds' };
  return { verdict: 'does not hold', handled: handled.includes(observed) };
}
