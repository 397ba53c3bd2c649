// The executable as it is shipped, under Wine.

import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { embedProgram } from '../../packaging/embed-program.mjs';
import { findWindowsBinaries } from '../../packaging/windows-binaries.mjs';
import { Prefix } from '../../packaging/wine/prefix.ts';
import { findWine } from '../../packaging/wine/wine.ts';
import { buildWindowsStubs } from '../simulator/stub/build.ts';
import { compile, output } from './compile.ts';
import type { Form } from './form.ts';
import { buildBlob, hashOf } from './linux-executable.ts';
import { measure, measureProgram } from './measure.ts';

const shipped = resolve('dist/win-hcn.exe');
const folder = 'C:\\opt\\cni\\bin';

/** A prefix of Wine with the shipped executable. */
interface WineNode {
  readonly form: Form;
  stop(): Promise<void>;
}

/** Prepares a prefix, or returns why that is not possible. */
export async function startWine(): Promise<WineNode | { readonly missing: string }> {
  const wine = findWine();
  if ('missing' in wine) return wine;
  const prefix = new Prefix(wine, 'bench');
  // The wineserver of a benchmark that was interrupted may still run.
  await prefix.stop();
  const { computenetwork, vmcompute } = buildWindowsStubs();
  await prefix.prepare([computenetwork, vmcompute]);

  const files = join(wine.home, 'measure');
  const inside = `${wine.homeInside}/measure`;
  mkdirSync(files, { recursive: true });
  copyFileSync(measureProgram(), join(files, 'program'));

  const { koffi } = findWindowsBinaries();
  prefix.install(koffi, folder, 'koffi.node');
  prefix.install(compile('ipam.c', 'windows/host-local.exe', 'windows'), folder);
  const install = (file: string) => [prefix.install(file, folder)];
  const form: Form = {
    platform: 'Wine',
    bare: install(buildExecutable('bare')),
    oneCall: install(buildExecutable('one-call')),
    plugin: install(shipped),
    ipamFolder: folder,
    config: {},
    environment: ({ address }) => ({ WIN_HCN_SIMULATED_HNS: address }),
    measure: ([exe = '', ...args], { environment: env, stdin, folder: name = 'run', timeoutMs = 60_000 }) =>
      measure(join(files, name), stdin, async () => {
        const launcher = [`${inside}/program`, `${inside}/${name}`];
        return (await prefix.run(exe, args, { env, launcher, timeoutMs })).stdout;
      }),
  };
  return { form, stop: () => prefix.stop() };
}

/** Builds an executable of a program in this folder unless it is up to date. As in stock Node, V8 computes the hashes in its snapshots. */
function buildExecutable(name: 'bare' | 'one-call'): string {
  const main = join(import.meta.dirname, `${name}.cjs`);
  const executable = join(output, 'windows', `${name}.exe`);
  const { node } = findWindowsBinaries();
  const stamp = `${executable}.inputs`;
  const inputs = hashOf([main, node, ...globSync('packaging/*.mjs')]);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === inputs) return executable;
  const blob = readFileSync(buildBlob(`${executable}.blob`, { main }));
  writeFileSync(executable, embedProgram(readFileSync(node), { blob, version: '0.0.0', keepsHashes: false }));
  writeFileSync(stamp, inputs);
  return executable;
}
