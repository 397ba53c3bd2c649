import type { OnCall } from '../../hcn/deadline.ts';
import type { System } from '../../system.ts';
import { withFileErrors } from './files.ts';
import type { Terminal } from './terminal.ts';

type Print = (text: string) => void;
type Clock = Pick<System, 'timer' | 'now'>;

/** Observes the calls of a command to HNS and to the IP Helper: reports slow ones, and handles Ctrl+C during calls. */
export function observeCalls(system: System, terminal: Terminal, printStderr: Print) {
  const { onCall, onRollback, release } = newInterrupts(terminal, printStderr);
  const reportSlow = slowCallReporter(system, printStderr);
  const both: OnCall = (call, limit) => {
    const ends = [onCall(call, limit), reportSlow(call, limit)];
    return (end) => {
      for (const one of ends) one(end);
    };
  };
  return {
    system: { ...system, onRollback, onCall: both },
    terminal: {
      ...terminal,
      ...withFileErrors(terminal),
      interrupt: () => {
        release();
        return terminal.interrupt();
      },
    },
  };
}

/** A call that takes longer is reported. */
const slowMilliseconds = 2000;
/** Between two reports: each of hundreds of calls may be slow. */
const pauseMilliseconds = 10_000;

/** Prints what a command waits for, and for how long at most. */
function slowCallReporter({ timer, now }: Clock, printStderr: Print): OnCall {
  let next = Number.NEGATIVE_INFINITY;
  return ({ name }, limit) => {
    const report = (): void => {
      if (now() < next) {
        waiting = timer(next - now(), report);
        return;
      }
      next = now() + pauseMilliseconds;
      printStderr(`waiting for ${name}, up to ${Math.ceil(limit / 100) / 10} s...`);
    };
    let waiting = timer(slowMilliseconds, report);
    return () => waiting.cancel();
  };
}

/** What Ctrl+C does while a command calls HNS. */
interface Interrupts {
  readonly onCall: OnCall;
  /** Is called when a rollback starts, and returns what to call at its end. */
  readonly onRollback: () => () => void;
  /** Leaves Ctrl+C to the command. */
  readonly release: () => void;
}

/** Ends the process at Ctrl+C, even if calls hang. During a rollback, the first Ctrl+C only reports the rollback. */
function newInterrupts(
  { onInterrupt, endInterrupted }: Pick<Terminal, 'onInterrupt' | 'endInterrupted'>,
  printStderr: Print,
): Interrupts {
  let [calls, rollbacks] = [0, 0];
  let isWarned = false;
  let isReleased = false;
  let stop: (() => void) | undefined;
  const interrupted = (): void => {
    if (rollbacks > 0 && !isWarned)
      printStderr(
        'win-hcn: rolling back the changes. Press Ctrl+C again to exit before the rollback is complete.',
      );
    else endInterrupted();
    isWarned = true;
  };
  /** Without calls, Ctrl+C ends the process as usual, also if it waits for a reader of its output. */
  const update = (): void => {
    const isNeeded = calls + rollbacks > 0 && !isReleased;
    if (isNeeded) stop ??= onInterrupt(interrupted);
    else {
      stop?.();
      stop = undefined;
    }
  };
  return {
    onCall: () => {
      calls += 1;
      update();
      return () => {
        calls -= 1;
        update();
      };
    },
    onRollback: () => {
      rollbacks += 1;
      update();
      return () => {
        rollbacks -= 1;
        update();
      };
    },
    release: () => {
      isReleased = true;
      update();
    },
  };
}
