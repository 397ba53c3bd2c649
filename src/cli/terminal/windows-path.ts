/** The folder that contains a path; Linux paths work as well. A drive's root keeps its backslash: `C:` means the current folder. */
export function parentFolder(path: string): string {
  return path.replace(/[\\/][^\\/]*$/, '').replace(/^[A-Za-z]:$/, '$&\\');
}

/** The folders above a path, the nearest first, without the drive's root. */
export function ancestorFolders(path: string): readonly string[] {
  const folder = parentFolder(path);
  return folder === path || /^(|[A-Za-z]:\\)$/.test(folder) ? [] : [folder, ...ancestorFolders(folder)];
}

/** Joins a folder and a name with the kind of slash that the folder uses. */
export function joinPath(folder: string, name: string): string {
  const slash = folder.includes('\\') || !folder.includes('/') ? '\\' : '/';
  return `${folder.replace(/[\\/]$/, '')}${slash}${name}`;
}

/** The last part of a path. */
export function fileName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

/** Compares paths as Windows does, which ignores case. */
export function isSamePath(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Whether a path is below a folder. */
export function isInFolder(path: string, folder: string): boolean {
  const start = joinPath(folder, '').toLowerCase();
  return path.length > start.length && path.toLowerCase().startsWith(start);
}
