import { CniError, code } from '../cni/error.ts';
import { readResult } from '../cni/read-result.ts';
import type { Environment } from '../cni/request.ts';
import type { Result } from '../cni/result.ts';
import { maximumBytes, parseJsonObject } from '../cni/text.ts';
import { isObject } from '../json/members.ts';

/** How long an IPAM plugin may take, in seconds. */
const patience = 60;

/** What an IPAM plugin finds in its environment, so that one which is win-hcn under any name does not run itself again. */
export const delegationMarker = 'WIN_HCN_DELEGATING';

/** An IPAM plugin that was found, and what it is run with: our own environment, marked, and stdin. */
export interface IpamPlugin {
  readonly type: string;
  readonly path: string;
  readonly environment: Environment;
  readonly stdin: string;
  readonly spawn: (
    path: string,
    environment: Environment,
    stdin: string,
    seconds: number,
  ) => Promise<{ readonly exitCode: number | null; readonly stdout: string | undefined }>;
}

/** What a command may ask of the IPAM plugin; only steps run it to change something (src/steps). */
export interface IpamReader {
  readonly type: string;
  /** Throws the error that the plugin prints. */
  check(): Promise<void>;
  /** Takes at most `seconds`. Throws the error that the plugin prints. */
  status(seconds: number): Promise<void>;
}

export function ipamReader(plugin: IpamPlugin): IpamReader {
  return {
    type: plugin.type,
    check: () => delegateCommand(plugin, 'CHECK'),
    status: (seconds) => delegateCommand(plugin, 'STATUS', seconds),
  };
}

/** What the plugin itself said, in its own error object. */
export class PluginError extends CniError {}

/** Asks the plugin for addresses (specification, section 4). Throws what the plugin said, with its code and details. */
export async function delegateAdd(delegate: IpamPlugin): Promise<Result> {
  const what = `the result of IPAM plugin "${delegate.type}"`;
  const result = readResult(parseJsonObject(await execute(delegate, 'ADD', patience), what), what);
  if (result.ips.length === 0) {
    throw new CniError(code.ipamFailure, `IPAM plugin "${delegate.type}" assigned no address`, {
      details: 'look at the ranges in /ipam',
    });
  }
  return result;
}

/** Runs the plugin for any other command, for at most `seconds`. Throws what the plugin said. */
export async function delegateCommand(
  delegate: IpamPlugin,
  command: 'DEL' | 'CHECK' | 'STATUS' | 'GC',
  seconds = patience,
): Promise<void> {
  await execute(delegate, command, seconds);
}

async function execute(delegate: IpamPlugin, command: string, seconds: number): Promise<string> {
  const { type, path, environment, stdin, spawn } = delegate;
  const doing = `running IPAM plugin "${type}" (${command})`;
  const given = { ...environment, CNI_COMMAND: command, [delegationMarker]: type };
  const exit = await spawn(path, given, stdin, seconds).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CniError(code.ipamFailure, `${doing}: cannot start ${path}: ${reason}`, {
      details: 'it must be an executable for this machine that this account may run: start it by hand',
      cause,
    });
  });
  if (exit.stdout === undefined) {
    const tooMuch = `more than the ${maximumBytes} bytes (1 MiB) that are allowed`;
    throw new CniError(
      code.ipamFailure,
      `${doing}: it printed ${tooMuch} and was killed: see what ${path} prints`,
    );
  }
  if (exit.exitCode !== 0) throw failure(doing, exit.exitCode, exit.stdout, seconds);
  return exit.stdout;
}

/** The plugin's own error object where it printed one. */
function failure(doing: string, exitCode: number | null, stdout: string, seconds: number): CniError {
  const error = readError(stdout);
  if (error !== undefined) {
    const silent = `${doing}: it failed with code ${error.code} and did not say why`;
    return new PluginError(error.code, error.msg.trim() === '' ? silent : error.msg, {
      details: error.details,
      unquoted: `${doing}: it failed with code ${error.code}`,
    });
  }
  const end =
    exitCode === null ? `was killed, after ${seconds} s at the latest` : `ended with exit code ${exitCode}`;
  const message = `${doing}: it ${end} and printed no error object`;
  return new CniError(code.ipamFailure, message, { details: stdout.slice(0, 500), unquoted: message });
}

function readError(stdout: string): { code: number; msg: string; details: string } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(stdout);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { code, msg, details } = value;
  if (typeof code !== 'number' || !Number.isInteger(code) || code <= 0 || typeof msg !== 'string')
    return undefined;
  return { code, msg, details: typeof details === 'string' ? details : '' };
}
