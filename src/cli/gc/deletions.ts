import { toCniError } from '../../cni/error.ts';
import { shortMessage } from '../../cni/short-message.ts';
import type { CommandContext } from '../../commands/command-context.ts';
import type { Inventory } from '../../model/inventory.ts';
import { isRemote } from '../../model/ownership.ts';
import { attachedTo, isAttached } from '../../model/readiness.ts';
import type { Step } from '../../steps/step.ts';
import { type EndpointRow, endpointRow } from '../inventory/endpoint-row.ts';
import { openContext } from '../plugin/change.ts';
import { type ExitCode, exitCode, isHnsUnavailable, type Session } from '../terminal/session.ts';
import { shortContainer } from '../terminal/short-text.ts';
import type { Leftovers, Stale } from './find-leftovers.ts';
import { includesReservation, type Released, type Reservation } from './reservations.ts';

/** The result of a deletion. */
export type Done = { readonly outcome: 'deleted' | 'in use' | 'skipped' } | Released;

/** The deletion of one leftover. */
export interface Deletion {
  readonly of: 'endpoint' | 'reservation';
  /** Its line in the output. */
  readonly title: string;
  /** Checks that the leftover still is one, and deletes it. Throws what HCN's client throws. */
  run(): Promise<Done>;
}

/** How long the endpoint of a running ADD can look like a leftover. */
const graceSeconds = 5;

/** Returns the deletions of endpoints. Each has its own time limits: many slow deletions do not mean that the service hangs. */
export function endpointDeletions(
  { endpoints, inventory }: Leftovers,
  { system }: Session,
): readonly Deletion[] {
  return endpoints.map((row) => {
    const where = [`${holderText(row)} on ${row.network}`, ...row.addresses].join(', ');
    return {
      of: 'endpoint',
      title: `delete ${row.remote ? 'remote endpoint' : 'endpoint'} ${row.id} (${where}): ${row.stale}`,
      run: async () => ({ outcome: await deleteLeftover(row, inventory, openContext(system)) }),
    };
  });
}

/** Returns the releases of reservations. `findAgain` runs after the deletion of the endpoints, and assumes no further deletions. */
export function reservationReleases(
  { reservations }: Leftovers,
  findAgain: () => Promise<Leftovers>,
  release: (reservation: Reservation) => Promise<Released>,
): readonly Deletion[] {
  let second: Promise<Leftovers> | undefined;
  return reservations
    .filter(({ container }) => container !== undefined)
    .map((reservation: Stale<Reservation>) => ({
      of: 'reservation',
      title: `release ${reservation.address} through host-local (${holderText(reservation)} on ${reservation.network}): ${reservation.stale}`,
      run: async () => {
        second ??= findAgain();
        const { allReservations, reservations: unused } = await second;
        if (includesReservation(unused, reservation)) return release(reservation);
        return { outcome: includesReservation(allReservations, reservation) ? 'in use' : 'already gone' };
      },
    }));
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

/** Waits until the endpoints of a running ADD are in use, then runs the deletions and prints each, if `isPrinted`, with its outcome. */
export async function runDeletions(
  deletions: readonly Deletion[],
  isPrinted: boolean,
  session: Session,
): Promise<readonly Done[]> {
  const print = (text: string) => isPrinted && session.print(text);
  if (deletions.length === 0) {
    print('Nothing to delete.');
    return [];
  }
  if (deletions.some((one) => one.of === 'endpoint')) await waitOut(session);
  const results: Done[] = [];
  let hnsResponds = true;
  for (const [index, { title, run }] of deletions.entries()) {
    print(`${index + 1}. ${title}`);
    const done: Done = hnsResponds ? await run().catch(failed) : { outcome: 'skipped' };
    if (done.outcome === 'failed') hnsResponds &&= done.hnsResponds;
    print(`   ${outcomeText(done, session)}`);
    results.push(done);
  }
  const groups = Map.groupBy(results, ({ outcome }) => outcome);
  print(`\n${[...groups].map(([outcome, { length }]) => `${length} ${outcome}`).join(', ')}`);
  return results;
}

function outcomeText(done: Done, { style }: Session): string {
  switch (done.outcome) {
    case 'deleted':
    case 'released':
      return style('green', done.outcome);
    case 'already gone':
      return done.outcome;
    case 'in use':
      return 'in use: kept';
    case 'skipped':
      return style('yellow', 'skipped: the Host Network Service does not respond');
    case 'failed':
      return style('red', `failed: ${done.problem}`);
  }
}

/** Returns the exit code of a command with these results. */
export function exitCodeFor(results: readonly Done[]): ExitCode {
  const failures = results.filter((done) => done.outcome === 'failed');
  if (failures.some(({ hnsResponds }) => !hnsResponds)) return exitCode.hnsUnavailable;
  return failures.length === 0 ? exitCode.success : exitCode.problemFound;
}

/** Queries an endpoint again, and deletes it if it still is a leftover of the same owner. Throws what the client throws. */
async function deleteLeftover(
  { id, owner }: EndpointRow,
  { networks, endpoints }: Inventory,
  { hcn, changes }: Pick<CommandContext, 'hcn' | 'changes'>,
): Promise<'deleted' | 'already gone' | 'in use'> {
  const endpoint = await hcn.findEndpoint(id);
  if (endpoint === undefined) return 'already gone';
  const namespace = isAttached(endpoint) ? await hcn.findNamespace(endpoint.HostComputeNamespace) : undefined;
  const row = endpointRow(endpoint, {
    networks,
    endpoints,
    namespaces: namespace === undefined ? [] : [namespace],
    loadBalancers: isRemote(endpoint) ? await hcn.findLoadBalancers() : [],
  });
  if (row.stale === undefined || row.owner !== owner) return 'in use';
  const { Name: name } = endpoint;
  // An ADD may attach an unattached endpoint now. `delete endpoint` would then detach it, so that HNS could not refuse the deletion.
  const step: Step<'delete endpoint' | 'delete leftover endpoint'> = isAttached(endpoint)
    ? { do: 'delete endpoint', id, name, namespace: attachedTo(endpoint) }
    : { do: 'delete leftover endpoint', id, name };
  return (await changes.apply(step)) ? 'deleted' : 'already gone';
}

function failed(error: unknown): Done {
  return {
    outcome: 'failed',
    problem: shortMessage(toCniError(error).message),
    hnsResponds: !isHnsUnavailable(error),
  };
}

async function waitOut({ system, printStderr }: Session): Promise<void> {
  printStderr(
    `waiting ${graceSeconds} s: the endpoint of an ADD in progress is in no namespace for a moment`,
  );
  await new Promise<void>((resolve) => system.timer(graceSeconds * 1000, resolve));
}
