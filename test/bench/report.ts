// What a benchmark measured, as --json writes it.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import type { Lane } from './run-lane.ts';

export interface Report {
  readonly machine: { readonly cpu: string; readonly cores: number };
  readonly versions: Readonly<Record<string, string>>;
  /** In bytes, by description. */
  readonly sizes: Readonly<Record<string, number>>;
  readonly lanes: readonly Lane[];
}

const files = {
  'the bundle that answers VERSION and loads the others': 'build/win-hcn.cjs',
  'the bundle of all other requests': 'build/win-hcn-plugin.cjs',
  'the bundle of the command line': 'build/win-hcn-cli.cjs',
  'win-hcn.exe': 'dist/win-hcn.exe',
};

export function newReport(lanes: readonly Lane[], wine: string | undefined): Report {
  const koffi = JSON.parse(readFileSync('node_modules/koffi/package.json', 'utf8')).version;
  const sizes = Object.entries(files)
    .filter(([, file]) => existsSync(file))
    .map(([name, file]) => [name, statSync(file).size]);
  return {
    machine: { cpu: cpus()[0]?.model.trim() ?? 'unknown', cores: availableParallelism() },
    versions: {
      Node: process.versions.node,
      koffi,
      Linux: execFileSync('uname', ['-r'], { encoding: 'utf8' }).trim(),
      ...(wine !== undefined && { Wine: wine }),
    },
    sizes: Object.fromEntries(sizes),
    lanes,
  };
}

export function readReport(file: string): Report {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Joins reports of one machine. */
export function merge(reports: readonly Report[]): Report {
  const [first] = reports;
  if (first === undefined) throw new Error('there is no report');
  return {
    machine: first.machine,
    versions: Object.assign({}, ...reports.map(({ versions }) => versions)),
    sizes: Object.assign({}, ...reports.map(({ sizes }) => sizes)),
    lanes: reports.flatMap(({ lanes }) => lanes),
  };
}
