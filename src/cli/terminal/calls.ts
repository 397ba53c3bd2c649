import type { OnCall } from '../../hcn/deadline.ts';
import type { System } from '../../system.ts';
import { withFileErrors } from './files.ts';
import { printable } from './output.ts';
import { shortGuid } from './short-text.ts';
import type { Terminal } from './terminal.ts';

type Call = Parameters<OnCall>[0];
type Print = (text: string) => void;
type Clock = Pick<System, 'timer' | 'now'>;

/** The system and terminal of a command, whose calls to HNS, to the IP Helper and of IPAM plugins are observed. */
export interface Observed {
  /** Reports slow calls, and handles Ctrl+C during calls. */
  readonly system: System;
  /** Only handles Ctrl+C, for commands that report their progress themselves. */
  readonly quietSystem: System;
  /** Its `interrupt` and `shutdown` take over Ctrl+C. */
  readonly terminal: Terminal;
}

/** Observes the calls of a command. */
export function observeCalls(system: System, terminal: Terminal, printStderr: Print): Observed {
  const { onCall, onRollback, release } = newInterrupts(terminal, printStderr);
  const reportSlow = slowCallReporter(system, printStderr);
  const both: OnCall = (call, limit) => {
    const ends = [onCall(call, limit), reportSlow(call, limit)];
    return (end) => {
      for (const one of ends) one(end);
    };
  };
  const released = (take: () => AbortSignal) => () => {
    release();
    return take();
  };
  return {
    system: { ...system, onRollback, onCall: both, spawn: observedSpawn(system, both) },
    quietSystem: { ...system, onRollback, onCall, spawn: observedSpawn(system, onCall) },
    terminal: {
      ...terminal,
      ...withFileErrors(terminal),
      interrupt: released(terminal.interrupt),
      shutdown: released(terminal.shutdown),
    },
  };
}

/** Reports runs of IPAM plugins as calls. */
function observedSpawn({ spawn }: System, onCall: OnCall): System['spawn'] {
  return async (path, environment, stdin, seconds) => {
    const end = onCall({ name: `running ${path} (${environment['CNI_COMMAND']})` }, seconds * 1000);
    try {
      const exit = await spawn(path, environment, stdin, seconds);
      end(exit.exitCode === 0 ? 'succeeded' : 'timed out');
      return exit;
    } catch (error) {
      end('failed');
      throw error;
    }
  };
}

/** A call that takes longer is reported. */
const slowMilliseconds = 2000;
/** Between two reports: each of hundreds of calls may be slow. */
const pauseMilliseconds = 10_000;

/** Prints what a command waits for, and for how long at most. */
function slowCallReporter({ timer, now }: Clock, printStderr: Print): OnCall {
  let next = Number.NEGATIVE_INFINITY;
  return (call, limit) => {
    const report = (): void => {
      if (now() < next) {
        waiting = timer(next - now(), report);
        return;
      }
      next = now() + pauseMilliseconds;
      const action = actionOf(call);
      const what = action === undefined ? call.name : `waiting for HNS to ${action} (${call.name})`;
      printStderr(`${what}, up to ${Math.ceil(limit / 100) / 10} s...`);
    };
    let waiting = timer(slowMilliseconds, report);
    return () => waiting.cancel();
  };
}

/** What Ctrl+C does while a command calls HNS. */
export interface Interrupts {
  readonly onCall: OnCall;
  /** Is called when a rollback starts, and returns what to call at its end. */
  readonly onRollback: () => () => void;
  /** Leaves Ctrl+C to the command. */
  readonly release: () => void;
}

/**
 * Ends the process at Ctrl+C, even if calls hang, after reporting what the command has changed. During a rollback, the first Ctrl+C only
 * reports the rollback.
 */
export function newInterrupts(
  { onInterrupt, endInterrupted }: Pick<Terminal, 'onInterrupt' | 'endInterrupted'>,
  printStderr: Print,
): Interrupts {
  const running = new Set<Call>();
  const changes: string[] = [];
  let rollbacks = 0;
  let isWarned = false;
  let isReleased = false;
  let stop: (() => void) | undefined;
  const interrupted = (): void => {
    if (rollbacks > 0 && !isWarned) {
      isWarned = true;
      printStderr(
        'win-hcn: rolling back the changes. Press Ctrl+C again to exit before the rollback is complete.',
      );
      return;
    }
    const pending = [...running].filter(isChange).map((call) => `may still happen: ${callText(call)}`);
    const lines = [...changes, ...pending].map((line) => `\n  ${line}`);
    if (lines.length > 0)
      printStderr(`win-hcn: interrupted. Check these changes with win-hcn ls:${lines.join('')}`);
    endInterrupted();
  };
  return {
    onCall: (call) => {
      running.add(call);
      if (!isReleased) stop ??= onInterrupt(interrupted);
      return (end) => {
        running.delete(call);
        if (isChange(call) && end !== 'failed')
          changes.push(`${end === 'succeeded' ? 'done' : 'may still happen'}: ${callText(call)}`);
        if (running.size > 0 || changes.length > 0) return;
        // Ctrl+C then ends the process as usual, also if it waits for a reader of its output.
        stop?.();
        stop = undefined;
      };
    },
    onRollback: () => {
      rollbacks += 1;
      return () => {
        rollbacks -= 1;
      };
    },
    release: () => {
      stop?.();
      isReleased = true;
    },
  };
}

/** HCN's verbs that are not the field's. */
const verbs: Readonly<Record<string, string>> = { Enumerate: 'list', Query: 'read', Modify: 'change' };

/** What a call to HNS does: `list endpoints`, or `delete endpoint 5efcf8b5`; undefined for other libraries. */
function actionOf({ name, id }: Call): string | undefined {
  if (name === 'HNSCall') return 'respond';
  const [, verb = '', object] = /^Hcn([A-Z][a-z]+)([A-Z]\w*?)(?:Properties)?$/.exec(name) ?? [];
  if (object === undefined) return undefined;
  const kind = object.replaceAll(/\B[A-Z]/g, ' $&').toLowerCase();
  return `${verbs[verb] ?? verb.toLowerCase()} ${kind}${id === undefined ? '' : ` ${shortGuid(id)}`}`;
}

function callText(call: Call): string {
  const action = actionOf(call);
  return action === undefined ? call.name : `${action} (${call.name})`;
}

/** Whether a call changes something: of HCN, or of the IP Helper or an IPAM plugin, whose names are phrases. */
function isChange({ name }: Call): boolean {
  return /^Hcn(Create|Modify|Delete)|^(enabling|deleting) |^running .*\((ADD|DEL|GC)\)$/.test(name);
}

/** Prints what a command is waiting for: at once, and with the seconds so far every five seconds. */
export interface Progress {
  /** Starts a new activity, such as `waiting for the adapter`. */
  start(activity: string): void;
  /** Ends the current activity. */
  end(): void;
}

const progressSeconds = 5;

/** Returns the progress of a command, on stderr. */
export function newProgress({ system, printStderr }: { system: Clock; printStderr: Print }): Progress {
  let waiting: ReturnType<Clock['timer']> | undefined;
  const end = () => waiting?.cancel();
  return {
    start: (activity) => {
      end();
      const report = (seconds: number): void => {
        printStderr(`${printable(activity)}${seconds === 0 ? '' : `: ${seconds} s`}`);
        waiting = system.timer(progressSeconds * 1000, () => report(seconds + progressSeconds));
      };
      report(0);
    },
    end,
  };
}
