// What a benchmark measured, as --json writes it.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { availableParallelism, cpus, release } from 'node:os';
import type { Lane } from './run-lane.ts';

/** All figures of a benchmark. */
export interface Report {
  readonly machine: { readonly cpu: string; readonly cores: number };
  readonly versions: Readonly<Record<string, string>>;
  /** In bytes, by file. */
  readonly sizes: Readonly<Record<string, number>>;
  readonly lanes: readonly Lane[];
}

const files = ['build/win-hcn.cjs', 'build/win-hcn-plugin.cjs', 'build/win-hcn-cli.cjs', 'dist/win-hcn.exe'];

/** Returns the report of measurements that ended on this machine. `wine` is the version of Wine, `undefined` if it was not used. */
export function newReport(lanes: readonly Lane[], wine: string | undefined): Report {
  const koffi = JSON.parse(readFileSync('node_modules/koffi/package.json', 'utf8')).version;
  const sizes = files.filter((file) => existsSync(file)).map((file) => [file, statSync(file).size]);
  return {
    machine: { cpu: cpus()[0]?.model.trim() ?? 'unknown', cores: availableParallelism() },
    versions: {
      Node: process.versions.node,
      koffi,
      Linux: release().replace(/-.*/, ''),
      ...(wine !== undefined && { Wine: wine }),
    },
    sizes: Object.fromEntries(sizes),
    lanes,
  };
}

/** Reads a report that `--json` wrote. */
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
