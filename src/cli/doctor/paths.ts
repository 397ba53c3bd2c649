/** The folder that a path of Windows, or of another system, is in. A drive's own keeps its slash, without which it is the current one. */
export function folderOf(path: string): string {
  return path.replace(/[\\/][^\\/]*$/, '').replace(/^[A-Za-z]:$/, '$&\\');
}

/** The folders above a path, the nearest first, without the drive's own. */
export function foldersAbove(path: string): readonly string[] {
  const folder = folderOf(path);
  return folder === path || /^(|[A-Za-z]:\\)$/.test(folder) ? [] : [folder, ...foldersAbove(folder)];
}

/** A name in a folder, with the folder's own kind of slash. */
export function inFolder(folder: string, name: string): string {
  const slash = folder.includes('\\') || !folder.includes('/') ? '\\' : '/';
  return `${folder.replace(/[\\/]$/, '')}${slash}${name}`;
}

/** The last part of a path. */
export function nameOf(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

/** Whether two paths lead to the same place of Windows, which does not tell capitals from other letters. */
export function isSamePath(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Whether a path leads into a folder. */
export function isBelow(path: string, folder: string): boolean {
  const start = inFolder(folder, '').toLowerCase();
  return path.length > start.length && path.toLowerCase().startsWith(start);
}
