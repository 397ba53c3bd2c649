import { CniError, code } from '../cni/error.ts';
import type { CommandContext } from '../commands/command-context.ts';
import { statusSeconds } from '../commands/status.ts';
import { readIpamType, readTimeout } from '../config/essential-keys.ts';
import { pluginName } from '../config/open-config.ts';
import { hcnClient } from '../hcn/client.ts';
import { limitHcnCalls, limitsInTotal, limitsPerCall, newLimit } from '../hcn/deadline.ts';
import { interceptHcnCalls } from '../hcn/library.ts';
import { type Delegate, delegationMarker } from '../ipam/delegate.ts';
import { locatePlugin } from '../ipam/locate-plugin.ts';
import { interceptIpHelperCalls, limitIpHelperCalls } from '../iphlpapi/ip-helper.ts';
import type { JsonObject } from '../json/members.ts';
import type { Log } from '../log/log.ts';
import { logHcnCalls, logIpHelperCalls, logSpawns } from '../log/logged-calls.ts';
import type { System } from '../system.ts';

/** What a command works with, from a configuration and the system; nothing is loaded or looked up before it is used. */
export function newCommandContext(
  command: string,
  json: JsonObject,
  stdin: string,
  system: System,
  write: Log['write'],
): CommandContext {
  const { timer, now } = system;
  const seconds = readTimeout(json);
  const limits =
    command === 'STATUS' ? limitsInTotal(Math.min(statusSeconds, seconds)) : limitsPerCall(seconds);
  const limit = newLimit(limits, timer, now);
  return {
    hcn: hcnClient(interceptHcnCalls(system.loadLibrary, logHcnCalls(write, now, limitHcnCalls(limit)))),
    ipHelper: interceptIpHelperCalls(
      system.loadIpHelper,
      logIpHelperCalls(write, now, limitIpHelperCalls(limit)),
    ),
    locateIpam: () => {
      const type = readIpamType(json);
      const itself = type === undefined ? undefined : sameAsUs(type, system);
      // ADD refuses that, so that nothing can have been leased.
      if (type === undefined || (itself !== undefined && ['DEL', 'GC'].includes(command))) return undefined;
      if (itself !== undefined) throw new CniError(code.invalidConfig, `/ipam/type is "${type}", ${itself}`);
      return delegate(type, stdin, system, write);
    },
    timer,
    now,
    notice: (text) => write({ event: 'notice', text }),
  };
}

/** Why an IPAM plugin would be win-hcn; undefined for another one. */
function sameAsUs(type: string, { environment, executable }: System): string | undefined {
  const remedy = 'name a plugin that assigns addresses';
  if (pluginName(type) === pluginName(executable)) return `which is this plugin itself: ${remedy}`;
  return environment[delegationMarker] === undefined
    ? undefined
    : `and ${delegationMarker} in the environment says that win-hcn runs as an IPAM plugin itself: ${remedy}`;
}

function delegate(type: string, stdin: string, system: System, write: Log['write']): Delegate {
  const { environment, windows, isFile, now } = system;
  const path = locatePlugin(type, { cniPath: environment['CNI_PATH'], windows, isFile });
  return { type, path, environment, stdin, spawn: logSpawns(write, now, system.spawn) };
}
