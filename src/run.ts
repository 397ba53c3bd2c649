import { CniError, code, renderError } from './cni/error.ts';
import { type Request, readRequest } from './cni/request.ts';
import { renderResult } from './cni/result.ts';
import { decodeText, parseJsonObject } from './cni/text.ts';
import { type CniVersion, isAtLeast, latestVersion, readVersion, supportedVersions } from './cni/version.ts';
import { add } from './commands/add.ts';
import { check } from './commands/check.ts';
import { del } from './commands/del.ts';
import { toCniError } from './commands/failures.ts';
import type { Host } from './commands/host.ts';
import type { TeardownConfig } from './config/network-config.ts';
import { type JsonObject, readNetworkConfig, readTeardownConfig } from './config/read-config.ts';
import { hcnClient } from './hcn/client.ts';
import { withDeadline } from './hcn/deadline.ts';
import type { Delegate } from './ipam/delegate.ts';
import { findPlugin } from './ipam/find-plugin.ts';
import type { System } from './system.ts';

/** What the process prints on stdout, and its exit code. */
export interface Outcome {
  readonly exitCode: 0 | 1;
  readonly stdout: string;
}

/** Carries out the request in the environment and on stdin. Total: every failure is an error object and exit code 1. */
export async function run(system: System): Promise<Outcome> {
  let version: CniVersion = latestVersion;
  try {
    const request = readRequest(system.environment);
    if (request.command === 'VERSION') {
      return success({ cniVersion: latestVersion, supportedVersions });
    }
    const stdin = decodeText(system.readStdin());
    const json = parseJsonObject(stdin, 'the network configuration');
    version = readVersion(json['cniVersion']);
    return await carryOut(request, json, stdin, version, system);
  } catch (error) {
    return { exitCode: 1, stdout: `${JSON.stringify(renderError(toCniError(error), version))}\n` };
  }
}

async function carryOut(
  request: Exclude<Request, { command: 'VERSION' }>,
  json: JsonObject,
  stdin: string,
  version: CniVersion,
  system: System,
): Promise<Outcome> {
  switch (request.command) {
    case 'ADD': {
      const config = readNetworkConfig(json);
      return success(renderResult(await add(request, config, await hostFor(config, stdin, system)), version));
    }
    case 'CHECK': {
      if (!isAtLeast(version, '0.4.0')) {
        throw new CniError(
          code.incompatibleVersion,
          `cniVersion ${version} does not allow CHECK, which came with 0.4.0`,
        );
      }
      const config = readNetworkConfig(json);
      await check(request, config, await hostFor(config, stdin, system));
      return { exitCode: 0, stdout: '' };
    }
    case 'DEL': {
      const config = readTeardownConfig(json);
      await del(request, config, await hostFor(config, stdin, system));
      return { exitCode: 0, stdout: '' };
    }
  }
}

async function hostFor(config: TeardownConfig, stdin: string, system: System): Promise<Host> {
  const library = await system.loadLibrary();
  return {
    hcn: hcnClient(withDeadline(library, config.hcnTimeoutSeconds, system.timer)),
    findIpam: () => (config.ipamType === undefined ? undefined : findIpam(config.ipamType, stdin, system)),
    sleep: (milliseconds) => new Promise((resolve) => system.timer(milliseconds, resolve)),
    now: system.now,
  };
}

function findIpam(
  type: string,
  stdin: string,
  { environment, windows, isFile, executable, run }: System,
): Delegate {
  const path = findPlugin(type, { cniPath: environment['CNI_PATH'], windows, isFile });
  if (path === executable)
    throw new CniError(code.invalidConfig, `/ipam/type is "${type}", which is win-hcn itself`);
  return { type, path, environment, stdin, run };
}

function success(answer: object): Outcome {
  return { exitCode: 0, stdout: `${JSON.stringify(answer)}\n` };
}
