import { gc } from '../../commands/gc.ts';
import { findHresult } from '../../hcn/hresults.ts';
import type { JsonObject } from '../../json/members.ts';
import { describeImpact, previewCommand, printDryRun } from '../change.ts';
import { readJsonFile } from '../config-file.ts';
import { endpointRows } from '../inventory/endpoint-row.ts';
import { readInventory } from '../inventory/read-inventory.ts';
import { openPlugin } from '../plugin-config.ts';
import { selectPlugin } from '../plugin-list.ts';
import { warnUndeclared } from '../runtime-config.ts';
import { exitCode, type Session } from '../session.ts';
import { table } from '../table.ts';
import {
  type CniCommand,
  defaultCniPath,
  pluginInput,
  type RequestFlags,
  type ValidAttachment,
  validAttachments,
} from './plugin-input.ts';
import { type LoggedCall, runPlugin } from './run-plugin.ts';

/** The options of every request. */
export interface Flags extends RequestFlags {
  readonly conf: string;
  readonly plugin?: string;
  readonly prevResult?: string;
  readonly json?: true;
  /** Of GC, which is a dry run without it. */
  readonly yes?: true;
}

/** Runs one request; prints its result on stdout and its calls on stderr. */
export async function runRequest(command: CniCommand, flags: Flags, session: Session): Promise<void> {
  const file = readJsonFile(flags.conf, session, 'all');
  if (file === undefined) return session.setExitCode(exitCode.problemFound);
  const plugin = selectPlugin(file, flags.conf, flags.plugin, session);
  if (plugin === undefined) return session.setExitCode(exitCode.wrongUsage);
  const valid = validAttachments(flags);
  if (command === 'GC' && valid !== undefined && !flags.yes) return previewGc(plugin.config, valid, session);
  const prevResult =
    flags.prevResult === undefined ? undefined : readJsonFile(flags.prevResult, session, 'unreadable');
  if (flags.prevResult !== undefined && prevResult === undefined)
    return session.setExitCode(exitCode.problemFound);
  const input = pluginInput(command, plugin.config, flags, prevResult, defaultCniPath(session.system));
  warnUndeclared(input.undeclared, session);
  const ran = await runPlugin(input, session.system);
  session.setExitCode(ran.exitCode);
  if (flags.json) {
    const { environment, stdin } = input;
    session.print(JSON.stringify({ environment, stdin, ...ran }, undefined, 2));
    return;
  }
  if (ran.answer !== undefined) session.print(JSON.stringify(ran.answer, undefined, 2));
  const { style } = session;
  const outcome = ran.exitCode === exitCode.success ? style('green', 'succeeded') : style('red', 'failed');
  const count = ran.calls.length === 1 ? '1 call' : `${ran.calls.length} calls`;
  session.printStderr(`${command} ${outcome}: ${count} in ${ran.milliseconds} ms`);
  if (ran.calls.length > 0) session.printStderr(callsTable(ran.calls, session));
}

/** VERSION, which takes no configuration. */
export async function printVersions(session: Session): Promise<void> {
  const input = { environment: { CNI_COMMAND: 'VERSION' }, stdin: {}, undeclared: [] };
  const { answer } = await runPlugin(input, session.system);
  session.print(JSON.stringify(answer, undefined, 2));
}

/** The plugin's calls in order, with duration and outcome. */
function callsTable(calls: readonly LoggedCall[], session: Session): string {
  const rows = calls.map((call) => [
    call.milliseconds.toFixed(1).padStart(8),
    outcomeText(call, session),
    call.event === 'call' ? call.call : `${call.plugin} ${call.command}`,
    (call.event === 'call' ? call.id : undefined) ?? '',
  ]);
  return table(['      ms', 'result', 'call', 'object'], rows, session);
}

function outcomeText(call: LoggedCall, { style }: Session): string {
  if (call.error !== undefined) return style('red', 'no response');
  if (call.event === 'run')
    return call.exitCode === 0 ? 'ok' : style('red', `exit ${call.exitCode ?? 'killed'}`);
  const hresult = Number(call.hresult ?? 0);
  return hresult === 0 ? 'ok' : style('yellow', findHresult(hresult)?.symbol ?? call.hresult ?? '');
}

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
