import { CniError, code } from './cni/error.ts';
import type { Host } from './commands/host.ts';
import { pluginName } from './config/dialects/choose.ts';
import { type JsonObject, readIpamType, readTimeout } from './config/plugin-members.ts';
import { aroundCalls } from './hcn/around-calls.ts';
import { hcnClient } from './hcn/client.ts';
import { hcnWithin, newLimit } from './hcn/deadline.ts';
import { type Delegate, delegating } from './ipam/delegate.ts';
import { locatePlugin } from './ipam/locate-plugin.ts';
import { aroundCalls as aroundIpHelper, ipHelperWithin } from './iphlpapi/around-calls.ts';
import type { Log } from './log/log.ts';
import { loggedHcn, loggedIpHelper, loggedSpawn } from './log/logged-calls.ts';
import type { System } from './system.ts';

/** What a command works with, from a configuration and the system; nothing is loaded or looked up before it is used. */
export function hostFor(json: JsonObject, stdin: string, system: System, write: Log['write']): Host {
  const { timer, now } = system;
  const limit = newLimit(readTimeout(json), timer, now);
  return {
    hcn: hcnClient(aroundCalls(system.loadLibrary, loggedHcn(write, now, hcnWithin(limit)))),
    ipHelper: aroundIpHelper(system.loadIpHelper, loggedIpHelper(write, now, ipHelperWithin(limit))),
    locateIpam: () => {
      const type = readIpamType(json);
      return type === undefined ? undefined : delegate(type, stdin, system, write);
    },
    timer,
    now,
    notice: (text) => write({ event: 'notice', text }),
  };
}

function delegate(type: string, stdin: string, system: System, write: Log['write']): Delegate {
  const { environment, windows, isFile, executable, now } = system;
  if (pluginName(type) === pluginName(executable) || environment[delegating] !== undefined) {
    const remedy = 'name a plugin that assigns addresses';
    throw new CniError(code.invalidConfig, `/ipam/type is "${type}", which is this plugin itself: ${remedy}`);
  }
  const path = locatePlugin(type, { cniPath: environment['CNI_PATH'], windows, isFile });
  return { type, path, environment, stdin, spawn: loggedSpawn(write, now, system.spawn) };
}
