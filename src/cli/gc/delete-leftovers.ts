import { shortMessage, toCniError } from '../../cni/error.ts';
import type { CommandContext } from '../../commands/command-context.ts';
import type { Inventory } from '../../model/inventory.ts';
import { isRemote } from '../../model/ownership.ts';
import { attachedTo, isAttached } from '../../model/readiness.ts';
import type { Step } from '../../steps/step.ts';
import { type EndpointRow, endpointRow } from '../inventory/endpoint-row.ts';
import { openContext } from '../plugin/change.ts';
import { type ExitCode, exitCode, isHnsUnavailable, type Session } from '../terminal/session.ts';
import { shortContainer } from '../terminal/short-text.ts';
import {
  findLeftovers,
  kept,
  type Leftover,
  type Leftovers,
  type Report,
  type Scope,
} from './find-leftovers.ts';
import { isSameReservation, type Released, type Reservation, releaseReservation } from './reservations.ts';

/** What became of a leftover. `hnsResponds`: whether the deletion of others makes sense after a failure. */
type Done = Released | { readonly outcome: 'deleted' | 'in use' | 'skipped' };

/** How long the endpoint of a running ADD can look like a leftover. */
const graceSeconds = 5;

/**
 * Waits until the endpoints of a running ADD are in use, then deletes the leftovers, and prints each outcome if `isPrinted`.
 * Each deletion has its own time limits: many slow deletions do not mean that the service hangs.
 */
export async function deleteLeftovers(
  { endpoints, reservations, inventory }: Leftovers,
  scope: Scope,
  flags: { readonly cniPath?: string },
  isPrinted: boolean,
  session: Session,
): Promise<{ readonly report: Report; readonly exitCode: ExitCode }> {
  const print = (text: string) => isPrinted && session.print(text);
  const results: Done[] = [];
  let hnsResponds = true;
  const settle = async <T extends Leftover<object>>(
    one: T,
    title: string,
    run: () => Promise<Done>,
  ): Promise<T> => {
    if (one.outcome === kept) return one;
    print(`${results.length + 1}. ${title}: ${one.stale}`);
    const done: Done = hnsResponds ? await run().catch(failed) : { outcome: 'skipped' };
    if (done.outcome === 'failed') hnsResponds &&= done.hnsResponds;
    print(`   ${outcomeText(done, session)}`);
    results.push(done);
    return {
      ...one,
      outcome: done.outcome,
      ...(done.outcome === 'failed' && { problem: done.problem }),
    };
  };
  const isPlanned = ({ outcome }: Leftover<object>) => outcome !== kept;
  if (endpoints.some(isPlanned)) await waitOut(session);
  const deleted: Leftover<EndpointRow>[] = [];
  for (const row of endpoints) {
    const where = [`${holderText(row)} on ${row.network}`, ...row.addresses].join(', ');
    const title = `delete ${row.remote ? 'remote endpoint' : 'endpoint'} ${row.id} (${where})`;
    deleted.push(await settle(row, title, () => deleteLeftover(row, inventory, openContext(session.system))));
  }
  let second: Promise<Leftovers> | undefined;
  const findAgain = () => {
    second ??= findLeftovers(scope, 'keep all', session);
    return second;
  };
  const released: Leftover<Reservation>[] = [];
  for (const one of reservations) {
    const title = `release ${one.address} through host-local (${holderText(one)} on ${one.network})`;
    released.push(await settle(one, title, () => release(one, findAgain, scope, flags, session)));
  }
  const groups = Map.groupBy(results, ({ outcome }) => outcome);
  const counts = [...groups].map(([outcome, { length }]) => `${length} ${outcome}`).join(', ');
  print(counts === '' ? 'Nothing to delete.' : `\n${counts}`);
  const ended = groups.has('failed') ? exitCode.problemFound : exitCode.success;
  return {
    report: { endpoints: deleted, reservations: released },
    exitCode: hnsResponds ? ended : exitCode.hnsUnavailable,
  };
}

/** Queries an endpoint again, and deletes it if it still is a leftover of the same owner. Throws what the client throws. */
async function deleteLeftover(
  { id, owner }: EndpointRow,
  { networks, endpoints }: Inventory,
  { hcn, changes }: Pick<CommandContext, 'hcn' | 'changes'>,
): Promise<Done> {
  const endpoint = await hcn.findEndpoint(id);
  if (endpoint === undefined) return { outcome: 'already gone' };
  const namespace = isAttached(endpoint) ? await hcn.findNamespace(endpoint.HostComputeNamespace) : undefined;
  const row = endpointRow(endpoint, {
    networks,
    endpoints,
    namespaces: namespace === undefined ? [] : [namespace],
    loadBalancers: isRemote(endpoint) ? await hcn.findLoadBalancers() : [],
  });
  if (row.stale === undefined || row.owner !== owner) return { outcome: 'in use' };
  const { Name: name } = endpoint;
  // An ADD may attach an unattached endpoint now. `delete endpoint` would then detach it, so that HNS could not refuse the deletion.
  const step: Step<'delete endpoint' | 'delete leftover endpoint'> = isAttached(endpoint)
    ? { do: 'delete endpoint', id, name, namespace: attachedTo(endpoint) }
    : { do: 'delete leftover endpoint', id, name };
  return { outcome: (await changes.apply(step)) ? 'deleted' : 'already gone' };
}

/** Releases a reservation that is still unused now that the endpoints are deleted. */
async function release(
  reservation: Reservation,
  findAgain: () => Promise<Leftovers>,
  { config }: Scope,
  flags: { readonly cniPath?: string },
  session: Session,
): Promise<Done> {
  const isSame = (other: Reservation) => isSameReservation(reservation, other);
  const { allReservations, reservations } = await findAgain();
  if (config !== undefined && reservations.some(isSame))
    return releaseReservation(reservation, config, flags, session);
  return { outcome: allReservations.some(isSame) ? 'in use' : 'already gone' };
}

function failed(error: unknown): Done {
  const problem = shortMessage(toCniError(error).message);
  return { outcome: 'failed', problem, hnsResponds: !isHnsUnavailable(error) };
}

async function waitOut({ system, printStderr }: Session): Promise<void> {
  printStderr(
    `waiting ${graceSeconds} s: the endpoint of an ADD in progress is in no namespace for a moment`,
  );
  await new Promise<void>((resolve) => system.timer(graceSeconds * 1000, resolve));
}

/** The pod or the container of a leftover; without one, its name. */
function holderText(one: {
  readonly name?: string;
  readonly pod?: string;
  readonly container?: string;
  readonly interface?: string;
}): string {
  if (one.pod !== undefined) return `pod ${one.pod}`;
  if (one.container === undefined) return one.name ?? '';
  const container = shortContainer(one.container);
  return one.interface === undefined ? container : `${container}/${one.interface}`;
}

function outcomeText(done: Done, { style }: Session): string {
  if (done.outcome === 'failed') return style('red', `failed: ${done.problem}`);
  if (done.outcome === 'skipped')
    return style('yellow', 'skipped: the Host Network Service does not respond');
  if (done.outcome === 'in use') return 'in use: kept';
  return done.outcome === 'already gone' ? done.outcome : style('green', done.outcome);
}
