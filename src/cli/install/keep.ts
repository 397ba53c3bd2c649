import { exitCode, failureMessage, type Session } from '../terminal/session.ts';

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
  /** The state of the files after the failure: another one is repaired at once. */
  readonly state: string | undefined;
  readonly message: string;
  readonly pause: number;
  readonly retryAt: number;
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
  };
  const stateNow = () => inForce && kept.stateOf(inForce.files);
  /** Again at each check while the latest input is not in force, because a probe may have the file open. Returns what failed. */
  const withdraw = (): readonly unknown[] => {
    try {
      kept.report(undefined);
      return [];
    } catch (error) {
      return [error];
    }
  };
  /** Applies the latest input; if it is refused, restores the one before. Returns what failed. */
  const attempt = async (source: string | undefined): Promise<readonly unknown[]> => {
    const before = inForce;
    let isSame = false;
    try {
      const input = await kept.accept();
      isSame = source === before?.source;
      await put(source, input);
      kept.report({ input });
      return [];
    } catch (error) {
      const isRestored = before === undefined || inForce !== before || stateNow() === before.state;
      if (isSame || isRestored) return [error];
      return put(before.source, before.input).then(
        () => [error],
        (second: unknown) => [error, second],
      );
    }
  };
  const fail = (source: string | undefined, errors: readonly unknown[]) => {
    const messages = [...errors, ...withdraw()].map((error) => failureMessage(error, false));
    const message = [...new Set(messages)].join('\n');
    const state = stateNow();
    const isRestored = inForce !== undefined && state === inForce.state;
    const consequence = isRestored && texts.earlier !== undefined ? `\n${texts.earlier}` : '';
    if (message !== failure?.message) log(`${texts.failed}: ${message}${consequence}`);
    const last = failure?.source === source ? failure : undefined;
    const pause = last === undefined ? seconds : Math.min(2 * last.pause, maximumPause);
    failure = { source, state, message, pause, retryAt: system.now() + 1000 * pause };
  };
  const check = async () => {
    const source = kept.source();
    // On Windows, kubelet deletes the link to a ConfigMap's files before it creates the next one.
    const isFirst = source === undefined && !wasUnreadable;
    wasUnreadable = source === undefined;
    if (isFirst) return;
    if (failure !== undefined) withdraw();
    const latest = failure ?? inForce;
    const state = stateNow();
    const isNewDamage = state !== inForce?.state && state !== failure?.state;
    const isRetry = failure !== undefined && system.now() >= failure.retryAt;
    if (latest !== undefined && source === latest.source && !isNewDamage && !isRetry) return;
    if (isNewDamage) log(texts.changed);
    const errors = await attempt(source);
    if (errors.length > 0) return fail(source, errors);
    failure = undefined;
    log(texts.done);
  };

  withdraw();
  while (!shutdown.aborted) {
    await check();
    await terminal.pause(seconds, shutdown);
  }
  withdraw();
  if (failure !== undefined) session.setExitCode(exitCode.problemFound);
  log(texts.ended);
}
