import { CniError, code } from '../../cni/error.ts';
import { restrictingCommands } from '../terminal/access-rule.ts';
import { parentFolder } from '../terminal/windows-path.ts';
import type { InstallFiles } from './files.ts';
import type { InstallStep } from './step.ts';

/** A folder that an installation writes to. */
export interface PlannedFolder {
  /** Without links. */
  readonly path: string;
  /** The missing folders, the topmost first. */
  readonly missing: readonly string[];
  readonly remarks: readonly string[];
}

/** Follows links to a folder and lists the missing parts of its path. Throws CniError if the path is not that of a folder. */
export function planFolder(path: string, files: InstallFiles): PlannedFolder {
  const found = files.status(path);
  if (found === undefined) {
    const parent = parentFolder(path);
    if (parent === path || /^[\\/]*$/.test(parent)) {
      if (path.startsWith('\\\\')) throw unavailable(path);
      return { path, missing: [], remarks: [] };
    }
    const above = planFolder(parent, files);
    const own = `${above.path.replace(/[\\/]$/, '')}${path.slice(parent.replace(/[\\/]$/, '').length)}`;
    return { path: own, missing: [...above.missing, own], remarks: above.remarks };
  }
  const target = found.kind === 'link' ? resolveLink(path, files) : path;
  if (files.status(target)?.kind !== 'folder')
    throw new CniError(
      code.ioFailure,
      `${path} is not a folder. Rename it, or specify another folder with --bin-dir or --conf-dir.`,
    );
  const resolved = resolveLink(target, files);
  const remarks = isSame(resolved, path) ? [] : [`${path} is a link to ${resolved}, which is used.`];
  return { path: resolved, missing: [], remarks };
}

/** A share has no parent that could be created. */
function unavailable(path: string): CniError {
  return new CniError(
    code.ioFailure,
    `server ${path} is not available. Specify folders on this node with --bin-dir and --conf-dir.`,
  );
}

/** Windows ignores case, and a path on a mapped drive may resolve to a longer one. */
function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function resolveLink(path: string, files: InstallFiles): string {
  try {
    return files.resolve(path);
  } catch (cause) {
    throw new CniError(
      code.ioFailure,
      `${path} is a link to a folder that does not exist. Create that folder, or delete the link.`,
      { cause },
    );
  }
}

/** The steps that create missing folders. On Windows the topmost is restricted: the others inherit its access list. */
export function creationSteps(folders: readonly PlannedFolder[], windows: boolean): readonly InstallStep[] {
  const created = new Set<string>();
  return folders.flatMap(({ missing }) =>
    missing
      .filter((path) => !created.has(path))
      .flatMap((path): readonly InstallStep[] => {
        const isTopmost = !created.has(parentFolder(path));
        created.add(path);
        return [{ do: 'create folder', path }, ...(isTopmost && windows ? [restriction(path)] : [])];
      }),
  );
}

/** Restricts a folder that an administrator has just created. */
function restriction(path: string): InstallStep {
  const file = { path, isFolder: true, owner: 'S-1-5-32-544', allowed: [] };
  return { do: 'restrict access', path, commands: restrictingCommands(file, []) };
}
