import { CniError, code, errorMessage } from '../cni/error.ts';
import { readResult } from '../cni/read-result.ts';
import type { Environment } from '../cni/request.ts';
import type { Result } from '../cni/result.ts';
import { maximumBytes, parseJsonObject } from '../cni/text.ts';
import { parseObject } from '../json/members.ts';

/** Time limit for an IPAM plugin. */
export const timeoutSeconds = 60;

/** Set in the environment of an IPAM plugin, so that a renamed win-hcn does not run itself again. */
export const delegationMarker = 'WIN_HCN_DELEGATING';

/** An IPAM plugin and its input: win-hcn's environment, with `delegationMarker`, and stdin. */
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
  readonly findLease?: FindLease | undefined;
}

/** The IPAM plugin's record of an address, without running it; undefined if it has none. Absent if win-hcn cannot read the plugin's records. */
export type FindLease = (address: string) => Lease | 'unreadable' | undefined;

/** The record of an assigned address: the id of its file, and its age in seconds. */
export interface Lease {
  /** Differs after a release, even if the address was assigned again. */
  readonly id: string;
  /** The age of the assignment. If its time is in the future, because the clock was set back: the distance from now. */
  readonly seconds: number;
}

/** The commands of an IPAM plugin that change nothing. Only steps run the others (src/steps). */
export interface IpamReader {
  readonly type: string;
  /** Throws PluginError for an error of the plugin. */
  check(): Promise<void>;
  /** Takes at most `seconds`. Throws like `check`. */
  status(seconds: number): Promise<void>;
  readonly findLease?: FindLease | undefined;
}

/** The part of an IPAM plugin that changes nothing. */
export function ipamReader(plugin: IpamPlugin): IpamReader {
  return {
    type: plugin.type,
    findLease: plugin.findLease,
    check: () => delegateCommand(plugin, 'CHECK'),
    status: (seconds) => delegateCommand(plugin, 'STATUS', seconds),
  };
}

/** The plugin's own error object. */
export class PluginError extends CniError {}

/** Runs ADD of the plugin and returns its addresses (specification, section 4). Throws PluginError for an error of the plugin. */
export async function delegateAdd(delegate: IpamPlugin): Promise<Result> {
  const source = `the result of IPAM plugin "${delegate.type}"`;
  const result = readResult(parseJsonObject(await execute(delegate, 'ADD', timeoutSeconds), source), source);
  if (result.ips.length === 0) {
    throw new CniError(code.ipamFailure, `IPAM plugin "${delegate.type}" returned no address`, {
      details: 'check the ranges in /ipam',
    });
  }
  return result;
}

/** Runs another command of the plugin, for at most `seconds`. Throws PluginError for an error of the plugin. */
export async function delegateCommand(
  delegate: IpamPlugin,
  command: 'DEL' | 'CHECK' | 'STATUS' | 'GC',
  seconds = timeoutSeconds,
): Promise<void> {
  await execute(delegate, command, seconds);
}

async function execute(delegate: IpamPlugin, command: string, seconds: number): Promise<string> {
  const { type, path, environment, stdin, spawn } = delegate;
  const action = `running IPAM plugin "${type}" (${command})`;
  const given = { ...environment, CNI_COMMAND: command, [delegationMarker]: type };
  const exit = await spawn(path, given, stdin, seconds).catch((cause: unknown) => {
    throw new CniError(code.ipamFailure, `${action}: cannot start ${path}: ${errorMessage(cause)}`, {
      details: 'it must be an executable for this machine that this account may run: try to start it',
      cause,
    });
  });
  if (exit.stdout === undefined) {
    const tooMuch = `more than ${maximumBytes} bytes (1 MiB)`;
    throw new CniError(
      code.ipamFailure,
      `${action}: killed because it printed ${tooMuch}: check the output of ${path}`,
    );
  }
  if (exit.exitCode !== 0) throw failure(action, exit.exitCode, exit.stdout, seconds);
  return exit.stdout;
}

/** The error of a failed run: the plugin's own error object if it printed one. An invalid code becomes code 103. */
function failure(action: string, exitCode: number | null, stdout: string, seconds: number): CniError {
  const error = readError(stdout);
  if (error !== undefined) {
    const failed = `${action}: failed with code ${error.shown}`;
    const isValid = error.code !== undefined;
    const lacksVersion = error.code === code.incompatibleVersion;
    const msg = lacksVersion ? `${action}: ${error.msg}: update it, or correct cniVersions` : error.msg;
    const message = error.msg.trim() === '' ? `${failed} without a message` : msg;
    return new PluginError(error.code ?? code.ipamFailure, message, {
      details: [isValid ? '' : `${failed}, expected an integer from 1 to ${maximumCode}`, error.details]
        .filter(Boolean)
        .join('; '),
      unquoted: failed,
    });
  }
  const end =
    exitCode === null ? `killed, at the latest after ${seconds} s,` : `ended with exit code ${exitCode}`;
  const message = `${action}: ${end} without an error object`;
  return new CniError(code.ipamFailure, message, { details: stdout.slice(0, 500), unquoted: message });
}

/** Go's runtimes read a code as `uint`, which has at least 32 bits. */
const maximumCode = 2 ** 32 - 1;

/** The error that an IPAM plugin printed, without `code` if that is not valid; undefined if it printed none. */
function readError(stdout: string) {
  const { code, msg, details } = parseObject(stdout);
  if (code === undefined || typeof msg !== 'string') return undefined;
  const isValid = typeof code === 'number' && Number.isInteger(code) && code > 0 && code <= maximumCode;
  return {
    code: isValid ? code : undefined,
    shown: JSON.stringify(code).slice(0, 80),
    msg,
    details: typeof details === 'string' ? details : '',
  };
}
