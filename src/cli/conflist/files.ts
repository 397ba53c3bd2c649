import { win32 } from 'node:path';
import { listFolderIfExists } from '../terminal/files.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { joinPath } from '../terminal/windows-path.ts';

/** The names that containerd reads as configurations, in containerd's order: by bytes, upper case first. */
export function confNames(names: readonly string[]): readonly string[] {
  return names.filter((name) => /\.(conf|conflist|json)$/.test(name)).toSorted((a, b) => (a < b ? -1 : 1));
}

/** Those of the configurations, in containerd's order, that it uses. `maxConfNum`: how many it uses; 0 for all. */
export function confsInForce<T>(confs: readonly T[], maxConfNum: number): readonly T[] {
  return confs.slice(0, maxConfNum || undefined);
}

/** A log file and the rotated files beside it, which have a time in their names, sorted by name. */
export function findLogs(path: string, terminal: Terminal): readonly string[] {
  const { dir, name, ext } = win32.parse(path);
  const isLog = (other: string) =>
    other.startsWith(name) &&
    other.endsWith(ext) &&
    /^(-\d{8}T\d{9}Z)?$/.test(other.slice(name.length, -ext.length || undefined));
  const names = listFolderIfExists(dir, terminal) ?? [];
  return names.filter(isLog).map((one) => joinPath(dir, one));
}
