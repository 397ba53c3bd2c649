import type { Environment } from '../../cni/request.ts';
import type { JsonObject } from '../../config/plugin-members.ts';
import type { System } from '../../system.ts';
import { type CapabilityFlags, withRuntimeConfig } from '../runtime-config.ts';

/** The commands a runtime has for a plugin's configuration. */
export type CniCommand = 'ADD' | 'CHECK' | 'DEL' | 'GC' | 'STATUS';

/** What a person says of a request; what a command does not take is absent. */
export interface RequestFlags extends CapabilityFlags {
  readonly container?: string;
  readonly netns?: string;
  readonly ifname?: string;
  readonly cniPath?: string;
  readonly args?: string;
  /** Of GC: the attachments that are valid. */
  readonly keep?: readonly Attached[];
  readonly keepNone?: true;
}

export interface Attached {
  readonly containerID: string;
  readonly ifname: string;
}

/** What the plugin gets. */
export interface PluginInput {
  readonly environment: Environment;
  readonly stdin: JsonObject;
  /** Capabilities that were asked for and are not in the configuration, so that no runtime passes them. */
  readonly dropped: readonly string[];
}

/** The folder of the exe: a runtime takes IPAM plugins from where it takes win-hcn from. */
export function ownFolder({ executable }: System): string {
  return executable.replace(/[\\/][^\\/]*$/, '');
}

/** Of GC: the attachments that are valid; undefined where nothing is said of them. */
export function validIn({ keep, keepNone }: RequestFlags): readonly Attached[] | undefined {
  return keepNone ? [] : keep;
}

/** Makes of a plugin's configuration and flags what libcni would pass to the plugin. `prevResult` is an earlier result. */
export function pluginInput(
  command: CniCommand,
  config: JsonObject,
  flags: RequestFlags,
  prevResult: unknown,
  cniPath: string,
): PluginInput {
  const { container, netns, ifname, args } = flags;
  const { config: asked, dropped } = withRuntimeConfig(config, flags);
  const valid = validIn(flags);
  return {
    environment: {
      CNI_COMMAND: command,
      CNI_PATH: flags.cniPath ?? cniPath,
      ...(container !== undefined && { CNI_CONTAINERID: container }),
      ...(netns !== undefined && { CNI_NETNS: netns }),
      ...(ifname !== undefined && { CNI_IFNAME: ifname }),
      ...(args !== undefined && { CNI_ARGS: args }),
    },
    stdin: {
      ...asked,
      ...(prevResult !== undefined && { prevResult }),
      ...(valid !== undefined && { 'cni.dev/valid-attachments': valid }),
    },
    dropped,
  };
}
