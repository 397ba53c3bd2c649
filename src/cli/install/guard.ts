import { spawn } from 'node:child_process';
import { isSea } from 'node:sea';

/** A process that repairs an installation if this one dies. */
export interface Guard {
  /** Ends the guard and waits for its end. Never rejects. */
  end(): Promise<void>;
}

/** The hidden command of the guard, with the folder as its argument. */
export const guardCommandName = '__guard';

/** What the guard prints once it watches. */
export const guardIsReady = 'ready';

/** How long the guard may take to start; without one, an upgrade goes on. */
const startSeconds = 15;

/**
 * Starts this program again as the guard of a folder, and waits until it watches. Its stdin ends when this process does, however that
 * ends; then the guard restores a missing win-hcn.exe. Never rejects: without a guard, the next install or upgrade repairs the folder.
 */
export function startGuard(folder: string): Promise<Guard> {
  const [, script = ''] = process.argv;
  const words = [guardCommandName, folder];
  const { promise, resolve } = Promise.withResolvers<Guard>();
  const child = spawn(process.execPath, isSea() ? words : [script, ...words], {
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
  });
  const ended = new Promise<void>((resolveEnd) => {
    child.once('exit', () => resolveEnd());
    child.once('error', () => resolveEnd());
  });
  const guard: Guard = {
    end: () => {
      child.stdin.end();
      return ended;
    },
  };
  const late = setTimeout(() => {
    child.kill('SIGKILL');
    resolve(guard);
  }, startSeconds * 1000);
  child.stdin.on('error', () => undefined);
  child.stdout.once('data', () => resolve(guard));
  void ended.then(() => resolve(guard));
  return promise.finally(() => clearTimeout(late));
}
