import type { CommandContext } from '../../commands/command-context.ts';
import { gc } from '../../commands/gc.ts';
import type { JsonObject } from '../../json/members.ts';
import type { Step } from '../../steps/step.ts';
import { titleOf } from '../../steps/table.ts';
import { type EndpointRow, endpointRows } from '../inventory/endpoint-row.ts';
import { readInventory } from '../inventory/read-inventory.ts';
import { describeImpact, previewCommand, reportNoChanges } from '../plugin/change.ts';
import { openPlugin } from '../plugin/plugin-config.ts';
import { printable } from '../terminal/output.ts';
import type { Session } from '../terminal/session.ts';
import { countText } from '../terminal/short-text.ts';
import { wrapSentences } from '../terminal/wrap.ts';

/** One of GC's `cni.dev/valid-attachments`. */
export interface ValidAttachment {
  readonly containerID: string;
  readonly ifname: string;
}

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
  const { steps, failure } = await previewCommand(command, targets, type);
  const deleted = steps.flatMap((step) => (step.do === 'delete endpoint' ? [step.id as string] : []));
  if (failure === undefined && deleted.length === 0) {
    const release = `With --yes, IPAM plugin ${type} also releases the addresses of attachments that --keep does not name.`;
    return session.print(type === undefined ? 'Nothing to delete.' : `No endpoints to delete. ${release}`);
  }
  if (steps.length > 0) printPreview(network, steps, rows, session);
  if (failure !== undefined) throw failure;
}

/** Prints how many endpoints GC deletes, then one line for each: the pod that loses it, or its name. */
function printPreview(
  network: string,
  steps: readonly Step[],
  rows: readonly EndpointRow[],
  session: Session,
): void {
  const lines = steps.map((step) => {
    const row = step.do === 'delete endpoint' ? rows.find(({ id }) => id === step.id) : undefined;
    return (row && describeImpact(row)[0]) ?? titleOf(step);
  });
  const count = steps.filter((step) => step.do === 'delete endpoint').length;
  const texts = [
    `Deletes ${countText(count, 'endpoint')} on "${network}":`,
    ...lines.map((line, i) => `${i + 1}. ${line}`),
  ];
  session.print(texts.map((text) => wrapSentences(printable(text), session.width, 3)).join('\n'));
  reportNoChanges(session);
}
