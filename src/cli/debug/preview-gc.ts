import type { CommandContext } from '../../commands/command-context.ts';
import { gc } from '../../commands/gc.ts';
import type { JsonObject } from '../../json/members.ts';
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
  if (failure === undefined && deleted.length === 0) {
    const release = `With --yes, IPAM plugin ${type} also releases the addresses of attachments that --keep does not name.`;
    return session.print(type === undefined ? 'Nothing to delete.' : `No endpoints to delete. ${release}`);
  }
  const impact = rows.filter(({ id }) => deleted.includes(id)).flatMap(describeImpact);
  if (steps.length > 0) printDryRun(steps, impact, session);
  if (failure !== undefined) throw failure;
}
