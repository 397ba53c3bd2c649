import { CniError, code, errorMessage } from '../../cni/error.ts';
import { fileName } from '../terminal/windows-path.ts';
import type { FileChange } from './file-changes.ts';
import type { InstallFiles } from './files.ts';
import { deleteOrRetire, discard, isInUse, retiredPath, retryWhileInUse } from './in-use.ts';
import { ending } from './names.ts';

/** How long a new version may take to print its version, also while a scanner examines it. */
const firstRunSeconds = 60;

/** Copies a new version beside the path that it will have, checks its content and runs it once. */
export function stageExecutable(source: string, path: string, sha256: string): FileChange {
  const staged = `${path}${ending.staged}`;
  return {
    title: `copy ${source} to ${staged} and run it once`,
    run: async (files) => {
      try {
        await deleteOrRetire(staged, files);
        // A rollback needs no space.
        if (source !== `${path}${ending.previous}`) files.copyNew(source, staged);
        else linkOrCopy(source, staged, files);
        await check(source, staged, sha256, files);
      } catch (error) {
        discard(staged, files);
        throw error;
      }
    },
    undo: (files) => discard(staged, files),
  };
}

async function check(source: string, staged: string, sha256: string, files: InstallFiles): Promise<void> {
  const { sha256: written } = await retryWhileInUse(files, () => files.identify(staged));
  const problem =
    written === sha256
      ? await retryWhileInUse(files, () => files.run(staged, ['version'], firstRunSeconds)).then(
          ({ exitCode }) => exitCode !== 0 && `exits with code ${exitCode}`,
          (error: unknown) => `does not start (${errorMessage(error)})`,
        )
      : 'differs from it';
  if (problem)
    throw new CniError(
      code.ioFailure,
      `${source} cannot be installed: its copy ${problem}. Download win-hcn again, or allow it in your security software.`,
    );
}

/** Where the file system has no hard links, it needs a copy. */
function linkOrCopy(source: string, path: string, files: InstallFiles): void {
  try {
    files.link(source, path);
  } catch {
    files.copyNew(source, path);
  }
}

/** Puts a staged version in force. `isNew`: there is none yet. `keepAs`: the path that the version before gets, if any. */
export function replaceExecutable(path: string, isNew: boolean, keepAs: string | undefined): FileChange {
  const staged = `${path}${ending.staged}`;
  return {
    title: isNew
      ? `rename ${fileName(staged)} to ${path}`
      : `replace ${path}${keepAs === undefined ? '' : ` and keep the old one as ${fileName(keepAs)}`}`,
    run: async (files) => {
      if (keepAs !== undefined) await keepVersion(path, keepAs, files);
      await putInForce(staged, path, files);
    },
    undo: async (files) => {
      if (isNew) await deleteOrRetire(path, files);
      else if (keepAs !== undefined) await putInForce(keepAs, path, files);
    },
  };
}

/** Puts another plugin's own executable back in place of the copy of win-hcn. */
export function restoreExecutable(original: string, path: string): FileChange {
  return {
    title: `restore ${path} from ${fileName(original)}`,
    run: (files) => putInForce(original, path, files),
  };
}

/** Gives the executable in force a second name, which always is that of a complete executable. */
async function keepVersion(path: string, keepAs: string, files: InstallFiles): Promise<void> {
  const copy = retiredPath(path);
  linkOrCopy(path, copy, files);
  await putInForce(copy, keepAs, files);
}

/**
 * Renames an executable over another. Windows refuses that while the other runs: after 2 s, the other is renamed first, and its name is
 * missing between the two renames. If this process dies in this gap, the next install or upgrade ends it.
 */
async function putInForce(from: string, path: string, files: InstallFiles): Promise<void> {
  try {
    await retryWhileInUse(files, () => files.rename(from, path), 2);
  } catch (error) {
    if (!isInUse(error) || files.kindOf(path) === undefined) throw error;
    const aside = retiredPath(path);
    await retryWhileInUse(files, () => files.rename(path, aside));
    try {
      await retryWhileInUse(files, () => files.rename(from, path));
    } catch (again) {
      await retryWhileInUse(files, () => files.rename(aside, path));
      throw again;
    }
  }
}
