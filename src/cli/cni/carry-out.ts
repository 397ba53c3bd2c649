import { tellDropped } from '../capabilities.ts';
import { choosePlugin } from '../choose-plugin.ts';
import { readConfigFile } from '../config-file.ts';
import { exitCode, type Session } from '../session.ts';
import { callsTable } from './calls-table.ts';
import { type CniCommand, pluginInput, type RequestFlags } from './request.ts';
import { runPlugin } from './run-plugin.ts';

/** What every request takes. */
export interface Flags extends RequestFlags {
  readonly conf: string;
  readonly plugin?: string;
  readonly prevResult?: string;
  readonly json?: true;
}

/** Runs one request and prints the answer on stdout, and on stderr what it took. */
export async function carryOut(command: CniCommand, flags: Flags, session: Session): Promise<void> {
  const file = jsonIn(flags.conf, session, 'all');
  if (file === undefined) return session.end(exitCode.problemFound);
  const plugin = choosePlugin(file, flags.conf, flags.plugin, session);
  if (plugin === undefined) return session.end(exitCode.usage);
  const { executable } = session.system;
  const folder = executable.replace(/[\\/][^\\/]*$/, '');
  const prevResult =
    flags.prevResult === undefined ? undefined : jsonIn(flags.prevResult, session, 'unreadable');
  if (flags.prevResult !== undefined && prevResult === undefined) return session.end(exitCode.problemFound);
  const input = pluginInput(command, plugin.config, flags, prevResult, folder);
  tellDropped(input.dropped, session);
  const ran = await runPlugin(input, session.system);
  session.end(ran.exitCode);
  if (flags.json) {
    const { environment, stdin } = input;
    session.print(JSON.stringify({ environment, stdin, ...ran }, undefined, 2));
    return;
  }
  if (ran.answer !== undefined) session.print(JSON.stringify(ran.answer, undefined, 2));
  const { style } = session;
  const end = ran.exitCode === 0 ? style('green', 'succeeded') : style('red', 'failed');
  const count = ran.calls.length === 1 ? '1 call' : `${ran.calls.length} calls`;
  session.remark(`${command} ${end}: ${count} in ${ran.milliseconds} ms`);
  if (ran.calls.length > 0) session.remark(callsTable(ran.calls, session));
}

/**
 * A file's JSON, undefined where it is none. What is wrong with it is told: all that a runtime would stumble over, or what makes it
 * unreadable, such as not the UTF-16 that PowerShell's `>` writes.
 */
function jsonIn(file: string, session: Session, telling: 'all' | 'unreadable'): unknown {
  const { value, problems } = readConfigFile(session.read(file));
  const name = file === '-' ? 'stdin' : file;
  const told = telling === 'all' || value === undefined ? problems : [];
  for (const { line, column, text } of told) session.remark(`${name}:${line}:${column}: problem: ${text}`);
  return value;
}

/** VERSION, which is about no configuration. */
export async function version(session: Session): Promise<void> {
  const input = { environment: { CNI_COMMAND: 'VERSION' }, stdin: {}, dropped: [] };
  const { answer } = await runPlugin(input, session.system);
  session.print(JSON.stringify(answer, undefined, 2));
}
