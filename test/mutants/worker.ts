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
import type { Message, Run } from './runner.ts';

/** How tests ended: all passed, or a file failed, ended the process, or took longer than its limit. */
export type Outcome =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed' | 'ended'; readonly test: string; readonly what: string }
  | { readonly kind: 'stuck'; readonly test: string; readonly seconds: number };

export interface RunOptions {
  readonly mutant?: Pick<Mutant, 'file' | 'text'>;
  /** How long a test file may take. */
  readonly secondsOf: (test: string) => number;
}

/** A copy of the project with a process that runs its tests. */
export interface Worker {
  /** Runs tests, in that order, up to the first that fails. */
  run(tests: readonly string[], options: RunOptions): Promise<Outcome>;
  stop(): void;
}

const runner = fileURLToPath(new URL('runner.ts', import.meta.url));
const notCopied = ['node_modules', 'build', 'dist', '.git'];

/** Starts a worker in a folder. */
export function startWorker(project: string, copy: string): Worker {
  copyProject(project, copy);
  let child: ChildProcess | undefined;

  const running = async (): Promise<ChildProcess> => {
    if (child !== undefined && child.exitCode === null && child.signalCode === null) return child;
    child = fork(runner, [], { cwd: copy, detached: true, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    await once(child, 'message');
    return child;
  };
  const stop = (): void => {
    // vitest's own workers may be in an endless loop: only a signal to their process group ends them.
    if (child?.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    child = undefined;
  };
  const ask = async (run: Run, { secondsOf }: RunOptions): Promise<Outcome> => {
    const asked = await running();
    const waiting = new Set(run.tests);
    const current = (): string => waiting.values().next().value ?? run.tests.at(-1) ?? '';
    const { promise, resolve: finish } = Promise.withResolvers<Outcome>();
    let timer: NodeJS.Timeout | undefined;
    const watch = (): void => {
      clearTimeout(timer);
      const test = current();
      const seconds = secondsOf(test);
      timer = setTimeout(() => {
        stop();
        finish({ kind: 'stuck', test, seconds });
      }, seconds * 1000);
    };
    const receive = (message: Message): void => {
      if (message === 'ready') return;
      if ('ended' in message) {
        waiting.delete(message.ended);
        watch();
        return;
      }
      const { failure } = message;
      if (failure === undefined) finish({ kind: 'passed' });
      else finish({ kind: 'failed', test: failure.test ?? current(), what: failure.what });
    };
    const end = (): void => finish({ kind: 'ended', test: current(), what: 'the end of its process' });
    asked.on('message', receive).once('exit', end);
    try {
      watch();
      asked.send(run);
      return await promise;
    } finally {
      clearTimeout(timer);
      asked.off('message', receive).off('exit', end);
    }
  };

  return {
    run: async (tests, options) => {
      const { mutant } = options;
      if (mutant === undefined) return ask({ tests }, options);
      const mutated = resolve(copy, mutant.file);
      const original = readFileSync(mutated);
      writeFileSync(mutated, mutant.text());
      try {
        return await ask({ tests, mutated }, options);
      } finally {
        writeFileSync(mutated, original);
      }
    },
    stop,
  };
}

function copyProject(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from).filter((entry) => !notCopied.includes(entry))) {
    cpSync(join(from, name), join(to, name), { recursive: true });
  }
  // Some tests run the bundle, which never has a mutant in it.
  mkdirSync(join(to, 'build'), { recursive: true });
  for (const file of globSync('build/*.cjs{,.map}', { cwd: from })) cpSync(join(from, file), join(to, file));
  symlinkSync(resolve(from, 'node_modules'), join(to, 'node_modules'), 'dir');
}
