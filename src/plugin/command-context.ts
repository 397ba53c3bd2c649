import { CniError, code } from '../cni/error.ts';
import type { CommandContext } from '../commands/command-context.ts';
import { statusSeconds } from '../commands/status.ts';
import { keepSourceVip, readIpamType, readTimeout } from '../config/essential-keys.ts';
import { pluginName } from '../config/open-config.ts';
import { hcnClient } from '../hcn/client.ts';
import { type Limit, limitHcnCalls, limitsInTotal, limitsPerCall, newLimit } from '../hcn/deadline.ts';
import { interceptHcnCalls } from '../hcn/library.ts';
import { delegationMarker, type FindLease, type IpamPlugin, ipamReader } from '../ipam/delegate.ts';
import { leaseFile } from '../ipam/host-local.ts';
import { locatePlugin } from '../ipam/locate-plugin.ts';
import { interceptIpHelperCalls, limitIpHelperCalls } from '../iphlpapi/ip-helper.ts';
import type { JsonObject } from '../json/members.ts';
import type { Log } from '../log/log.ts';
import { logHcnCalls, logIpHelperCalls, logSpawns } from '../log/logged-calls.ts';
import type { Changes, StepTargets } from '../steps/changes.ts';
import { executeSteps } from '../steps/execute.ts';
import type { System } from '../system.ts';

/** The command context for a configuration. Nothing is loaded or looked up before it is used. */
export function newCommandContext(
  command: string,
  json: JsonObject,
  stdin: string,
  system: System,
  write: Log['write'],
): CommandContext {
  const targets = newStepTargets(command, json, stdin, system, write);
  return commandContextOf(targets, executeSteps(targets), write);
}

/** What a command reads and changes, with time limits and log. */
export function commandContextOf(
  targets: StepTargets,
  changes: Changes,
  write: Log['write'],
): CommandContext {
  const { hcn, readNetworks, ipHelper, locateIpam, timer, now } = targets;
  return {
    hcn,
    readNetworks,
    ipHelper,
    locateIpam: () => {
      const plugin = locateIpam();
      return plugin && ipamReader(plugin);
    },
    changes,
    timer,
    now,
    notice: (text) => write({ event: 'notice', text }),
  };
}

/** What the steps of a command change, with time limits and log lines around each call. */
export function newStepTargets(
  command: string,
  json: JsonObject,
  stdin: string,
  system: System,
  write: Log['write'],
): StepTargets {
  const { timer, now, onCall, onRollback } = system;
  const seconds = readTimeout(json);
  const limits =
    command === 'STATUS' ? limitsInTotal(Math.min(statusSeconds, seconds)) : limitsPerCall(seconds);
  const limit = newLimit(limits, timer, now);
  const openClient = (within: Limit) =>
    hcnClient(interceptHcnCalls(system.loadLibrary, logHcnCalls(write, now, limitHcnCalls(within, onCall))));
  let located: IpamPlugin | undefined;
  return {
    hcn: openClient(limit),
    readNetworks: (except) => openClient(newLimit(limitsInTotal(1), timer, now)).findNetworks(except),
    ipHelper: interceptIpHelperCalls(
      system.loadIpHelper,
      logIpHelperCalls(write, now, limitIpHelperCalls(limit, onCall)),
    ),
    locateIpam: () => {
      const type = readIpamType(json);
      if (type === undefined) return undefined;
      const reason = refusesItself(type, system);
      if (reason === undefined) {
        const input = command === 'GC' ? keepSourceVip(json, stdin) : stdin;
        located ??= ipamPlugin(type, json, input, system, write);
        return located;
      }
      // ADD refuses that, so nothing can have been assigned.
      if (command === 'DEL' || command === 'GC') return undefined;
      throw new CniError(code.invalidConfig, `/ipam/type is "${type}", ${reason}`);
    },
    timer,
    now,
    ...(onRollback !== undefined && { onRollback }),
  };
}

/** Why the IPAM plugin is win-hcn itself; undefined for another plugin. */
function refusesItself(type: string, { environment, executable }: System): string | undefined {
  const remedy = 'use a plugin that assigns addresses';
  if (pluginName(type) === pluginName(executable)) return `which is this plugin itself: ${remedy}`;
  return environment[delegationMarker] === undefined
    ? undefined
    : `and ${delegationMarker} in the environment means that win-hcn runs as an IPAM plugin itself: ${remedy}`;
}

function ipamPlugin(
  type: string,
  json: JsonObject,
  stdin: string,
  system: System,
  write: Log['write'],
): IpamPlugin {
  const { environment, windows, isFile, findFile, clock, now } = system;
  const path = locatePlugin(type, { cniPath: environment['CNI_PATH'], windows, isFile });
  const findLease: FindLease = (address) => {
    const found = findFile(leaseFile(json, address, windows));
    if (typeof found !== 'object') return found;
    return { id: found.id, seconds: Math.abs(clock().getTime() - found.modified) / 1000 };
  };
  return {
    type,
    path,
    environment,
    stdin,
    spawn: logSpawns(write, now, system.spawn),
    findLease: pluginName(type) === 'host-local' ? findLease : undefined,
  };
}
