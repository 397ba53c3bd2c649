import type { OnCall } from '../../hcn/deadline.ts';
import type { System } from '../../system.ts';
import { callText, type LimitedCall, runningPlugin } from './call-text.ts';
import { withFileErrors } from './files.ts';
import { newInterrupts } from './interrupts.ts';
import { printable } from './output.ts';
import type { Terminal } from './terminal.ts';

/** The last line of a terminal's stderr, which is replaced in place. Elsewhere it shows nothing. */
export interface StatusLine {
  /** Sets what the command is doing, or which call it waits for; both are on the line. Undefined removes the text. */
  show(part: Part, text: string | undefined): void;
  /** Removes the line until the next `show`, so that other output can follow. */
  hide(): void;
  /** Leaves the line as it is, and forgets it. */
  end(): void;
}

type Part = 'activity' | 'wait';

/** `width` is that of stderr's terminal; undefined if stderr is not a terminal. */
export function newStatusLine(
  { writeStderr }: Pick<System, 'writeStderr'>,
  width: number | undefined,
): StatusLine {
  const parts: Record<Part, string | undefined> = { activity: undefined, wait: undefined };
  let shown = 0;
  const write = (text: string): void => {
    if (width === undefined || (text === '' && shown === 0)) return;
    const line = text.slice(0, Math.max(0, width - 1));
    writeStderr(`\r${line.padEnd(shown)}${line === '' ? '\r' : ''}`);
    shown = line.length;
  };
  return {
    show: (part, text) => {
      parts[part] = text;
      write([parts.activity, parts.wait].filter((one) => one !== undefined).join('; '));
    },
    hide: () => write(''),
    end: () => {
      if (shown > 0) writeStderr('\n');
      parts.activity = undefined;
      shown = 0;
    },
  };
}

export interface ObservedSystem {
  /** Reports slow calls, and handles Ctrl+C during calls. */
  readonly system: System;
  /** Only handles Ctrl+C, for commands that report their progress themselves. */
  readonly quietSystem: System;
  /** Its `interrupt` and `shutdown` take over Ctrl+C. */
  readonly terminal: Terminal;
}

/** Observes the calls of a command to HNS, to the IP Helper, and of IPAM plugins. */
export function observeCalls(
  system: System,
  terminal: Terminal,
  status: StatusLine,
  printStderr: (text: string) => void,
): ObservedSystem {
  const { onCall, onRollback, release } = newInterrupts(terminal, printStderr);
  const waits =
    terminal.stderrWidth === undefined ? printWaits(system, printStderr) : showWaits(system, status);
  const both: OnCall = (call, limit) => {
    const ends = [onCall(call, limit), waits(call, limit)];
    return (end) => {
      for (const one of ends) one(end);
    };
  };
  return {
    system: observed({ ...system, onRollback }, both),
    quietSystem: observed({ ...system, onRollback }, onCall),
    terminal: {
      ...terminal,
      ...withFileErrors(terminal),
      get width() {
        return terminal.width;
      },
      interrupt: () => {
        release();
        return terminal.interrupt();
      },
      shutdown: () => {
        release();
        return terminal.shutdown();
      },
    },
  };
}

function observed(system: System, onCall: OnCall): System {
  const spawn: System['spawn'] = async (path, environment, stdin, seconds) => {
    const end = onCall(runningPlugin(path, environment['CNI_COMMAND']), seconds * 1000);
    try {
      const exit = await system.spawn(path, environment, stdin, seconds);
      end(exit.exitCode === 0 ? 'succeeded' : 'timed out');
      return exit;
    } catch (error) {
      end('failed');
      throw error;
    }
  };
  return { ...system, onCall, spawn };
}

/** A call that takes longer is shown. */
const slowMilliseconds = 2000;
/** Between two lines if stderr is not a terminal: each of hundreds of calls may be slow. */
const pauseMilliseconds = 10_000;

type Clock = Pick<System, 'timer' | 'now'>;

/** Prints on stderr what a command waits for, and for how long at most, once a call takes two seconds. */
export function printWaits({ timer, now }: Clock, printStderr: (text: string) => void): OnCall {
  let printed = Number.NEGATIVE_INFINITY;
  return (call, limit) => {
    const announce = (): void => {
      const rest = printed + pauseMilliseconds - now();
      if (rest > 0) {
        next = timer(rest, announce);
        return;
      }
      printed = now();
      printStderr(`${waitText(call, limit)}...`);
    };
    let next = timer(slowMilliseconds, announce);
    return () => next.cancel();
  };
}

/** The same on a terminal: one line that counts seconds, for the call that is slow for the longest time. */
export function showWaits({ timer, now }: Clock, status: StatusLine): OnCall {
  const slow = new Set<LimitedCall>();
  return (call, limit) => {
    const started = now();
    const show = (): void => {
      slow.add(call);
      const seconds = Math.round((now() - started) / 1000);
      const [first] = slow;
      if (first === call) status.show('wait', `${waitText(call, limit)}: ${seconds} s`);
      next = timer(started + (seconds + 1) * 1000 - now(), show);
    };
    let next = timer(slowMilliseconds, show);
    return () => {
      next.cancel();
      if (slow.delete(call)) status.show('wait', undefined);
    };
  };
}

/** As in `waiting for HNS to list endpoints (HcnEnumerateEndpoints), up to 30 s`. */
function waitText(call: LimitedCall, limit: number): string {
  const action = callText(call);
  const what = action === undefined ? call.name : `waiting for HNS to ${action} (${call.name})`;
  return `${what}, up to ${Math.ceil(limit / 100) / 10} s`;
}

/** Shows on stderr what a command is waiting for, and for how long. */
export interface Progress {
  /** Starts a new activity, such as `waiting for the adapter`. */
  start(activity: string): void;
  /** Ends the current activity. */
  end(): void;
}

/** Seconds between two lines if stderr is not a terminal. */
const plainSeconds = 5;

/** On a terminal, one line that counts seconds; elsewhere a line at the start and one every five seconds. */
export function newProgress({
  system,
  terminal,
  status,
  printStderr,
}: {
  readonly system: Clock;
  readonly terminal: Pick<Terminal, 'stderrWidth'>;
  readonly status: StatusLine;
  printStderr(text: string): void;
}): Progress {
  const { timer, now } = system;
  const { stderrWidth: width } = terminal;
  let stop = (): void => undefined;

  const show = (what: string, seconds: number): void => {
    const count = `: ${seconds} s`;
    if (width !== undefined)
      status.show('activity', `${what.slice(0, Math.max(0, width - 1 - count.length))}${count}`);
    else if (seconds === 0) printStderr(what);
    else if (seconds % plainSeconds === 0) printStderr(`${what}${count}`);
  };
  return {
    start: (activity) => {
      const what = printable(activity);
      stop();
      const started = now();
      let seconds = 0;
      const tick = (): { readonly cancel: () => void } =>
        timer(started + (seconds + 1) * 1000 - now(), () => {
          seconds += 1;
          show(what, seconds);
          ticking = tick();
        });
      show(what, seconds);
      let ticking = tick();
      stop = () => {
        ticking.cancel();
        status.end();
        stop = () => undefined;
      };
    },
    end: () => stop(),
  };
}
