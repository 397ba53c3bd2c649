import type { NetworkConfig } from '../../../config/network-config.ts';
import type { JsonObject } from '../../../json/members.ts';

/** The existing folders in which a runtime may find plugins. */
export interface PluginFolders {
  /** Whether they are those of CNI_PATH, not default ones. */
  readonly areGiven: boolean;
  readonly folders: readonly {
    readonly path: string;
    /** The names of the plugins in it, in lower case and without `.exe`. */
    readonly plugins: readonly string[];
  }[];
}

/** A valid configuration, for checks of its meaning. */
export interface CheckedConfig {
  readonly keys: NetworkConfig;
  /** The configuration in win-hcn's keys. */
  readonly json: JsonObject;
  /** The plugin's `type`. */
  readonly type: string;
  readonly folders: PluginFolders;
  /** Returns the JSON pointer in the file for one in win-hcn's keys. */
  readonly place: (path: string) => string;
}

/** A diagnostic of a member of the file, without its position. */
export interface PathDiagnostic {
  /** A JSON pointer in the file. */
  readonly path: string;
  readonly text: string;
  /** Whether it concerns the key, not its value. */
  readonly isKey?: boolean;
}

/** Finds what is valid but does not work, or not as intended. */
export type Check = (config: CheckedConfig) => readonly PathDiagnostic[];
