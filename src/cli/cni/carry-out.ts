import { readJsonFile } from '../config-file.ts';
import { selectPlugin } from '../plugin-list.ts';
import { warnUndeclared } from '../runtime-config.ts';
import { exitCode, type Session } from '../session.ts';
import { callsTable } from './calls-table.ts';
import { type CniCommand, ownFolder, pluginInput, type RequestFlags, validIn } from './request.ts';
import { runPlugin } from './run-plugin.ts';
import { showGc } from './show-gc.ts';

/** What every request takes. */
export interface Flags extends RequestFlags {
  readonly conf: string;
  readonly plugin?: string;
  readonly prevResult?: string;
  readonly json?: true;
  /** Of GC, which takes away what nobody else names. */
  readonly yes?: true;
}

/** Runs one request and prints the answer on stdout, and on stderr what it took. */
export async function carryOut(command: CniCommand, flags: Flags, session: Session): Promise<void> {
  const file = readJsonFile(flags.conf, session, 'all');
  if (file === undefined) return session.setExitCode(exitCode.problemFound);
  const plugin = selectPlugin(file, flags.conf, flags.plugin, session);
  if (plugin === undefined) return session.setExitCode(exitCode.wrongUsage);
  const valid = validIn(flags);
  if (command === 'GC' && valid !== undefined && !flags.yes) return showGc(plugin.config, valid, session);
  const prevResult =
    flags.prevResult === undefined ? undefined : readJsonFile(flags.prevResult, session, 'unreadable');
  if (flags.prevResult !== undefined && prevResult === undefined)
    return session.setExitCode(exitCode.problemFound);
  const input = pluginInput(command, plugin.config, flags, prevResult, ownFolder(session.system));
  warnUndeclared(input.dropped, session);
  const ran = await runPlugin(input, session.system);
  session.setExitCode(ran.exitCode);
  if (flags.json) {
    const { environment, stdin } = input;
    session.print(JSON.stringify({ environment, stdin, ...ran }, undefined, 2));
    return;
  }
  if (ran.answer !== undefined) session.print(JSON.stringify(ran.answer, undefined, 2));
  const { style } = session;
  const end = ran.exitCode === 0 ? style('green', 'succeeded') : style('red', 'failed');
  const count = ran.calls.length === 1 ? '1 call' : `${ran.calls.length} calls`;
  session.printStderr(`${command} ${end}: ${count} in ${ran.milliseconds} ms`);
  if (ran.calls.length > 0) session.printStderr(callsTable(ran.calls, session));
}

/** VERSION, which is about no configuration. */
export async function version(session: Session): Promise<void> {
  const input = { environment: { CNI_COMMAND: 'VERSION' }, stdin: {}, dropped: [] };
  const { answer } = await runPlugin(input, session.system);
  session.print(JSON.stringify(answer, undefined, 2));
}
