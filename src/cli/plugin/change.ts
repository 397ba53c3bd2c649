import type { CommandContext } from '../../commands/command-context.ts';
import type { IpamReader } from '../../ipam/delegate.ts';
import { isSourceVip } from '../../model/identity.ts';
import type { Assignment } from '../../plan/endpoint-addresses.ts';
import { commandContextOf, newCommandContext, newStepTargets } from '../../plugin/command-context.ts';
import type { StepTargets } from '../../steps/changes.ts';
import { executeSteps } from '../../steps/execute.ts';
import { previewSteps } from '../../steps/preview.ts';
import type { Step } from '../../steps/step.ts';
import { titleOf } from '../../steps/table.ts';
import type { System } from '../../system.ts';
import type { EndpointRow } from '../inventory/endpoint-row.ts';
import { printable } from '../terminal/output.ts';
import { exitCode, type Session } from '../terminal/session.ts';
import { shortContainer } from '../terminal/short-text.ts';
import { wrapSentences } from '../terminal/wrap.ts';

/** In place of a plugin configuration: a person waits at the terminal. */
const config = { hcnTimeoutSeconds: 30 };

/** What a command without a plugin configuration changes. */
export function openTargets(system: System): StepTargets {
  return newStepTargets('DEL', config, '', system, () => undefined);
}

/** A context in which a command without a plugin configuration changes HCN. */
export function openContext(system: System): CommandContext {
  return newCommandContext('DEL', config, '', system, () => undefined);
}

/** Runs a command, but not the IPAM plugin, without changing anything. Returns its steps, and what it throws after these; otherwise undefined. */
export async function previewCommand(
  command: (context: CommandContext) => Promise<unknown>,
  targets: StepTargets,
  type?: string,
  assignment?: Assignment,
) {
  const { hcn, changes, steps } = previewSteps(targets.hcn, assignment);
  const notRun = async () => undefined;
  const ipam: IpamReader | undefined =
    type === undefined ? undefined : { type, check: notRun, status: notRun };
  const context = commandContextOf(targets, changes, () => undefined);
  const failure: unknown = await command({
    ...context,
    hcn,
    readNetworks: async () => [],
    locateIpam: () => ipam,
  }).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { steps, failure };
}

/** A change to confirm: what it interrupts, in sentences, whether `--yes` is set, and what to show while it is executed. */
export interface Change {
  readonly impact: readonly string[];
  readonly yes: boolean;
  readonly progress?: string;
  /** What to change. Default: HCN, without an IPAM plugin. */
  readonly targets?: StepTargets;
  /** The type of the IPAM plugin in `targets`. */
  readonly ipam?: string;
}

/**
 * Prints the steps of a command and its impact, then executes them if `yes` is set. Without it, or without steps, returns undefined;
 * sets exit code 1 for a dry run with steps.
 */
export async function confirmChange<T>(
  command: (context: CommandContext) => Promise<T>,
  { impact, yes, progress, targets: given, ipam }: Change,
  session: Session,
): Promise<{ readonly result: T } | undefined> {
  const targets = given ?? openTargets(session.system);
  const { steps, failure } = await previewCommand(command, targets, ipam);
  if (failure !== undefined) throw failure;
  if (!yes || steps.length === 0) {
    printDryRun(steps, impact, session);
    return undefined;
  }
  printSteps(steps.map(titleOf), impact, session);
  if (progress !== undefined) session.printStderr(printable(progress));
  const context = commandContextOf(targets, executeSteps(targets), () => undefined);
  return { result: await command(context) };
}

/** Prints steps that are not executed, with their impact, and sets exit code 1 if there are any. */
export function printDryRun(steps: readonly Step[], impact: readonly string[], session: Session): void {
  if (steps.length === 0) {
    session.print('Nothing to change.');
    return;
  }
  printSteps(steps.map(titleOf), impact, session);
  reportNoChanges(session);
}

/** Ends a dry run with steps. */
export function reportNoChanges(session: Session): void {
  session.print(session.style('yellow', 'No changes made. Rerun with --yes to apply.'));
  session.setExitCode(exitCode.problemFound);
}

/** Prints the titles of steps with their impact, if there are any. */
export function printSteps(
  titles: readonly string[],
  impact: readonly string[],
  { print, width }: Session,
): void {
  const numbered = titles.map((title, index) => wrapSentences(printable(`${index + 1}. ${title}`), width, 3));
  const texts = [...numbered, ...impact.map((text) => wrapSentences(printable(text), width))];
  if (texts.length > 0) print(texts.join('\n'));
}

/** The warning before an object of another program is deleted. */
export const foreignObjectWarning =
  'Not created by win-hcn: its owner, such as kube-proxy, may not recreate it.';

/** What a container or the node loses with an endpoint, in sentences. */
export function describeImpact({
  id,
  name,
  network,
  owner,
  pod,
  container,
  interface: ifname,
  addresses,
}: EndpointRow): readonly string[] {
  const what = addresses.join(', ') || 'no address';
  if (owner === 'node' && isSourceVip({ id, name }, network))
    return [`kube-proxy loses its source VIP (${what}).`];
  if (owner === 'node')
    return [`The node loses its host endpoint (${what}), which may be the gateway of pods.`];
  if (container === undefined) return [];
  const holder =
    pod === undefined ? `Container ${container}` : `Pod ${pod} (container ${shortContainer(container)})`;
  return [`${holder} loses ${ifname === undefined ? 'its interface' : `interface ${ifname}`} (${what}).`];
}
