import type { JsonObject } from '../json/members.ts';
import { type Behavior, defaultBehavior } from './behavior.ts';
import { dialectOf } from './dialects/choose.ts';
import { originOf, spelledIn } from './given-paths.ts';
import { foldConfig } from './plugin-members.ts';

/** A configuration in our vocabulary, whatever it was given in; nothing is validated. */
export interface OpenedConfig {
  readonly json: JsonObject;
  readonly behavior: Behavior;
  /** The JSON pointer in the given configuration, as it is spelled there, of what is at one of ours. */
  readonly pathOf: (path: string) => string;
  /** JSON pointers of what was given and means nothing to us, each once, in order. */
  readonly ignored: readonly string[];
}

/** `executable` is the path of the running program, `cniArgs` CNI_ARGS. */
export function openConfig(given: JsonObject, executable: string, cniArgs: string): OpenedConfig {
  const dialect = dialectOf(given, executable);
  if (dialect === undefined) {
    const pathOf = (path: string) => spelledIn(given, path);
    return { json: foldConfig(given), behavior: defaultBehavior, pathOf, ignored: [] };
  }
  const { config, behavior, origins, ignored } = dialect(given, cniArgs);
  return {
    json: foldConfig(config),
    behavior,
    pathOf: (path) => spelledIn(given, originOf(origins, path)),
    ignored: [...new Set(ignored.map((path) => spelledIn(given, path)))].sort(),
  };
}
