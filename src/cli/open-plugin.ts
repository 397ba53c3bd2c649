import type { CommandContext } from '../commands/command-context.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import { openConfig } from '../config/open-config.ts';
import { type JsonObject, readIpamType } from '../config/plugin-members.ts';
import { readNetworkConfig } from '../config/read-config.ts';
import type { Log } from '../log/log.ts';
import { newCommandContext } from '../plugin/command-context.ts';
import type { System } from '../system.ts';

/** A plugin's configuration, and what its ADD works with. */
export interface OpenedPlugin {
  readonly config: NetworkConfig;
  /** The type of the IPAM plugin. */
  readonly ipam: string | undefined;
  readonly host: CommandContext;
}

interface Circumstances {
  /** CNI_ARGS. */
  readonly args?: string;
  /** Is told of each call to HCN as it ends. */
  readonly write?: Log['write'];
}

/** Throws as ADD does for what it finds wrong. */
export function openPlugin(
  given: JsonObject,
  system: System,
  { args = '', write = () => undefined }: Circumstances = {},
): OpenedPlugin {
  const opened = openConfig(given, system.executable, args);
  return {
    config: readNetworkConfig(opened.json, { CNI_ARGS: args }, opened),
    ipam: readIpamType(opened.json),
    host: newCommandContext('ADD', opened.json, '', system, write),
  };
}
