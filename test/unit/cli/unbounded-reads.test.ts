// Files without end (/dev/zero, a pipe, a device) must not block the command line: src reads files through one reader.

import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** What reads the content of a file, or opens it. The other functions read names and metadata, or write. */
const reading =
  /^(?:read(?!dir|link)\w*|open\w*|createReadStream|copyFile\w*|cp|cpSync|watch\w*|promises|default)$/;

/** Why each of these reads is bounded. */
const bounded: Readonly<Record<string, readonly string[]>> = {
  // The reader.
  'src/cli/terminal/read-file.ts': ['openSync', 'readSync'],
  // Stdin, and files that the reader opened.
  'src/system/stdio.ts': ['read', 'readSync'],
  // Creates files.
  'src/cli/install/files.ts': ['openSync'],
  // Creates files.
  'src/cli/terminal/terminal.ts': ['openSync'],
  // Compares a regular file with the addon, and stops at the first difference.
  'src/hcn/koffi.ts': ['openSync', 'readSync'],
  // Appends to the log, and creates its lock.
  'src/log/log-file.ts': ['openSync'],
};

const sources = globSync('src/**/*.ts').map((file) => file.replaceAll('\\', '/'));

test('only these files of src read the content of files or open them', () => {
  const found = sources.map((file) => [file, readsOf(readFileSync(file, 'utf8'))] as const);
  expect(Object.fromEntries(found.filter(([, reads]) => reads.length > 0))).toEqual(bounded);
});

test.each([
  ["import { readFileSync, statSync } from 'node:fs';", ['readFileSync']],
  ["import {\n  existsSync,\n  createReadStream as stream,\n} from 'fs';", ['createReadStream']],
  ["import { readFile } from 'node:fs/promises';", ['readFile']],
  ["import { type Stats, readdirSync, readlinkSync } from 'node:fs';", []],
  ["import * as files from 'node:fs';", ['node:fs']],
  ["import files from 'fs';", ['fs']],
  ["process.getBuiltinModule('node:fs').readFileSync(path);", ['node:fs']],
  ["const { readFile } = await import('node:fs/promises');", ['node:fs/promises']],
  ["require('fs')", ['fs']],
])('in %j, %j reads files', (text, reads) => {
  expect(readsOf(text)).toEqual(reads);
});

/** The functions of node:fs that a text imports to read files; the name of the module if it is not known which. */
function readsOf(text: string): readonly string[] {
  const named = /^import \{([^}]*)\} from '(?:node:)?fs(?:\/promises)?';/gm;
  const imported = [...text.matchAll(named)].flatMap(([, names = '']) =>
    names
      .split(',')
      .map((name) => name.trim().split(' as ')[0] ?? '')
      .filter((name) => reading.test(name)),
  );
  const others = text.replaceAll(named, '').matchAll(/['"`]((?:node:)?fs(?:\/promises)?)['"`]/g);
  return [...imported.toSorted(), ...[...others].map(([, name = '']) => name)];
}
