import type { HcnClient } from '../hcn/client.ts';
import type { Timer } from '../hcn/deadline.ts';
import type { IpamPlugin } from '../ipam/delegate.ts';
import type { IpHelper } from '../iphlpapi/ip-helper.ts';
import type { Step, StepName, StepResult } from './step.ts';

/** The only way for a command to change something. It executes steps, or previews them. */
export interface Changes {
  /**
   * Executes a step and remembers its inverse, even when only its outcome is unknown; a preview records the step. Throws what the
   * change throws; a preview throws the refusals it can foresee.
   */
  apply<Do extends StepName>(step: Step<Do>): Promise<StepResult<Do>>;
  /** Exempts a step from the rollback; with `isLost`, only if that returns true right before its inverse would run. */
  keep(step: Step, isLost?: () => boolean): void;
  /** Exempts every step so far from the rollback. */
  keepAll(): void;
  /**
   * Runs the steps of `work`. If it throws, rolls them back and adds to the error's details what could not be rolled back. Not for use
   * within another transaction.
   */
  transaction<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Waits until `find` returns the effect of a step, undefined after `milliseconds`. A preview does not wait: it returns what
   * `preview` finds.
   */
  waitFor<T>(
    milliseconds: number,
    find: () => Promise<T | undefined>,
    preview: () => Promise<T | undefined>,
  ): Promise<T | undefined>;
  /** A preview does not pause. */
  pause(milliseconds: number): Promise<void>;
}

/** What steps change, what a command can read beside them, and the clock to wait by. */
export interface StepTargets {
  readonly hcn: HcnClient;
  /** Reads all networks within a second, outside of the time limits of the request. */
  readonly readNetworks: HcnClient['findNetworks'];
  readonly ipHelper: IpHelper;
  /** Undefined when HNS assigns addresses. Throws if the plugin cannot be found. */
  readonly locateIpam: () => IpamPlugin | undefined;
  readonly timer: Timer;
  /** Milliseconds. */
  readonly now: () => number;
  /** Is called when a rollback starts, and returns what to call at its end. */
  readonly onRollback?: () => () => void;
}

const pollMilliseconds = 250;

/** Calls `find` until it returns something or the time is up; at least once. Returns undefined when the time is up. */
export async function poll<T>(
  { timer, now }: Pick<StepTargets, 'timer' | 'now'>,
  milliseconds: number,
  find: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const deadline = now() + milliseconds;
  for (;;) {
    const found = await find();
    if (found !== undefined || now() >= deadline) return found;
    await new Promise<void>((resolve) => timer(pollMilliseconds, resolve));
  }
}
