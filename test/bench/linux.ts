// The plugin on Linux: an executable with the program of win-hcn.exe.

import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { bundleFiles } from '../../packaging/bundles.mjs';
import { addOwnCodeCaches } from '../../packaging/code-cache.mjs';
import { assetsIn, writeScripts } from '../../packaging/scripts.mjs';
import { compile, output } from './compile.ts';
import type { Form } from './form.ts';
import { buildLinuxExecutable, hashOf, type Program } from './linux-executable.ts';
import { measureHere } from './measure.ts';

const folder = join(output, 'linux');
const bundles = bundleFiles.map((file) => resolve('build', file));
const start = resolve('packaging/start.cjs');
const bare = join(import.meta.dirname, 'bare.cjs');
const oneCall = join(import.meta.dirname, 'one-call.cjs');

/** koffi's addon for this machine, in a package of its own beside koffi. */
function findAddon(): string {
  const [modules] = createRequire(import.meta.url)
    .resolve('koffi')
    .split('/koffi/');
  const addon = `${modules}/@koromix/koffi-linux-${process.arch}/linux_${process.arch}/koffi.node`;
  if (!existsSync(addon)) throw new Error(`koffi's addon ${addon} is missing`);
  return addon;
}

/** The plugin with its code caches. */
function pluginProgram(): Program {
  const scripts = join(folder, 'scripts');
  rmSync(scripts, { recursive: true, force: true });
  writeScripts(bundles, scripts);
  addOwnCodeCaches(scripts, process.execPath);
  const addon = findAddon();
  const assets = { ...assetsIn(scripts), [`win-hcn-koffi-${hashOf([addon])}.node`]: addon };
  return { main: start, assets, keepsHashes: true };
}

function buildExecutable(name: string, program: Program): readonly string[] {
  const executable = join(folder, name);
  buildLinuxExecutable(executable, program);
  return [executable];
}

/** Trains the code caches, which takes most of the time, and builds the executables that are out of date. */
export function linuxForm(): Form {
  mkdirSync(folder, { recursive: true });
  copyFileSync(findAddon(), join(folder, 'koffi.node'));
  return {
    platform: 'Linux',
    plugin: buildExecutable('win-hcn', pluginProgram()),
    bare: buildExecutable('bare', { main: bare }),
    oneCall: buildExecutable('one-call', { main: oneCall }),
    ipamFolder: dirname(compile('ipam.c', 'linux/ipam/host-local')),
    // On Windows, the plugin has a log file by default.
    config: { logFile: join(folder, 'win-hcn.log') },
    environment: (hns) => hns.environment,
    measure: (command, request) => measureHere(folder, command, request),
  };
}
