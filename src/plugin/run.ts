import { CniError, code, errorMessage, shortMessage } from '../cni/error.ts';
import { attachmentOf, type Request, readRequest } from '../cni/request.ts';
import { type Result, renderResult } from '../cni/result.ts';
import { decodeText, normalizeSpaces, parseJsonObject } from '../cni/text.ts';
import { type CniVersion, isAtLeast, latestVersion, readVersion, supportedVersions } from '../cni/version.ts';
import { add } from '../commands/add.ts';
import { check } from '../commands/check.ts';
import { del } from '../commands/del.ts';
import { gc } from '../commands/gc.ts';
import { status } from '../commands/status.ts';
import { readCreateNetwork, readName, readValidAttachments } from '../config/essential-keys.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import { type OpenedConfig, openConfig } from '../config/open-config.ts';
import type { Log } from '../log/log.ts';
import type { System } from '../system.ts';
import { newCommandContext } from './command-context.ts';
import { answerVersion, failure, noOutput, type Outcome, success } from './outcome.ts';
import { openRequestLog } from './request-log.ts';

/**
 * Runs the request in the environment and on stdin. Never throws: every failure is an error object and exit code 1.
 * `observe` gets each log entry when it is written, with or without a log file. `print` prints the result of an ADD. If it throws, the ADD
 * fails and is rolled back.
 */
export async function run(
  system: System,
  observe: Log['write'] = () => undefined,
  print: System['writeStdout'] = () => undefined,
): Promise<Outcome> {
  const log = openRequestLog(system, observe);
  let version: CniVersion = latestVersion;
  try {
    const request = readRequest(system.environment);
    if (request.command === 'VERSION') {
      return await answerVersion(system.readStdinWithin);
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
      system.writeStderr(`win-hcn: ${shortMessage(text)}\n`);
    }
    const respond = (result: Result) => {
      const outcome = success(renderResult(result, version));
      printResult(outcome.stdout, print);
      return outcome;
    };
    const outcome = await runCommand(request, config, stdin, version, system, log.write, respond);
    try {
      log.succeeded();
    } catch {
      // The runtime has the result: an error object would be a second document.
    }
    return outcome;
  } catch (error) {
    return failure(log.failed(error), version);
  }
}

async function runCommand(
  request: Exclude<Request, { command: 'VERSION' }>,
  opened: OpenedConfig,
  stdin: string,
  version: CniVersion,
  system: System,
  write: Log['write'],
  respond: (result: Result) => Outcome,
): Promise<Outcome> {
  const { json, behavior } = opened;
  const context = newCommandContext(request.command, json, stdin, system, write);
  const config = () => readConfig(opened, system);
  switch (request.command) {
    case 'ADD':
      return add(request, await config(), context, respond);
    case 'CHECK':
      requireVersion(version, '0.4.0', 'CHECK');
      await check(request, await config(), context);
      return noOutput;
    case 'DEL':
      await del(attachmentOf(request, readName(json)), request.namespaceId, context);
      return noOutput;
    case 'GC': {
      requireVersion(version, '1.1.0', 'GC');
      const network = { name: readName(json), createNetwork: readCreateNetwork(json), behavior };
      await gc(network, readValidAttachments(json, network.name), context);
      return noOutput;
    }
    case 'STATUS':
      requireVersion(version, '1.1.0', 'STATUS');
      await status(await config(), context);
      return noOutput;
  }
}

/** Loads the schema and its validator on demand: DEL, GC and VERSION do not need them. */
async function readConfig(opened: OpenedConfig, { environment }: System): Promise<NetworkConfig> {
  const { readNetworkConfig } = await import('../config/read-config.ts');
  return readNetworkConfig(opened.json, environment, opened);
}

function requireVersion(version: CniVersion, since: CniVersion, command: string): void {
  if (isAtLeast(version, since)) return;
  throw new CniError(
    code.incompatibleVersion,
    `cniVersion ${version} does not have ${command}: set cniVersion to ${since} or later`,
  );
}

function printResult(text: string, print: System['writeStdout']): void {
  try {
    print(text);
  } catch (cause) {
    throw new CniError(code.ioFailure, `cannot write the result to stdout: ${errorMessage(cause)}`, {
      cause,
    });
  }
}

function readStdin(system: System): Uint8Array {
  try {
    return system.readStdin();
  } catch (cause) {
    const message = `cannot read the network configuration from stdin: ${errorMessage(cause)}`;
    throw new CniError(code.ioFailure, message, { cause });
  }
}
