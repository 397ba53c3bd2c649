import { fileName, joinPath } from '../terminal/windows-path.ts';
import type { InstallFiles } from './files.ts';
import { installError, removeIfPresent, removeOrRetire, retryWhileInUse } from './in-use.ts';
import { keptName, removedName, stagedName, unfinishedName } from './layout.ts';
import { putInForce, type Replacement, replaceExecutable, undoReplacement } from './replace-executable.ts';
import { restrictAccess } from './restrict-access.ts';
import { type Staging, stageExecutable } from './stage-executable.ts';
import { writeConfiguration, writeOver } from './write-file.ts';

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
  /** Copies a configuration to a name that containerd does not read. `replaced`: the content that this name had. */
  'keep configuration': {
    readonly path: string;
    readonly to: string;
    readonly bytes: Uint8Array;
    readonly replaced: Uint8Array | undefined;
  };
  'rename configuration': {
    readonly path: string;
    readonly to: string;
    readonly replaced: Uint8Array | undefined;
  };
  /** Puts a parked configuration in force. `previous`: ours, which it replaces; it is kept until its network is deleted. */
  'restore configuration': {
    readonly path: string;
    readonly to: string;
    readonly previous: Uint8Array | undefined;
  };
  /** Deletes a file that may be missing. */
  'delete file': { readonly path: string };
  /** Windows does not delete an addon while a program runs it. */
  'delete addon': { readonly path: string };
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

const steps: { readonly [Do in StepName]: Row<Do> } = {
  'create folder': {
    title: ({ path }) => `create folder ${path}`,
    run: ({ path }, files) => attempt('create', path, () => files.makeFolder(path)),
    inverse: async ({ path }, files) => files.removeFolder(path),
  },
  'restrict access': {
    title: ({ path }) => `restrict access to ${path} to administrators and SYSTEM`,
    run: async ({ path, commands }, files) => {
      for (const words of commands) await restrictAccess(path, words, files);
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
  'keep configuration': {
    title: ({ path, to }) => `copy ${path} to ${fileName(to)}`,
    run: async ({ to, bytes }, files) => {
      await writeOver(to, unfinishedName(to), bytes, files);
      return undefined;
    },
    inverse: async ({ to, replaced }, files) =>
      replaced === undefined
        ? removeIfPresent(to, files)
        : writeOver(to, unfinishedName(to), replaced, files),
  },
  'rename configuration': {
    title: ({ path, to }) => `rename ${path} to ${fileName(to)}`,
    run: ({ path, to }, files) => attempt('rename', path, () => files.rename(path, to)),
    inverse: async ({ path, to, replaced }, files) => {
      files.rename(to, path);
      if (replaced !== undefined) await writeOver(to, unfinishedName(to), replaced, files);
    },
  },
  'restore configuration': {
    title: ({ path, to }) => `restore ${to} from ${fileName(path)}`,
    run: async ({ path, to, previous }, files) => {
      if (previous !== undefined) await writeOver(removedName(to), unfinishedName(to), previous, files);
      return attempt('restore', to, () => files.rename(path, to));
    },
    inverse: async ({ path, to, previous }, files) => {
      files.rename(to, path);
      if (previous !== undefined) files.rename(removedName(to), to);
    },
  },
  'delete addon': {
    title: ({ path }) => `delete ${path}`,
    run: async ({ path }, files) => {
      try {
        await retryWhileInUse(files, () => removeIfPresent(path, files), { most: 10, milliseconds: 100 });
        return undefined;
      } catch {
        return `${path} is in use. Delete it later, or run this command again.`;
      }
    },
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

/** How a step is run, undone and described. */
export function rowOf<Do extends StepName>(step: InstallStep<Do>): Row<Do> {
  return steps[step.do as Do];
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
