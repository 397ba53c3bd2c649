import { win32 } from 'node:path';
import type { Terminal } from '../terminal.ts';
import { reasonOf } from './collector.ts';
import { namesIn } from './disk.ts';

/** Why a bundle cannot be written there; nobody should wait a minute to be told. */
export function problemWith(file: string, force: boolean, terminal: Terminal): string | undefined {
  const { dir, base, ext } = win32.parse(file);
  if (ext.toLowerCase() !== '.zip')
    return `${file || "''"} does not end with .zip: name a file, such as ${win32.join(file, 'node.zip')}`;
  const folder = dir || '.';
  try {
    const names = namesIn(folder, terminal);
    if (names === undefined) return `there is no folder ${folder}`;
    const isThere = names.some((other) => other.toLowerCase() === base.toLowerCase());
    if (isThere && !force) return `${file} is there already: --force replaces it`;
  } catch (error) {
    return `cannot look into the folder ${folder}: ${reasonOf(error)}`;
  }
  try {
    terminal.checkCreatable(`${file}.part`);
  } catch (error) {
    return `cannot write into the folder ${folder}: ${reasonOf(error)}`;
  }
  return undefined;
}
