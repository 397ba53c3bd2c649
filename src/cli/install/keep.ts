import { exitCode, failureMessage, type Session } from '../session.ts';

/** A state of the node that is restored when it changes, such as an installation. `T`: what it is made from, such as a conflist. */
export interface Kept<T> {
  /** Changes when the input does; undefined if it cannot be read at this moment. */
  source(): string | undefined;
  /** Reads and checks the input. Throws what is wrong with it. */
  accept(): Promise<T>;
  /** Puts it in force, and returns the files that must not change. Throws CniError. */
  apply(input: T): Promise<readonly string[]>;
  /** Changes when one of these files does, or is missing. */
  stateOf(files: readonly string[]): string;
  /** Tells a readiness probe that the latest input is in force, or with undefined that it is not. */
  report(latest: { readonly input: T } | undefined): void;
  readonly texts: KeptTexts;
}

/** What the log says, as sentences; `failed` precedes a reason. */
interface KeptTexts {
  readonly done: string;
  readonly failed: string;
  /** Follows the reason if an earlier input stays in force. */
  readonly earlier?: string;
  readonly changed: string;
  readonly ended: string;
}

interface InForce<T> {
  readonly source: string | undefined;
  readonly input: T;
  readonly files: readonly string[];
  readonly state: string;
}

interface Failure {
  readonly source: string | undefined;
  readonly message: string;
  readonly pause: number;
  readonly retryAt: number;
  /** The state of the files after the failure: another one is repaired at once. */
  readonly state: string | undefined;
}

/** The longest pause in seconds after failures in a row, so that a lasting problem does not cost the node much. */
const maximumPause = 300;

/**
 * Applies the input, and again whenever it or an applied file changes, until the process is told to end. A refused input leaves the one
 * before in force. Sets the exit code of a problem if the latest input is not in force at the end.
 */
export async function keep<T>(seconds: number, kept: Kept<T>, session: Session): Promise<void> {
  const { terminal, system } = session;
  const { texts } = kept;
  const log = (text: string) => session.print(`${system.clock().toISOString()} ${text}`);
  const shutdown = terminal.shutdown();
  let inForce: InForce<T> | undefined;
  let failure: Failure | undefined;
  let wasUnreadable = false;

  const put = async (source: string | undefined, input: T) => {
    const files = await kept.apply(input);
    inForce = { source, input, files, state: kept.stateOf(files) };
    if (failure !== undefined) failure = { ...failure, state: inForce.state };
  };
  const fail = (source: string | undefined, error: unknown) => {
    kept.report(undefined);
    const message = failureMessage(error, false);
    const consequence = inForce === undefined || texts.earlier === undefined ? '' : `\n${texts.earlier}`;
    if (message !== failure?.message) log(`${texts.failed}: ${message}${consequence}`);
    const last = failure?.source === source ? failure : undefined;
    const pause = last === undefined ? seconds : Math.min(2 * last.pause, maximumPause);
    const state = inForce && kept.stateOf(inForce.files);
    failure = { source, message, pause, retryAt: system.now() + 1000 * pause, state };
  };
  const check = async () => {
    const source = kept.source();
    // On Windows, kubelet deletes the link to a ConfigMap's files before it creates the next one.
    const isFirst = source === undefined && !wasUnreadable;
    wasUnreadable = source === undefined;
    if (isFirst) return;
    const latest = failure ?? inForce;
    const state = inForce && kept.stateOf(inForce.files);
    const isDamaged = state !== inForce?.state;
    const isChanged = isDamaged && state !== failure?.state;
    const isRetry = failure !== undefined && system.now() >= failure.retryAt;
    if (latest !== undefined && source === latest.source && !isChanged && !isRetry) return;
    if (isChanged) log(texts.changed);
    try {
      const input = await kept.accept();
      await put(source, input);
      kept.report({ input });
      failure = undefined;
      log(texts.done);
    } catch (error) {
      fail(source, error);
      if (isDamaged && inForce !== undefined)
        await put(inForce.source, inForce.input).catch((error: unknown) => fail(source, error));
    }
  };

  kept.report(undefined);
  while (!shutdown.aborted) {
    await check();
    await terminal.pause(seconds, shutdown);
  }
  kept.report(undefined);
  if (failure !== undefined) session.setExitCode(exitCode.problemFound);
  log(texts.ended);
}
