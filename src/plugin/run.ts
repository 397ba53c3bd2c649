import { CniError, code, renderError, toCniError } from '../cni/error.ts';
import { attachmentOf, type Request, readRequest } from '../cni/request.ts';
import { renderResult } from '../cni/result.ts';
import { decodeText, normalizeSpaces, parseJsonObject } from '../cni/text.ts';
import { type CniVersion, isAtLeast, latestVersion, readVersion, supportedVersions } from '../cni/version.ts';
import { add } from '../commands/add.ts';
import { check } from '../commands/check.ts';
import { del } from '../commands/del.ts';
import { gc } from '../commands/gc.ts';
import { status } from '../commands/status.ts';
import { readName, readValidAttachments } from '../config/essential-keys.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import { type OpenedConfig, openConfig } from '../config/open-config.ts';
import { foldKeys } from '../json/members.ts';
import type { Log } from '../log/log.ts';
import type { System } from '../system.ts';
import { newCommandContext } from './command-context.ts';
import { openRequestLog } from './request-log.ts';

/** What the process prints on stdout, and its exit code. */
export interface Outcome {
  readonly exitCode: 0 | 1;
  readonly stdout: string;
}

const nothing: Outcome = { exitCode: 0, stdout: '' };

/**
 * Carries out the request in the environment and on stdin. Total: every failure is an error object and exit code 1.
 * `observe` gets what the log gets, while it happens, whether there is a log file or not.
 */
export async function run(system: System, observe: Log['write'] = () => undefined): Promise<Outcome> {
  const log = openRequestLog(system, observe);
  let version: CniVersion = latestVersion;
  try {
    const request = readRequest(system.environment);
    if (request.command === 'VERSION') {
      return success({ cniVersion: await versionOnStdin(system), supportedVersions });
    }
    const stdin = normalizeSpaces(decodeText(readStdin(system)));
    const given = parseJsonObject(stdin, 'the network configuration');
    const config = openConfig(given, system.executable, system.environment['CNI_ARGS'] ?? '');
    const { json } = config;
    version = supportedVersions.find((supported) => supported === json['cniVersion']) ?? latestVersion;
    log.configured(json, given);
    readName(json);
    version = readVersion(json['cniVersion']);
    for (const path of config.ignored) {
      const text = `${path} is not supported and is ignored`;
      // A notice would log every STATUS, which runtimes call every few seconds.
      if (request.command !== 'STATUS') log.write({ event: 'notice', text });
      system.writeStderr(`win-hcn: ${text}\n`);
    }
    const outcome = await carryOut(request, config, stdin, version, system, log.write);
    log.succeeded();
    return outcome;
  } catch (error) {
    return failure(log.failed(error), version);
  }
}

/** The error object of any failure. */
export function failure(error: unknown, version: CniVersion = latestVersion): Outcome {
  return { exitCode: 1, stdout: `${JSON.stringify(renderError(toCniError(error), version))}\n` };
}

async function carryOut(
  request: Exclude<Request, { command: 'VERSION' }>,
  opened: OpenedConfig,
  stdin: string,
  version: CniVersion,
  system: System,
  write: Log['write'],
): Promise<Outcome> {
  const { json, behavior } = opened;
  const host = newCommandContext(request.command, json, stdin, system, write);
  const config = () => validated(opened, system);
  switch (request.command) {
    case 'ADD':
      return success(renderResult(await add(request, await config(), host), version));
    case 'CHECK':
      requireVersion(version, '0.4.0', 'CHECK');
      await check(request, await config(), host);
      return nothing;
    case 'DEL':
      await del(attachmentOf(request, readName(json)), request.namespaceId, host);
      return nothing;
    case 'GC':
      requireVersion(version, '1.1.0', 'GC');
      await gc(readName(json), readValidAttachments(json, readName(json)), behavior, host);
      return nothing;
    case 'STATUS':
      requireVersion(version, '1.1.0', 'STATUS');
      await status(await config(), host);
      return nothing;
  }
}

/** The validator is half of the program, and DEL, GC and VERSION start without it. */
async function validated(opened: OpenedConfig, { environment }: System): Promise<NetworkConfig> {
  const { readNetworkConfig } = await import('../config/read-config.ts');
  return readNetworkConfig(opened.json, environment, opened);
}

function requireVersion(version: CniVersion, since: CniVersion, command: string): void {
  if (isAtLeast(version, since)) return;
  throw new CniError(
    code.incompatibleVersion,
    `cniVersion ${version} does not allow ${command}, which came with ${since}: set it to that or later`,
  );
}

function readStdin(system: System): Uint8Array {
  try {
    return system.readStdin();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CniError(code.ioFailure, `cannot read the network configuration from stdin: ${reason}`, {
      cause,
    });
  }
}

/** The caller's version where it can be told in time and is one of ours: stdin may be a terminal, or never end. */
async function versionOnStdin(system: System): Promise<CniVersion> {
  try {
    const stdin = normalizeSpaces(decodeText(await system.readStdinWithin(200)));
    return readVersion(foldKeys(parseJsonObject(stdin, 'stdin'))['cniversion'] ?? latestVersion);
  } catch {
    return latestVersion;
  }
}

function success(answer: object): Outcome {
  return { exitCode: 0, stdout: `${JSON.stringify(answer)}\n` };
}
