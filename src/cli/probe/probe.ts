import { CniError, code, errorMessage } from '../../cni/error.ts';
import { limitHcnCalls, limitsPerCall, newLimit } from '../../hcn/deadline.ts';
import type { Guid } from '../../hcn/guid.ts';
import { type HcnInterceptor, interceptHcnCalls, type Kind } from '../../hcn/library.ts';
import { describeObject } from '../../hcn/open-objects.ts';
import type { Inventory } from '../../model/inventory.ts';
import { version } from '../../version.ts';
import { openHcn, readAdapters } from '../inventory/read-inventory.ts';
import type { Session } from '../session.ts';
import { adapterProblem } from './adapter.ts';
import { findLeftovers, type Leftover, newCleaner, removeLeftover } from './leftovers.ts';
import { isProbeAlias, type Subnet, subnetsBeside } from './names.ts';
import { readNodeFacts } from './node-facts.ts';
import { openElsewhere } from './open-elsewhere.ts';
import { readObjects } from './read-objects.ts';
import type { Report } from './report.ts';
import { NotTried, type Row } from './row.ts';
import { type Permissions, runRows, type Surroundings } from './run-rows.ts';

/** The time limit of one call, which may be slow on a busy node, and of the calls that only show whether HNS responds. */
const callLimits = limitsPerCall(30);
const checkLimits = limitsPerCall(10);
/** Before the last attempt to delete leftovers, in milliseconds. */
const lastPause = 5000;
/** After the deletion of an interrupted probe's networks, in milliseconds. */
const adapterPause = 10_000;

export interface Probed {
  readonly report: Report;
  /** The error because of which experiments were not run; undefined if all could be. */
  readonly failure: unknown;
}

/** The experiments would affect others on this node. */
export class Unsuitable extends CniError {
  override readonly name = 'Unsuitable';

  constructor(reason: string) {
    super(code.hcnFailure, reason);
  }
}

