import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Mutant } from './mutate.ts';
import type { Result, Run } from './runner.ts';

/** A copy of the project with a process that runs its tests. */
export interface Worker {
  /** Runs tests while a file has a mutant's text. Returns what failed, or undefined when every test passed. */
  run(tests: readonly string[], mutant?: Pick<Mutant, 'file' | 'text'>): Promise<string | undefined>;
  stop(): void;
}

const runner = fileURLToPath(new URL('runner.ts', import.meta.url));
const notCopied = ['node_modules', 'build', 'dist', '.git'];

export function startWorker(project: string, copy: string, limitSeconds: number): Worker {
  copyProject(project, copy);
  let child: ChildProcess | undefined;

  const running = async (): Promise<ChildProcess> => {
    if (child !== undefined && child.exitCode === null) return child;
    child = fork(runner, { cwd: copy, detached: true, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    await once(child, 'message');
    return child;
  };
  const stop = (): void => {
    // vitest's own workers may be in an endless loop: only a signal to their process group ends them.
    if (child?.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    child = undefined;
  };
  const ask = async (run: Run): Promise<string | undefined> => {
    const asked = await running();
    const waiting = new AbortController();
    const timer = setTimeout(() => waiting.abort(), limitSeconds * 1000);
    const { signal } = waiting;
    try {
      const result = once(asked, 'message', { signal }) as Promise<[Result]>;
      asked.send(run);
      const [first] = await Promise.race([result, once(asked, 'exit', { signal }).then(ended)]);
      return first.failed;
    } catch (error) {
      if (!signal.aborted) throw error;
      stop();
      return `the time limit of ${limitSeconds} s`;
    } finally {
      clearTimeout(timer);
      waiting.abort();
    }
  };

  return {
    run: async (tests, mutant) => {
      if (mutant === undefined) return ask({ tests });
      const mutated = resolve(copy, mutant.file);
      const original = readFileSync(mutated);
      writeFileSync(mutated, mutant.text);
      try {
        return await ask({ tests, mutated });
      } finally {
        writeFileSync(mutated, original);
      }
    },
    stop,
  };
}

function ended(): [Result] {
  return [{ failed: 'the end of its process' }];
}

function copyProject(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from).filter((entry) => !notCopied.includes(entry))) {
    cpSync(join(from, name), join(to, name), { recursive: true });
  }
  // Some tests run the bundle, which never has a mutant in it.
  for (const file of globSync('build/*.cjs{,.map}', { cwd: from })) cpSync(join(from, file), join(to, file));
  symlinkSync(resolve(from, 'node_modules'), join(to, 'node_modules'), 'dir');
}
