// Where win-hcn and a client run side by side: the bundle on Linux, the shipped exe on Windows as Wine has it.

import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { v4 as uuidv4 } from 'uuid';
import { suitePrefix, missing as wineMissing } from '../windows/suite.ts';
import { goMissing, type Program, programPath } from './build.ts';

export interface Host {
  readonly name: string;
  /** Why there is no such host here, or undefined. */
  readonly missing: string | undefined;
  open(): OpenHost;
}

export interface OpenHost {
  /** The folders with win-hcn and its neighbour, for CNI_PATH. */
  readonly path: readonly string[];
  /** A folder of this test's own, for what a client remembers. */
  readonly cacheDir: string;
  /** Runs a client with a request on stdin; what it printed. */
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

/** An executable called win-hcn in a folder: the bundle with this Node, after `before`. */
export function installBundle(folder: string, before = ''): void {
  mkdirSync(folder, { recursive: true });
  const wrapper = join(folder, 'win-hcn');
  writeFileSync(wrapper, `#!/bin/sh\n${before}exec '${process.execPath}' '${bundle}'\n`);
  chmodSync(wrapper, 0o755);
}

function openLinux(): OpenHost {
  const folder = mkdtempSync(join(tmpdir(), 'win-hcn-clients-'));
  const plugins = join(folder, 'bin');
  installBundle(plugins);
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

function openWine(): OpenHost {
  const cacheDir = `C:\\clients\\cache-${uuidv4()}`;
  return {
    path: ['C:\\opt\\cni\\bin', 'C:\\clients'],
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
    close: () => rmSync(suitePrefix().hostPath(cacheDir), { recursive: true, force: true }),
  };
}