/** Deletes the leftovers of earlier probes, runs the experiments of rows, and deletes their leftovers. Throws only Unsuitable. */
export async function probe(
  rows: readonly Row[],
  permissions: Permissions,
  session: Session,
): Promise<Probed> {
  const { system, terminal } = session;
  const interrupt = terminal.interrupt();
  const doubts = new Map<Guid, Kind>();
  const tools = toolsOf(session, permissions, interrupt, doubts);
  let failure: unknown;
  let newSubnet: () => Subnet = noSubnet;
  try {
    const inventory = await readObjects(system, callLimits);
    const leftovers = findLeftovers(inventory);
    for (const problem of await removeAll(leftovers, tools))
      session.printStderr(`win-hcn: not deleted: ${problem}`);
    const others = without(inventory, leftovers);
    newSubnet = await chooseSubnets(permissions, others, session).catch(async (error: unknown) => {
      if (leftovers.length === 0) throw error;
      // Windows moves the addresses of a deleted network back to the adapter.
      await tools.wait(adapterPause);
      return chooseSubnets(permissions, others, session);
    });
  } catch (error) {
    if (error instanceof Unsuitable) throw error;
    failure = error;
  }
  let index = 0;
  const findings = await runRows(rows, permissions, {
    ...tools,
    newSubnet,
    onStart: (row) => {
      index += 1;
      session.status.show('activity', `[${index}/${rows.length}] ${row}`);
    },
    stopReason: async (isSuspect) => {
      if (isSuspect)
        await readObjects(system, checkLimits).catch((error: unknown) => {
          failure = error;
        });
      if (interrupt.aborted) failure ??= new NotTried('interrupted');
      return failure === undefined ? undefined : errorMessage(failure);
    },
  });
  session.status.show('activity', undefined);
  const remaining = await removeLeftovers(session, tools)
    .catch(() => tools.wait(lastPause).then(() => removeLeftovers(session, tools)))
    .catch((error: unknown) => {
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
    remaining: [...remaining, ...[...doubts].map(doubtText)],
  };
  return { report, failure };
}

/** Throws Unsuitable if the adapter of --adapter is in use, or if no addresses are left for probes. Throws as HCN does. */
export async function checkNode(permissions: Permissions, session: Session): Promise<void> {
  const inventory = await readObjects(session.system, callLimits);
  await chooseSubnets(permissions, without(inventory, findLeftovers(inventory)), session);
}

/** Returns a function that returns subnets which the node does not use. Throws as `checkNode`. */
async function chooseSubnets(
  { adapter }: Permissions,
  inventory: Inventory,
  { system }: Session,
): Promise<() => Subnet> {
  const adapters = (await readAdapters(system)).filter(({ alias }) => !isProbeAlias(alias));
  const problem = adapter === undefined ? undefined : adapterProblem(adapter, adapters, inventory);
  if (problem !== undefined) throw new Unsuitable(problem);
  const newSubnet = subnetsBeside(JSON.stringify([inventory.networks, inventory.endpoints, adapters]));
  if (newSubnet === undefined)
    throw new Unsuitable(
      'this node uses addresses in 198.18.0.0/15 and in 100.64.0.0/10: probe needs one of them',
    );
  return newSubnet;
}

function noSubnet(): Subnet {
  throw new NotTried('no subnet was chosen');
}

function doubtText([id, kind]: readonly [Guid, Kind]): string {
  const outcome =
    kind === 'Namespace' ? 'may have created it, with this ID or another' : 'may still create it';
  return `${describeObject(kind, id)}: HCN did not respond to its creation, and ${outcome}`;
}

/** Deletes the objects of probes. Returns why some could not be deleted. Throws if HCN cannot be queried. */
async function removeLeftovers({ system }: Session, tools: Tools): Promise<readonly string[]> {
  return removeAll(findLeftovers(await readObjects(system, callLimits)), tools);
}

async function removeAll(leftovers: readonly Leftover[], tools: Tools): Promise<readonly string[]> {
  const laboratory = newCleaner({ ...tools, newSubnet: noSubnet });
  const problems: string[] = [];
  for (const leftover of leftovers) {
    const problem = await removeLeftover(leftover, laboratory).catch(errorMessage);
    if (problem === undefined) tools.settle(leftover.id);
    else problems.push(problem);
  }
  return problems;
}

function without(inventory: Inventory, leftovers: readonly Leftover[]): Inventory {
  const ids = new Set<string>(leftovers.map(({ id }) => id));
  const isOther = ({ ID }: { readonly ID: string }) => !ids.has(ID);
  return {
    ...inventory,
    networks: inventory.networks.filter(isOther),
    endpoints: inventory.endpoints.filter(isOther),
  };
}

/** What experiments use, before the subnets are chosen. */
interface Tools extends Omit<Surroundings, 'newSubnet' | 'onStart' | 'stopReason'> {
  /** Ends the doubt about an object that was found and deleted. */
  readonly settle: (id: Guid) => void;
  /** Waits, even after Ctrl+C. */
  readonly wait: (milliseconds: number) => Promise<void>;
}

function toolsOf(
  session: Session,
  { adapter }: Permissions,
  interrupt: AbortSignal,
  doubts: Map<Guid, Kind>,
): Tools {
  const { system, terminal } = session;
  // Each call has a limit of its own: the calls of a hundred experiments share no total.
  const limited: HcnInterceptor = (call, make) =>
    limitHcnCalls(newLimit(callLimits, system.timer, system.now), system.onCall)(call, make);
  return {
    adapter,
    library: interceptHcnCalls(system.loadLibrary, limited),
    doubt: (kind, id) => void doubts.set(id, kind),
    settle: (id) => void doubts.delete(id),
    openElsewhere: (kind, id) => openElsewhere(kind, id, session),
    adapters: () => readAdapters(system),
    powershell: async (script, seconds) => {
      const result = await terminal.powershell(script, seconds);
      if ('problem' in result) throw new NotTried(result.problem);
      return result.stdout;
    },
    wait: (milliseconds) => new Promise((resolve) => void system.timer(milliseconds, resolve)),
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
