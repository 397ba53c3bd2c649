/** The folder that a path of Windows, or of another system, is in. */
export function folderOf(path: string): string {
  return path.replace(/[\\/][^\\/]*$/, '');
}

/** The folders above a path, the nearest first, without the drive's own. */
export function foldersAbove(path: string): readonly string[] {
  const folder = folderOf(path);
  return folder === path || /^(|[A-Za-z]:)$/.test(folder) ? [] : [folder, ...foldersAbove(folder)];
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
