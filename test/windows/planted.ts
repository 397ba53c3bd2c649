/** Files that an attacker may plant where a program searches its parts. Each one creates `<path>.loaded` if it is loaded. */

import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const output = resolve(import.meta.dirname, '../../build/planted');
const script = "require('node:fs').writeFileSync(__filename + '.loaded', '');\n";

/** Libraries that win-hcn or Windows loads, and the addon's names. */
const libraries = ['computenetwork', 'vmcompute', 'iphlpapi', 'ole32', 'kernel32', 'node'].map(
  (name) => `${name}.dll`,
);
const addons = ['koffi.node', 'index.node', 'node_modules/koffi/index.node', 'win32_x64/koffi.node'];
const scripts = [
  'win-hcn.cjs',
  'win-hcn.js',
  'index.js',
  'main.js',
  'planted.js',
  'node_modules/koffi/index.js',
];
const documents = {
  'package.json': '{ "main": "planted.js", "imports": { "#koffi": "./planted.js" } }',
  'node.config.json': '{ "nodeOptions": { "import": "./planted.js", "require": ["./planted.js"] } }',
  'sea-config.json': '{ "main": "planted.js", "output": "planted.blob", "execArgvExtension": "env" }',
  '.npmrc': 'node-options=--require ./planted.js\n',
  '.env': 'NODE_OPTIONS="--require ./planted.js"\nCNI_COMMAND=\nWIN_HCN_SIMULATED_HNS=127.0.0.1:1\n',
};

/** Builds a library from a source beside this file. */
export function buildLibrary(source: string): string {
  mkdirSync(output, { recursive: true });
  const library = join(output, `${source.replace('.c', '')}-${process.pid}.dll`);
  const flags = ['-shared', '-s', '-Wall', '-Wextra', '-Werror', '-o', library];
  execFileSync('x86_64-w64-mingw32-gcc', [...flags, join(import.meta.dirname, source)]);
  return library;
}

/** Writes all planted files into a folder. */
export function plant(folder: string): void {
  const marking = buildLibrary('marking.c');
  const write = (name: string, content: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  };
  for (const name of scripts) write(name, script);
  for (const [name, content] of Object.entries(documents)) write(name, content);
  for (const name of [...libraries, ...addons]) cpSync(marking, join(folder, name));
  rmSync(marking);
}

/** Returns the loaded files of a folder. */
export function loadedIn(folder: string): readonly string[] {
  return globSync('**/*.loaded', { cwd: folder }).toSorted();
}
