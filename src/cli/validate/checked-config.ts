import type { ConfigKeys } from '../../config/read-config.ts';
import type { JsonObject } from '../../json/members.ts';
import type { PluginFolders } from './plugin-folders.ts';

/** What can be read of a configuration, for checks of its meaning. */
export interface CheckedConfig {
  readonly keys: ConfigKeys;
  /** The configuration in win-hcn's keys. */
  readonly json: JsonObject;
  /** The plugin's `type`. */
  readonly type: string;
  readonly folders: PluginFolders;
  /** Returns the JSON pointer in the file for one in win-hcn's keys. */
  readonly place: (path: string) => string;
  /** Whether the member of a JSON pointer in win-hcn's keys has no problem. */
  readonly isSound: (path: string) => boolean;
}

/** A diagnostic of a member of the file, without its position. */
export interface PathDiagnostic {
  /** A JSON pointer in the file. */
  readonly path: string;
  readonly text: string;
  /** Whether it concerns the key, not its value. */
  readonly isKey?: boolean;
}

/** Finds what is valid but does not work as intended. `related` has the JSON pointers of other members that it concerns. */
export type Check = (
  config: CheckedConfig,
) => readonly (PathDiagnostic & { readonly related?: readonly string[] })[];
