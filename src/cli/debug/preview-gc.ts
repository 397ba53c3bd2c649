import type { CommandContext } from '../../commands/command-context.ts';
import { gc } from '../../commands/gc.ts';
import type { JsonObject } from '../../json/members.ts';
import { findStore, type Reservation, readReservations } from '../gc/reservations.ts';
import { endpointRows } from '../inventory/endpoint-row.ts';
import { readInventory } from '../inventory/read-inventory.ts';
import { describeImpact, previewCommand, printDryRun } from '../plugin/change.ts';
import { openPlugin } from '../plugin/plugin-config.ts';
import type { ValidAttachment } from '../plugin/plugin-input.ts';
import type { Session } from '../terminal/session.ts';

/**
 * Previews GC with these valid attachments. Exit code: success if there is nothing to delete. If GC would fail, prints the steps that
 * it would perform before, then throws.
 */
export async function previewGc(
  given: JsonObject,
  valid: readonly ValidAttachment[],
  session: Session,
): Promise<void> {
  const { config, ipam: type, targets } = openPlugin(given, session.system);
  const network = config.name;
  const attachments = valid.map(({ containerID: containerId, ifname }) => ({ containerId, ifname, network }));
  const rows = endpointRows(await readInventory(session));
  const command = (context: CommandContext) => gc(config, attachments, context);
  const { steps, failure } = await previewCommand(command, targets, { type });
  const deleted = steps.flatMap((step) => (step.do === 'delete endpoint' ? [step.id as string] : []));
  const released = type === undefined ? [] : findReleased(given, valid, session);
  if (failure === undefined && deleted.length === 0 && !released?.length) {
    session.print(
      released === undefined
        ? `No endpoints to delete. With --yes, IPAM plugin ${type} also releases the addresses of attachments that --keep does not name.`
        : 'Nothing to delete.',
    );
    return;
  }
  const impact = [
    ...rows.filter(({ id }) => deleted.includes(id)).flatMap(describeImpact),
    ...(released ?? []).map(releaseText),
  ];
  if (steps.length > 0) printDryRun(steps, impact, session);
  if (failure !== undefined) throw failure;
}

/** The reservations that host-local would release; undefined if they cannot be read, as those of other IPAM plugins. */
function findReleased(
  config: JsonObject,
  valid: readonly ValidAttachment[],
  session: Session,
): readonly Reservation[] | undefined {
  const store = findStore(config, session);
  if (store === undefined) return undefined;
  const { reservations, problems } = readReservations(store, session);
  return problems.length > 0 ? undefined : reservations.filter((one) => !valid.some(isHolderOf(one)));
}

function isHolderOf({ container, interface: own }: Reservation): (attachment: ValidAttachment) => boolean {
  return ({ containerID, ifname }) => containerID === container && (own === undefined || own === ifname);
}

function releaseText({ address, container }: Reservation): string {
  return container === undefined
    ? `Address ${address}, which no container holds, is released.`
    : `Container ${container} loses its reserved address ${address}.`;
}
