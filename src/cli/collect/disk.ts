import { win32 } from 'node:path';
import type { Terminal } from '../terminal.ts';
import { isMissingFile } from '../terminal.ts';
import type { BundleFile } from './collector.ts';

/** Where a file of the node is in a bundle: `files/C/etc/cni/net.d/10-win-hcn.conflist`. Windows can unpack it. */
export function bundlePath(path: string): string {
  const plain = win32.normalize(path).replaceAll('\\', '/');
  return `files/${plain
    .replace(/^([A-Za-z]):/, '$1')
    .replace(/^(\.*\/)+/, '')
    .replaceAll(/[<>:"|?*]/g, '_')}`;
}

/** Reads a file of the node. Throws as node:fs does. */
export function copyOf(path: string, { readFile }: Terminal): BundleFile {
  return { path: bundlePath(path), bytes: readFile(path) };
}

/** What is in a folder; undefined where there is none. Throws as node:fs does for any other reason. */
export function namesIn(folder: string, { listFolder }: Terminal): readonly string[] | undefined {
  try {
    return listFolder(folder).toSorted();
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw error;
  }
}
