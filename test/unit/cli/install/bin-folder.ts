/** A folder of plugins on the disk, with programs that print their version. */

import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type InstallFiles, installFiles } from '../../../../src/cli/install/files.ts';

/** Files whose pauses take no time, without a guard. */
export const impatientFiles: InstallFiles = {
  ...installFiles,
  pause: async () => undefined,
  isOwnProgram: () => false,
  guard: async () => ({ end: async () => undefined }),
};

/** A win-hcn.exe of a version; what an exe contains besides, the name of its addon, identifies it as win-hcn. */
export function program(version: string): string {
  return `#!/bin/sh\necho ${version} # win-hcn-koffi-${version.padStart(16, '0')}.node\n`;
}

/** Creates a folder with these files. */
export function newFolder(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'win-hcn-install-'));
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
  return Object.assign(new Error(`${code}: the text of the operating system`), { code });
}
