// Hosts for win-hcn and a client: Linux with the bundle, and Wine with the shipped exe.

import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { v4 as uuidv4 } from 'uuid';
import { exe, suitePrefix, missing as wineMissing } from '../windows/suite.ts';
import { goMissing, type Program, programPath } from './build.ts';

export interface Host {
  readonly name: string;
  /** Why this host is not available here; undefined if it is. */
  readonly missing: string | undefined;
  /** `executable` is the file name of win-hcn: that of the plugin it replaces. */
  open(executable?: string): OpenHost;
}

export interface OpenHost {
  /** The folders of win-hcn and of the test plugin, for CNI_PATH. */
  readonly path: readonly string[];
  /** A folder of this test for a client's cache. */
  readonly cacheDir: string;
  /** Runs a client with a request on stdin and returns its output. */
  run(program: Program, request: object, environment: Readonly<Record<string, string>>): Promise<string>;
  close(): void;
}

const bundle = resolve(import.meta.dirname, '../../build/win-hcn.cjs');

export const linux: Host = { name: 'the bundle on Linux', missing: goMissing(), open: openLinux };

export const wine: Host = {
  name: 'win-hcn.exe under Wine',
  missing: goMissing() ?? wineMissing,
  open: openWine,
};

/**
 * Returns the rows of a table to test on a host. The exe contains the bundle, so under Wine the first row and the last one show that the
 * client starts it with them, and Linux shows what becomes of each.
 */
export function rowsOn<Row>(host: Host, rows: readonly Row[]): readonly Row[] {
  return host === wine ? [...rows.slice(0, 1), ...rows.slice(-1)] : rows;
}

/** Creates an executable in a folder that runs `before` and then the bundle with this Node. */
export function installBundle(folder: string, before = '', executable = 'win-hcn'): void {
  mkdirSync(folder, { recursive: true });
  const wrapper = join(folder, executable);
  writeFileSync(wrapper, `#!/bin/sh\n${before}exec '${process.execPath}' '${bundle}'\n`);
  chmodSync(wrapper, 0o755);
}

function openLinux(executable?: string): OpenHost {
  const folder = mkdtempSync(join(tmpdir(), 'win-hcn-clients-'));
  const plugins = join(folder, 'bin');
  installBundle(plugins, '', executable);
  return {
    path: [plugins, resolve(programPath('neighbour', 'linux'), '..')],
    cacheDir: join(folder, 'cache'),
    run: (program, request, environment) =>
      new Promise((resolve, reject) => {
        const env = { PATH: process.env['PATH'], ...environment };
        const child = execFile(programPath(program, 'linux'), { env }, (error, stdout, stderr) => {
          if (error) reject(new Error(`${program}: ${stderr || error.message}`));
          else resolve(stdout);
        });
        child.stdin?.end(JSON.stringify(request));
      }),
    close: () => rmSync(folder, { recursive: true }),
  };
}

function openWine(executable?: string): OpenHost {
  const cacheDir = `C:\\clients\\cache-${uuidv4()}`;
  const renamed = executable && `C:\\clients\\bin-${uuidv4()}`;
  if (renamed) suitePrefix().install(suitePrefix().hostPath(exe), renamed, `${executable}.exe`);
  return {
    path: [renamed ?? 'C:\\opt\\cni\\bin', 'C:\\clients'],
    cacheDir,
    run: async (program, request, env) => {
      const stdin = JSON.stringify(request);
      const { exitCode, stdout, stderr } = await suitePrefix().run(`C:\\clients\\${program}.exe`, [], {
        env,
        stdin,
      });
      if (exitCode !== 0) throw new Error(`${program}.exe: ${stderr || `exit code ${exitCode}`}`);
      return stdout;
    },
    close: () => {
      for (const folder of [cacheDir, ...(renamed ? [renamed] : [])])
        rmSync(suitePrefix().hostPath(folder), { recursive: true, force: true });
    },
  };
}
