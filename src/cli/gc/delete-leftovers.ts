import { shortMessage, toCniError } from '../../cni/error.ts';
import type { CommandContext } from '../../commands/command-context.ts';
import type { Inventory } from '../../model/inventory.ts';
import { attachedTo, isAttached } from '../../model/readiness.ts';
import type { Step } from '../../steps/step.ts';
import { type EndpointRow, endpointRow } from '../inventory/endpoint-row.ts';
import { openContext } from '../plugin/change.ts';
import { type ExitCode, exitCode, isHnsUnavailable, type Session } from '../terminal/session.ts';
import { shortContainer } from '../terminal/short-text.ts';
import { kept, type LeftoverEndpoint, type Leftovers } from './find-leftovers.ts';

type Outcome = 'deleted' | 'already gone' | 'in use' | 'failed' | 'skipped';

/** How long the endpoint of a running ADD can look like a leftover. */
const graceSeconds = 5;

/**
 * Waits until the endpoints of a running ADD are in use, then deletes those that still are leftovers, and prints each outcome if
 * `isPrinted`. Each deletion has its own time limits: many slow deletions do not mean that the service hangs.
 */
export async function deleteLeftovers(
  { endpoints, inventory }: Leftovers,
  isPrinted: boolean,
  session: Session,
): Promise<{ readonly endpoints: readonly LeftoverEndpoint[]; readonly exitCode: ExitCode }> {
  const print = (text: string) => isPrinted && session.print(text);
  const planned = endpoints.filter(({ outcome }) => outcome !== kept);
  const done: (LeftoverEndpoint & { readonly outcome: Outcome })[] = [];
  let hnsResponds = true;
  if (planned.length > 0) await waitOut(session);
  for (const row of planned) {
    print(`${done.length + 1}. ${titleOf(row)}: ${row.leftover}`);
    const deletion: { outcome: Outcome; problem?: string } = hnsResponds
      ? await deleteLeftover(row, inventory, openContext(session.system)).catch((error: unknown) => {
          hnsResponds = !isHnsUnavailable(error);
          return { outcome: 'failed', problem: shortMessage(toCniError(error).message) };
        })
      : { outcome: 'skipped' };
    print(`   ${outcomeText(deletion, session)}`);
    done.push({ ...row, ...deletion });
  }
  const groups = Map.groupBy(done, ({ outcome }) => outcome);
  const counts = [...groups].map(([outcome, { length }]) => `${length} ${outcome}`).join(', ');
  print(counts === '' ? 'Nothing to delete.' : `\n${counts}`);
  const ended = groups.has('failed') ? exitCode.problemFound : exitCode.success;
  return {
    endpoints: endpoints.map((row) => done.find(({ id }) => id === row.id) ?? row),
    exitCode: hnsResponds ? ended : exitCode.hnsUnavailable,
  };
}

/** Queries an endpoint again, and deletes it if it still is a leftover of the same owner. Throws what the client throws. */
async function deleteLeftover(
  { id, owner }: EndpointRow,
  { networks, endpoints }: Inventory,
  { hcn, changes }: Pick<CommandContext, 'hcn' | 'changes'>,
): Promise<{ readonly outcome: Outcome }> {
  const endpoint = await hcn.findEndpoint(id);
  if (endpoint === undefined) return { outcome: 'already gone' };
  const namespace = isAttached(endpoint) ? await hcn.findNamespace(endpoint.HostComputeNamespace) : undefined;
  const row = endpointRow(endpoint, {
    networks,
    endpoints,
    namespaces: namespace === undefined ? [] : [namespace],
    loadBalancers: [],
  });
  if (row.leftover === undefined || row.owner !== owner) return { outcome: 'in use' };
  const { Name: name } = endpoint;
  // An ADD may attach an unattached endpoint now. `delete endpoint` would then detach it, so that HNS could not refuse the deletion.
  const step: Step<'delete endpoint' | 'delete leftover endpoint'> = isAttached(endpoint)
    ? { do: 'delete endpoint', id, name, namespace: attachedTo(endpoint) }
    : { do: 'delete leftover endpoint', id, name };
  return { outcome: (await changes.apply(step)) ? 'deleted' : 'already gone' };
}

async function waitOut({ system, printStderr }: Session): Promise<void> {
  printStderr(
    `waiting ${graceSeconds} s: the endpoint of an ADD in progress is in no namespace for a moment`,
  );
  await new Promise<void>((resolve) => system.timer(graceSeconds * 1000, resolve));
}

/** The deletion of an endpoint, with its pod or its container; without one, its name. */
function titleOf({ id, name, pod, container, interface: ifname, network, addresses }: EndpointRow) {
  const short = container && [shortContainer(container), ifname].filter(Boolean).join('/');
  const holder = pod === undefined ? (short ?? name) : `pod ${pod}`;
  const where = [`${holder} on ${network}`, ...addresses].join(', ');
  return `delete endpoint ${id} (${where})`;
}

function outcomeText(
  { outcome, problem }: { readonly outcome: Outcome; readonly problem?: string },
  { style }: Session,
): string {
  if (outcome === 'failed') return style('red', `failed: ${problem}`);
  if (outcome === 'skipped') return style('yellow', 'skipped: the Host Network Service does not respond');
  return outcome === 'in use' ? 'in use: kept' : outcome;
}
