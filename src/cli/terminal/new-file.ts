import { win32 } from 'node:path';
import { errorMessage } from '../../cni/error.ts';
import { fileProblem } from './file-error.ts';
import { listFolderIfExists } from './list-folder.ts';
import type { Terminal } from './terminal.ts';

/** Checks that a file can be created, before a command works for it. Returns the problem; undefined if it can. */
export function checkNewFile(file: string, force: boolean, terminal: Terminal): string | undefined {
  const { root, dir, base } = win32.parse(file);
  if (file.slice(root.length).includes(':')) return `${file} is not the name of a file: it contains a colon`;
  const folder = dir || '.';
  try {
    const names = listFolderIfExists(folder, terminal);
    if (names === undefined) return `folder ${folder} does not exist`;
    const exists = names.some((other) => other.toLowerCase() === base.toLowerCase());
    if (exists && !force) return `${file} already exists: replace it with --force`;
  } catch (error) {
    return errorMessage(error);
  }
  try {
    terminal.checkCreatable(`${file}.part`);
  } catch (error) {
    return `cannot write to folder ${folder}: ${fileProblem(error)}`;
  }
  return undefined;
}
