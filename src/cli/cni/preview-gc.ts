import { gc } from '../../commands/gc.ts';
import type { JsonObject } from '../../json/members.ts';
import { describeImpact, previewCommand, printDryRun } from '../change.ts';
import { endpointRows } from '../inventory/endpoint-row.ts';
import { readInventory } from '../inventory/read-inventory.ts';
import { openPlugin } from '../plugin-config.ts';
import type { Session } from '../session.ts';
import type { ValidAttachment } from './plugin-input.ts';

/** Previews GC with these valid attachments. Throws as GC does. */
export async function previewGc(
  given: JsonObject,
  valid: readonly ValidAttachment[],
  session: Session,
): Promise<void> {
  const { config, ipam: type, targets } = openPlugin(given, session.system);
  const { name: network, behavior } = config;
  const attachments = valid.map(({ containerID: containerId, ifname }) => ({ containerId, ifname, network }));
  const rows = endpointRows(await readInventory(session));
  const steps = await previewCommand((context) => gc(network, attachments, behavior, context), targets, {
    type,
  });
  const impact = steps.flatMap((step) =>
    step.do === 'delete endpoint' ? rows.filter(({ id }) => id === step.id).flatMap(describeImpact) : [],
  );
  printDryRun(steps, steps.length === 0 ? ['Nothing to delete.'] : impact, session);
}
