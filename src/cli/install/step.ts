import { CniError, code } from '../../cni/error.ts';
import { fileName, joinPath } from '../doctor/windows-path.ts';
import type { InstallFiles } from './files.ts';
import { installError, removeIfPresent, removeOrRetire, retryWhileInUse } from './in-use.ts';
import { keptName, stagedName, unfinishedName } from './layout.ts';
import { putInForce, type Replacement, replaceExecutable, undoReplacement } from './replace-executable.ts';
import { type Staging, stageExecutable } from './stage-executable.ts';

/** What each step changes. Paths are full paths. */
interface StepFields {
  'create folder': { readonly path: string };
  /** `commands`: the arguments of each run of icacls. */
  'restrict access': { readonly path: string; readonly commands: readonly (readonly string[])[] };
  'write addon': { readonly path: string; readonly bytes: Uint8Array };
  /** Writes a new version beside the one in force, and runs it once. */
  'stage executable': Staging;
  /** `isNew`: no file has the target's name. */
  'replace executable': Replacement & { readonly isNew: boolean };
  /** Puts a peer's own program back in place of the copy of win-hcn. */
  'restore executable': { readonly folder: string; readonly target: string };
  /** Deletes a program, or renames it if it runs. */
  'delete executable': { readonly path: string };
  /** `previous`: the content that the file had. */
  'write configuration': {
    readonly path: string;
    readonly bytes: Uint8Array;
    readonly previous: Uint8Array | undefined;
  };
  'rename configuration': { readonly path: string; readonly to: string };
  'delete file': { readonly path: string };
}

export type StepName = keyof StepFields;

/** One change to the files of the node, as a value. */
export type InstallStep<Do extends StepName = StepName> = {
  [Name in Do]: { readonly do: Name } & StepFields[Name];
}[Do];

interface Row<Do extends StepName> {
  /** What the step does, to print. */
  readonly title: (step: InstallStep<Do>) => string;
  /** Returns what the user must know, if anything. Throws CniError; nothing is changed then. */
  readonly run: (step: InstallStep<Do>, files: InstallFiles) => Promise<string | undefined>;
  /** Undoes a step that has run. Absent if the change does no harm. */
  readonly inverse?: (step: InstallStep<Do>, files: InstallFiles) => Promise<unknown>;
}

const icaclsSeconds = 30;

const steps: { readonly [Do in StepName]: Row<Do> } = {
  'create folder': {
    title: ({ path }) => `create folder ${path}`,
    run: ({ path }, files) => attempt('create', path, () => files.makeFolder(path)),
    inverse: async ({ path }, files) => files.removeFolder(path),
  },
  'restrict access': {
    title: ({ path }) => `restrict access to ${path} to administrators and SYSTEM`,
    run: async ({ path, commands }, files) => {
      for (const words of commands) await icacls(path, words, files);
      return undefined;
    },
  },
  'write addon': {
    title: ({ path }) => `write ${path}`,
    run: async ({ path, bytes }, files) => {
      await writeOver(path, `${path}.${files.unique()}`, bytes, files);
      return undefined;
    },
    inverse: async ({ path }, files) => removeIfPresent(path, files),
  },
  'stage executable': {
    title: ({ source, folder, target, sha256 }) =>
      `copy ${source} to ${joinPath(folder, stagedName(target, sha256))} and run it once`,
    run: async (step, files) => {
      await stageExecutable(step, files);
      return undefined;
    },
    inverse: async ({ folder, target, sha256 }, files) =>
      removeIfPresent(joinPath(folder, stagedName(target, sha256)), files),
  },
  'replace executable': {
    title: ({ folder, target, staged, keepAs, isNew }) => {
      const path = joinPath(folder, target);
      if (isNew) return `rename ${staged} to ${path}`;
      return `replace ${path}${keepAs === undefined ? '' : ` and keep the old one as ${keepAs}`}`;
    },
    run: async (step, files) => {
      await replaceExecutable(step, files);
      return undefined;
    },
    inverse: async (step, files) => {
      if (step.isNew) await removeOrRetire(joinPath(step.folder, step.target), files);
      else await undoReplacement(step, files);
    },
  },
  'restore executable': {
    title: ({ folder, target }) => `restore ${joinPath(folder, target)} from ${keptName(target)}`,
    run: async ({ folder, target }, files) => {
      const path = joinPath(folder, target);
      await attemptAsync('restore', path, () => putInForce(joinPath(folder, keptName(target)), path, files));
      return undefined;
    },
  },
  'delete executable': {
    title: ({ path }) => `delete ${path}`,
    run: async ({ path }, files) => {
      const retired = await attemptAsync('delete', path, () => removeOrRetire(path, files));
      return retired === undefined
        ? undefined
        : `${path} is running and was renamed to ${fileName(retired)}. Delete it later, or run this command again.`;
    },
  },
  'write configuration': {
    title: ({ path, previous }) => `${previous === undefined ? 'write' : 'replace'} ${path}`,
    run: async ({ path, bytes }, files) => {
      await writeConfiguration(path, bytes, files);
      return undefined;
    },
    inverse: async ({ path, previous }, files) =>
      previous === undefined ? removeIfPresent(path, files) : writeConfiguration(path, previous, files),
  },
  'rename configuration': {
    title: ({ path, to }) => `rename ${path} to ${fileName(to)}`,
    run: ({ path, to }, files) => attempt('rename', path, () => files.rename(path, to)),
    inverse: async ({ path, to }, files) => files.rename(to, path),
  },
  'delete file': {
    title: ({ path }) => `delete ${path}`,
    run: async ({ path }, files) => {
      await attemptAsync('delete', path, () => retryWhileInUse(files, () => removeIfPresent(path, files)));
      return undefined;
    },
  },
};

