/** A folder of plugins on the disk, with programs that print their version. */

import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { type InstallFiles, installFiles } from '../../../../src/cli/install/files.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Files whose pauses take no time. Programs are not started, because Windows runs no scripts of sh. */
export const impatientFiles: InstallFiles = {
  ...installFiles,
  run: async (path) => {
    const [, exitCode = 0] = /^exit (\d+)/m.exec(readFileSync(path, 'utf8')) ?? [];
    return { exitCode: Number(exitCode), stderr: '' };
  },
  pause: async () => undefined,
};

/** A win-hcn.exe of a version; what an exe contains besides, the name of its addon, identifies it as win-hcn. */
export function program(version: string): string {
  return `#!/bin/sh\necho ${version} # win-hcn-koffi-${version.padStart(16, '0')}.node\n`;
}

/** Creates a folder with these files, and returns its path without links and short names. It is deleted after the tests of the file. */
export function newFolder(files: Readonly<Record<string, string>> = {}): string {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'win-hcn-install-')));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o755 });
  return folder;
}

/** The files of a folder with their texts. */
export function contentOf(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    readdirSync(folder)
      .toSorted()
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );
}

/** An error of node:fs. */
export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: the text of the operating system`), { code, path: 'a file' });
}
