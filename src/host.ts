import { CniError, code } from './cni/error.ts';
import type { Host } from './commands/host.ts';
import { type JsonObject, readIpamType, readTimeout } from './config/plugin-members.ts';
import { hcnClient } from './hcn/client.ts';
import { withDeadline } from './hcn/deadline.ts';
import { type Delegate, delegating } from './ipam/delegate.ts';
import { locatePlugin } from './ipam/locate-plugin.ts';
import { ipHelperWithDeadline } from './iphlpapi/deadline.ts';
import type { System } from './system.ts';

/** What a command works with, from a configuration and the system; nothing is loaded or looked up before it is used. */
export function hostFor(json: JsonObject, stdin: string, system: System): Host {
  const seconds = readTimeout(json);
  return {
    hcn: hcnClient(withDeadline(system.loadLibrary, seconds, system.timer)),
    ipHelper: ipHelperWithDeadline(system.loadIpHelper, seconds, system.timer),
    locateIpam: () => {
      const type = readIpamType(json);
      return type === undefined ? undefined : delegate(type, stdin, system);
    },
    timer: system.timer,
    now: system.now,
  };
}

function delegate(type: string, stdin: string, system: System): Delegate {
  const { environment, windows, isFile, executable, spawn } = system;
  if (programName(type) === programName(executable) || environment[delegating] !== undefined) {
    const remedy = 'name a plugin that assigns addresses';
    throw new CniError(code.invalidConfig, `/ipam/type is "${type}", which is this plugin itself: ${remedy}`);
  }
  const path = locatePlugin(type, { cniPath: environment['CNI_PATH'], windows, isFile });
  return { type, path, environment, stdin, spawn };
}

/** The name by which a plugin would be configured, given that name or a path. */
function programName(path: string): string {
  return (path.split(/[\\/]/).at(-1) ?? '').toLowerCase().replace(/\.exe$/, '');
}
