// The plugin on Linux: as an executable like win-hcn.exe, and as the bundle that Node runs.

import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { addOwnCodeCaches } from '../../packaging/code-cache.mjs';
import { assetsIn, writeScripts } from '../../packaging/exe.mjs';
import { compile, output } from './compile.ts';
import type { Form } from './form.ts';
import { hashOf, makeLinuxExecutable } from './linux-executable.ts';
import { measureHere } from './measure.ts';

const folder = join(output, 'linux');
const bundle = resolve('build/win-hcn.cjs');
const bundles = [bundle, resolve('build/win-hcn-plugin.cjs'), resolve('build/win-hcn-cli.cjs')];
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

/** Makes what is needed: about three seconds for each executable that is not up to date. */
export function linuxForms(): { readonly executable: Form; readonly bundle: Form } {
  mkdirSync(folder, { recursive: true });
  const addon = findAddon();
  copyFileSync(addon, join(folder, 'koffi.node'));
  copyFileSync(oneCall, join(folder, 'one-call.cjs'));

  const scripts = join(folder, 'scripts');
  rmSync(scripts, { recursive: true, force: true });
  writeScripts(bundles, scripts);
  addOwnCodeCaches(scripts, process.execPath);
  const executables = {
    bare: { main: bare },
    'one-call': { main: oneCall },
    'win-hcn': {
      main: start,
      assets: { ...assetsIn(scripts), [`win-hcn-koffi-${hashOf([addon])}.node`]: addon },
    },
  };
  for (const [name, program] of Object.entries(executables)) makeLinuxExecutable(join(folder, name), program);

  const shared: Omit<Form, 'name' | 'bare' | 'oneCall' | 'plugin'> = {
    platform: 'Linux',
    ipamFolder: dirname(compile('ipam.c', 'linux/ipam/host-local')),
    // On Windows, the plugin has a log file by default.
    config: { logFile: join(folder, 'win-hcn.log') },
    environment: (hns) => hns.environment,
    measure: (command, request) => measureHere(join(folder, 'run'), command, request),
  };
  const run = (file: string) => [process.execPath, file];
  return {
    executable: {
      ...shared,
      name: 'executable',
      bare: [join(folder, 'bare')],
      oneCall: [join(folder, 'one-call')],
      plugin: [join(folder, 'win-hcn')],
    },
    bundle: {
      ...shared,
      name: 'bundle',
      bare: run(bare),
      oneCall: run(join(folder, 'one-call.cjs')),
      plugin: run(bundle),
    },
  };
}
