/** A Windows installation of Wine: a copy of one that was booted once, served by one wineserver, runs many programs at once. */

import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { Socket } from 'node:net';
import { basename, join, win32 } from 'node:path';
import type { Wine } from './wine.ts';

export interface Run {
  /** Undefined if the timeout or the signal ended it. Wine passes on the low 8 bits of a Windows exit code. */
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** The whole environment except variables of Wine; nothing is inherited from the tests. */
  readonly env?: Readonly<Record<string, string>>;
  /** The bytes of standard input. Default: NUL. */
  readonly stdin?: string | Uint8Array;
  /** The working directory. Default: the root of drive C. */
  readonly folder?: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** A Linux program, with its arguments, that starts Wine. */
  readonly launcher?: readonly string[];
}

const MINUTE = 60_000;
/** The wineserver ends by itself after this time without a program, such as that of a killed suite after its holder. */
const LINGER_SECONDS = 60;
/** The prefix that is booted, and of which all others are copies: a boot takes longer. */
const TEMPLATE = 'template';

export class Prefix {
  readonly #wine: Wine;
  readonly #name: string;

  /** Opens a prefix under build/wine without changing it: workers use the one that the suite's setup prepared. */
  constructor(wine: Wine, name: string) {
    this.#wine = wine;
    this.#name = name;
  }

  /**
   * Creates the prefix unless an earlier run did, starts the wineserver, and copies the DLLs into system32. The wineserver runs until
   * `stop`, or until this process ends.
   */
  async prepare(libraries: readonly string[]): Promise<void> {
    await this.#create();
    await this.#administer('wineserver', `--persistent=${LINGER_SECONDS}`);
    await this.#administer('wine', 'hostname');
    this.#hold();
    for (const library of libraries) this.install(library, 'C:\\windows\\system32');
  }

  /** Copies a file of the host into a folder of the prefix and returns its path there. */
  install(file: string, folder = 'C:\\opt\\cni\\bin', name = basename(file)): string {
    mkdirSync(this.hostPath(folder), { recursive: true });
    const path = win32.join(folder, name);
    copyFileSync(file, this.hostPath(path));
    return path;
  }

  /** Returns the host's path of a file on drive C. */
  hostPath(path: string): string {
    const [drive = '', ...parts] = path.split('\\');
    if (drive.toLowerCase() !== 'c:') throw new Error(`${path} is not on drive C`);
    return join(this.#wine.home, this.#name, 'drive_c', ...parts);
  }

  /**
   * Runs an installed program and collects its output in files, because the wineserver keeps the
   * pipes of a program open for a second after its end, and those of the first program for as long as it lives.
   */
  async run(exe: string, args: readonly string[] = [], options: RunOptions = {}): Promise<Run> {
    const outputs = mkdtempSync(join(this.#wine.home, 'tmp', 'run-'));
    const stdout = openSync(join(outputs, 'stdout'), 'w');
    const stderr = openSync(join(outputs, 'stderr'), 'w');
    try {
      const stdin = options.stdin === undefined ? 'ignore' : 'pipe';
      const [drive = '', ...parts] = (options.folder ?? 'C:').split('\\');
      const folder = [this.#wine.homeInside, this.#name, 'dosdevices', drive.toLowerCase(), ...parts].join(
        '/',
      );
      const program = [...(options.launcher ?? []), 'wine', exe, ...args];
      const child = this.#spawn(folder, program, [stdin, stdout, stderr], options);
      // A program may end without reading its input.
      child.stdin?.on('error', () => {});
      child.stdin?.end(options.stdin);
      const exitCode = await ending(child);
      const written = (name: string) => readFileSync(join(outputs, name), 'utf8');
      return { exitCode, stdout: written('stdout'), stderr: written('stderr') };
    } finally {
      closeSync(stdout);
      closeSync(stderr);
      rmSync(outputs, { recursive: true });
    }
  }

  /** Ends the wineserver and every program that still runs in the prefix. */
  async stop(): Promise<void> {
    await this.#administer('wineserver', '--kill').catch(() => {});
  }

  async #create(): Promise<void> {
    const folder = join(this.#wine.home, this.#name);
    const created = join(folder, '.booted');
    if (existsSync(created)) return;
    if (this.#name === TEMPLATE) {
      // wineboot aborts now and then.
      await this.#boot(folder).catch(() => this.#boot(folder));
    } else {
      await new Prefix(this.#wine, TEMPLATE).#create();
      rmSync(folder, { recursive: true, force: true });
      const filter = (path: string) => basename(path) !== basename(created);
      cpSync(join(this.#wine.home, TEMPLATE), folder, { recursive: true, verbatimSymlinks: true, filter });
    }
    writeFileSync(created, this.#wine.version);
  }

  async #boot(folder: string): Promise<void> {
    rmSync(folder, { recursive: true, force: true });
    await this.#administer('wineboot', '--init');
    await this.#administer('wineserver', '--wait');
  }

  /**
   * Starts a program that waits until this process ends. Without any program, the wineserver would end, and Wine's services with it. The
   * next program would start them again: if one of them then crashes, Wine prints that on the program's stderr, and a program that
   * starts while the wineserver ends fails with "recvmsg: Connection reset by peer".
   */
  #hold(): void {
    const argv = this.#wine.argv(this.#wine.homeInside, ['wine', 'cmd', '/c', 'set /p end=']);
    const [command = '', ...args] = argv;
    const child = spawn(command, args, { env: this.#environment({}), stdio: ['pipe', 'ignore', 'ignore'] });
    child.on('error', () => {});
    child.stdin.on('error', () => {});
    child.unref();
    if (child.stdin instanceof Socket) child.stdin.unref();
  }

  async #administer(...program: string[]): Promise<void> {
    const exitCode = await ending(this.#spawn(this.#wine.homeInside, program, 'ignore', {}));
    if (exitCode !== 0) throw new Error(`${program.join(' ')} ended with ${exitCode}`);
  }

  #spawn(folder: string, program: readonly string[], stdio: StdioOptions, options: RunOptions): ChildProcess {
    const [command = '', ...args] = this.#wine.argv(folder, program);
    return spawn(command, args, {
      env: this.#environment(options.env ?? {}),
      stdio,
      timeout: options.timeoutMs ?? MINUTE,
      killSignal: 'SIGKILL',
      ...(options.signal && { signal: options.signal }),
    });
  }

  #environment(env: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
    return {
      ...env,
      PATH: process.env['PATH'],
      HOME: this.#wine.homeInside,
      LC_ALL: 'C.UTF-8',
      WINEDEBUG: '-all',
      WINEPREFIX: `${this.#wine.homeInside}/${this.#name}`,
      // No offers to download Mono or Gecko, no desktop menus.
      WINEDLLOVERRIDES: 'mscoree,mshtml,winemenubuilder.exe=',
    };
  }
}

/** Returns the exit code, or undefined if the timeout or the signal ended the program. */
function ending(child: ChildProcess): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  child.on('error', (error) => error.name !== 'AbortError' && reject(error));
  child.on('exit', (code) => resolve(code ?? undefined));
  return promise;
}
