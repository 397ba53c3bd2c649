import { exitCode, failureMessage, type Session } from '../session.ts';

/** An installation that is repaired when it changes. */
export interface Kept {
  /** Changes when the conflist to install does; undefined if it cannot be read at this moment. */
  source(): string | undefined;
  /** The conflist to put in force. Throws what is wrong with the one to install. */
  accept(): Promise<Uint8Array>;
  /** Installs this conflist and the running exe, and returns the files that must not change. Throws CniError. */
  install(conflist: Uint8Array): Promise<readonly string[]>;
  /** Changes when one of these files does, or is missing. */
  stateOf(files: readonly string[]): string;
}

/** What a readiness probe reads: present only while the latest conflist is in force. */
export interface ReadyFile {
  write(conflist: Uint8Array): void;
  remove(): void;
}

interface InForce {
  readonly source: string | undefined;
  readonly conflist: Uint8Array;
  readonly files: readonly string[];
  readonly state: string;
}

interface Failure {
  readonly source: string | undefined;
  readonly message: string;
  readonly pause: number;
  readonly retryAt: number;
}

/** The longest pause in seconds after failures in a row, so that a lasting problem does not cost the node much. */
const maximumPause = 300;

/**
 * Installs, and again whenever the conflist or an installed file changes, until the process is told to end. A refused conflist leaves the
 * one before in force. Sets the exit code of a problem if the latest conflist is not in force at the end.
 */
export async function keepInstalled(
  seconds: number,
  kept: Kept,
  ready: ReadyFile,
  session: Session,
): Promise<void> {
  const { terminal, system } = session;
  const log = (text: string) => session.print(`${system.clock().toISOString()} ${text}`);
  const shutdown = terminal.shutdown();
  let inForce: InForce | undefined;
  let failure: Failure | undefined;

  const put = async (source: string | undefined, conflist: Uint8Array) => {
    const files = await kept.install(conflist);
    inForce = { source, conflist, files, state: kept.stateOf(files) };
  };
  const fail = (source: string | undefined, error: unknown) => {
    ready.remove();
    const message = failureMessage(error, false);
    const consequence =
      inForce === undefined ? '' : '\nThe conflist that was installed before stays in force.';
    if (message !== failure?.message) log(`Not installed: ${message}${consequence}`);
    const last = failure?.source === source ? failure : undefined;
    const pause = last === undefined ? seconds : Math.min(2 * last.pause, maximumPause);
    failure = { source, message, pause, retryAt: system.now() + 1000 * pause };
  };
  const check = async () => {
    const source = kept.source();
    const latest = failure ?? inForce;
    const isDamaged = inForce !== undefined && kept.stateOf(inForce.files) !== inForce.state;
    const isRetry = failure !== undefined && system.now() >= failure.retryAt;
    if (latest !== undefined && source === latest.source && !isDamaged && !isRetry) return;
    if (isDamaged) log('An installed file was changed or deleted. Reinstalling.');
    try {
      const conflist = await kept.accept();
      await put(source, conflist);
      ready.write(conflist);
      failure = undefined;
      log('Installed. The conflist is in force.');
    } catch (error) {
      fail(source, error);
      if (isDamaged && inForce !== undefined)
        await put(inForce.source, inForce.conflist).catch((error: unknown) => fail(source, error));
    }
  };

  ready.remove();
  while (!shutdown.aborted) {
    await check();
    await terminal.pause(seconds, shutdown);
  }
  ready.remove();
  if (failure !== undefined) session.setExitCode(exitCode.problemFound);
  log(
    failure === undefined ? 'Ended. win-hcn stays installed.' : 'Ended. The latest conflist is not in force.',
  );
}
