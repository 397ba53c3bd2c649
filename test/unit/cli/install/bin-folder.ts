/** A folder of plugins on the disk, with programs that print their version. */

import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A win-hcn.exe of a version. */
export function program(version: string): string {
  return `#!/bin/sh\necho ${version}\n`;
}

/** Creates a folder with these files, and returns its path without links and short names. It is deleted after the tests of the file. */
export function newFolder(files: Readonly<Record<string, string>> = {}): string {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'win-hcn-install-')));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o755 });
  return folder;
}

/** The files of a folder with their texts; none if it does not exist. */
export function contentOf(folder: string): Readonly<Record<string, string>> {
  try {
    const names = readdirSync(folder).toSorted();
    return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  } catch {
    return {};
  }
}
