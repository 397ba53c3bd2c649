import { joinPath } from '../terminal/windows-path.ts';
import type { InstallFiles } from './files.ts';
import { discard } from './in-use.ts';
import { binFileOf } from './layout.ts';

/**
 * Deletes the addons of versions that are no longer in a folder. Every executable counts, also one that is kept or still runs. An addon in
 * use is left for the next run, as are all if an executable cannot be read.
 */
export function removeUnneededAddons(folder: string, files: InstallFiles): void {
  const names = files.list(folder);
  const addons = names.filter((name) => binFileOf(name)?.kind === 'addon');
  // The only one is that of the version in force. Reading the executables takes a moment.
  if (addons.length < 2) return;
  const needed = addonsOf(
    names.filter((name) => /\.exe(\.|$)/i.test(name)).map((name) => joinPath(folder, name)),
    files,
  );
  if (needed === undefined) return;
  for (const name of addons) if (!needed.has(name)) discard(joinPath(folder, name), files);
}

/** The names of the addons that executables unpack; undefined if one cannot be read. */
function addonsOf(paths: readonly string[], files: InstallFiles): ReadonlySet<string> | undefined {
  try {
    const executables = paths.filter((path) => files.status(path)?.kind !== 'folder');
    return new Set(executables.flatMap((path) => files.identify(path).addon ?? []));
  } catch {
    return undefined;
  }
}