/** What a step does, to print. */
export function titleOf<Do extends StepName>(step: InstallStep<Do>): string {
  return rowOf(step).title(step);
}

/** Runs steps in order and returns what the user must know. Throws CniError, after undoing the steps before the failure. */
export async function runSteps(
  todo: readonly InstallStep[],
  files: InstallFiles,
): Promise<readonly string[]> {
  const remarks: string[] = [];
  const done: InstallStep[] = [];
  try {
    for (const step of todo) {
      const remark = await rowOf(step).run(step, files);
      if (remark !== undefined) remarks.push(remark);
      done.push(step);
    }
    return remarks;
  } catch (error) {
    const problems = await undo(done, files);
    if (problems.length === 0) throw error;
    const message = `${error instanceof Error ? error.message : String(error)} The rollback failed as well: ${problems.join('; ')}. Run this command again to repair the installation.`;
    throw new CniError(code.ioFailure, message, { cause: error });
  }
}

async function undo(done: readonly InstallStep[], files: InstallFiles): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const step of done.toReversed()) {
    try {
      await rowOf(step).inverse?.(step, files);
    } catch (error) {
      problems.push(
        `cannot undo "${titleOf(step)}": ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  return problems;
}

function rowOf<Do extends StepName>(step: InstallStep<Do>): Row<Do> {
  return steps[step.do as Do];
}

/**
 * Writes a configuration so that containerd never reads half of it and reloads it: it ignores the creation of a file, and reacts to
 * renames and writes.
 */
async function writeConfiguration(path: string, bytes: Uint8Array, files: InstallFiles): Promise<void> {
  await writeOver(path, unfinishedName(path), bytes, files);
  await attempt('set the time of', path, () => files.setTime(path));
}

/** Writes a whole file beside its final path and renames it. */
async function writeOver(
  path: string,
  temporary: string,
  bytes: Uint8Array,
  files: InstallFiles,
): Promise<void> {
  try {
    removeIfPresent(temporary, files);
    files.writeNew(temporary, bytes);
    await retryWhileInUse(files, () => files.rename(temporary, path));
  } catch (cause) {
    try {
      removeIfPresent(temporary, files);
    } catch {
      // The first failure is the one that matters.
    }
    throw installError('write', path, cause);
  }
}

async function icacls(path: string, words: readonly string[], files: InstallFiles): Promise<void> {
  const program = `${process.env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\icacls.exe`;
  const result = await files.run(program, words, icaclsSeconds);
  if ('exitCode' in result && result.exitCode === 0) return;
  const reason =
    'problem' in result
      ? result.problem
      : `icacls ended with exit code ${result.exitCode}: ${result.stderr.trim()}`;
  throw new CniError(
    code.ioFailure,
    `cannot restrict access to ${path}: ${reason}. Run this command as an administrator.`,
  );
}

async function attempt(action: string, path: string, work: () => void): Promise<undefined> {
  try {
    work();
  } catch (cause) {
    throw installError(action, path, cause);
  }
}

async function attemptAsync<T>(action: string, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw installError(action, path, cause);
  }
}
