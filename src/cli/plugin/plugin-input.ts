import type { Environment } from '../../cni/request.ts';
import type { JsonObject } from '../../json/members.ts';
import type { System } from '../../system.ts';
import { parentFolder } from '../terminal/windows-path.ts';

/** The CNI commands that take a plugin configuration. */
export type CniCommand = 'ADD' | 'CHECK' | 'DEL' | 'GC' | 'STATUS';

/** The options that describe a request; those a command does not have are absent. */
export interface RequestFlags {
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

/** What a runtime passes to a plugin. */
export interface PluginInput {
  readonly environment: Environment;
  readonly stdin: JsonObject;
}

/** `--args`, of commands that run or preview an ADD. */
export const argsOption = [
  '--args <pairs>',
  'CNI_ARGS, such as "K8S_POD_NAME=web;K8S_POD_NAMESPACE=shop"',
] as const;

/** The default CNI_PATH: the folder of the exe. */
export function defaultCniPath({ executable }: System): string {
  return parentFolder(executable);
}

/** The valid attachments of a GC; undefined if no option specifies them. */
export function validAttachments({ keep, keepNone }: RequestFlags): readonly ValidAttachment[] | undefined {
  return keepNone ? [] : keep;
}

/**
 * Returns what libcni would pass to the plugin; capabilities are the `runtimeConfig` of the configuration, where a person puts them.
 * `prevResult` is an earlier result.
 */
export function pluginInput(
  command: CniCommand,
  pluginConfig: JsonObject,
  flags: RequestFlags,
  prevResult: unknown,
  cniPath: string,
): PluginInput {
  const { container, netns, ifname, args } = flags;
  const valid = validAttachments(flags);
  return {
    environment: definedOnly({
      CNI_COMMAND: command,
      CNI_PATH: flags.cniPath ?? cniPath,
      CNI_CONTAINERID: container,
      CNI_NETNS: netns,
      CNI_IFNAME: ifname,
      CNI_ARGS: args,
    }),
    stdin: { ...pluginConfig, ...definedOnly({ prevResult, 'cni.dev/valid-attachments': valid }) },
  };
}

function definedOnly<T>(members: Readonly<Record<string, T | undefined>>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(members).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}
