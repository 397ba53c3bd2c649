import { spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import type { Hns } from '../simulator/hns.ts';

const bundle = 'build/win-hcn.cjs';

/** The environment of an ADD of pod c0ffee, which has a new namespace. */
export function addEnvironment(hns: Hns): Record<string, string> {
  return {
    ...hns.environment,
    CNI_COMMAND: 'ADD',
    CNI_CONTAINERID: 'c0ffee',
    CNI_NETNS: hns.createNamespace(),
    CNI_IFNAME: 'eth0',
  };
}

export interface Ended {
  /** Null if a signal ended it. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  /** Resolves with the first output on stdout. */
  readonly answered: Promise<void>;
  /** Resolves when stderr has this text. */
  reported(text: string): Promise<void>;
  readonly ended: Promise<Ended>;
  /** Ends it at once, like a crash. */
  kill(): void;
  /** Interrupts it, like Ctrl+C. */
  interrupt(): void;
  /** Asks it to end, like a container runtime. */
  terminate(): void;
}

/** Runs the bundle as a plugin, or with words as a command line. It inherits only PATH from the environment. */
export function runBundle(
  environment: Readonly<Record<string, string>>,
  stdin: string | Uint8Array | Readable,
  words: readonly string[] = [],
): Promise<Ended> {
  return startBundle(environment, stdin, words).ended;
}

export function startBundle(
  environment: Readonly<Record<string, string>>,
  stdin: string | Uint8Array | Readable,
  words: readonly string[] = [],
): Running {
  return startNode([bundle, ...words], environment, stdin);
}

/** Runs Node with the words of a command line. It inherits only PATH from the environment. */
export function startNode(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  stdin: string | Uint8Array | Readable,
): Running {
  const env = { PATH: process.env['PATH'], ...environment };
  const child = spawn(process.execPath, words, { env });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (data: Buffer) => stdout.push(data));
  child.stderr.on('data', (data: Buffer) => stderr.push(data));
  child.stdin.on('error', () => stdin instanceof Readable && stdin.destroy());
  if (stdin instanceof Readable) stdin.pipe(child.stdin);
  else child.stdin.end(stdin);
  const answered = new Promise<void>((resolve) => child.stdout.once('data', () => resolve()));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) =>
      resolve({
        exitCode,
        stdout: Buffer.concat(stdout).toString(),
        stderr: Buffer.concat(stderr).toString(),
      }),
    );
  });
  const reported = (text: string) =>
    new Promise<void>((resolve) => {
      const look = () => Buffer.concat(stderr).includes(text) && resolve();
      child.stderr.on('data', look);
      look();
    });
  return {
    answered,
    reported,
    ended,
    kill: () => child.kill('SIGKILL'),
    interrupt: () => child.kill('SIGINT'),
    terminate: () => child.kill('SIGTERM'),
  };
}
