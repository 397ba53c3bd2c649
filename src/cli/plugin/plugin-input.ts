import type { Environment } from '../../cni/request.ts';
import type { JsonObject } from '../../json/members.ts';
import type { System } from '../../system.ts';
import { type CapabilityFlags, withRuntimeConfig } from './runtime-config.ts';

/** The CNI commands that take a plugin configuration. */
export type CniCommand = 'ADD' | 'CHECK' | 'DEL' | 'GC' | 'STATUS';

/** The options that describe a request; those a command does not have are absent. */
export interface RequestFlags extends CapabilityFlags {
  readonly container?: string;
  readonly netns?: string;
  readonly ifname?: string;
  readonly cniPath?: string;
  readonly args?: string;
  /** Of GC: the valid attachments. */
  readonly keep?: readonly ValidAttachment[];
  readonly keepNone?: true;
}

/** One of GC's `cni.dev/valid-attachments`. */
export interface ValidAttachment {
  readonly containerID: string;
  readonly ifname: string;
}

export interface PluginInput {
  readonly environment: Environment;
  readonly stdin: JsonObject;
  /** Requested capabilities that a runtime would not pass, because the configuration does not declare them. */
  readonly undeclared: readonly string[];
}

/** The default CNI_PATH: the folder of the exe. */
export function defaultCniPath({ executable }: System): string {
  return executable.replace(/[\\/][^\\/]*$/, '');
}

/** The valid attachments of a GC; undefined if no option specifies them. */
export function validAttachments({ keep, keepNone }: RequestFlags): readonly ValidAttachment[] | undefined {
  return keepNone ? [] : keep;
}

/** Returns what libcni would pass to the plugin. `prevResult` is an earlier result. */
export function pluginInput(
  command: CniCommand,
  pluginConfig: JsonObject,
  flags: RequestFlags,
  prevResult: unknown,
  cniPath: string,
): PluginInput {
  const { container, netns, ifname, args } = flags;
  const { config, undeclared } = withRuntimeConfig(pluginConfig, flags);
  const valid = validAttachments(flags);
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
      ...config,
      ...(prevResult !== undefined && { prevResult }),
      ...(valid !== undefined && { 'cni.dev/valid-attachments': valid }),
    },
    undeclared,
  };
}
