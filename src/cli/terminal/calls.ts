import type { OnCall } from '../../hcn/deadline.ts';
import type { Guid, Kind } from '../../hcn/guid.ts';
import { kindName } from '../../hcn/open-objects.ts';
import type { System } from '../../system.ts';
import { printable } from './output.ts';
import type { Session } from './session.ts';
import { shortGuid } from './short-text.ts';
import type { Terminal } from './terminal.ts';

export type LimitedCall = Parameters<OnCall>[0];

/** What a call does: `list endpoints`, or `delete endpoint 5efcf8b5`; undefined for other libraries than HCN. */
export function callText({ name, id }: LimitedCall): string | undefined {
  const [, verb = '', kind] = /^Hcn([A-Z][a-z]+)(Network|Endpoint|Namespace|LoadBalancer)/.exec(name) ?? [];
  if (!isKind(kind)) return name === 'HNSCall' ? 'respond' : undefined;
  if (verb === 'Enumerate') return `list ${kindName(kind)}s`;
  return [
    verbs[verb] ?? verb.toLowerCase(),
    kindName(kind),
    ...(id === undefined ? [] : [shortText(id)]),
  ].join(' ');
}

/** HCN's verbs that are not the field's. */
const verbs: Readonly<Record<string, string>> = { Query: 'read', Modify: 'change' };

function shortText(id: Guid): string {
  return shortGuid(id);
}

function isKind(kind: string | undefined): kind is Kind {
  return kind !== undefined;
}

/** Whether a call changes something: of HCN, or of the IP Helper or an IPAM plugin, whose names are phrases. */
export function isChange({ name }: LimitedCall): boolean {
  return /^Hcn(Create|Modify|Delete)|^(enabling|deleting) |^running .*\((ADD|DEL|GC)\)$/.test(name);
}

/** The run of an IPAM plugin as a call. */
export function runningPlugin(path: string, command: string | undefined): LimitedCall {
  return { name: `running ${path} (${command})` };
}

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
  printStderr: (text: string) => void,
): Interrupts {
  const running = new Set<LimitedCall>();
  let changes: readonly string[] = [];
  let rollbacks = 0;
  let isWarned = false;
  let stop: (() => void) | undefined;
  let isReleased = false;

  const interrupted = (): void => {
    if (rollbacks > 0 && !isWarned) {
      isWarned = true;
      printStderr(
        'win-hcn: rolling back the changes. Press Ctrl+C again to exit before the rollback is complete.',
      );
      return;
    }
    const pending = [...running].filter(isChange).map((call) => unknownOutcome(call));
    const lines = [...changes, ...pending].map((line) => `  ${line}`);
    if (lines.length > 0)
      printStderr(['win-hcn: interrupted. Check these changes with win-hcn ls:', ...lines].join('\n'));
    endInterrupted();
  };
  const onCall: OnCall = (call) => {
    running.add(call);
    if (!isReleased) stop ??= onInterrupt(interrupted);
    return (end) => {
      running.delete(call);
      if (isChange(call) && end !== 'failed')
        changes = [...changes, end === 'succeeded' ? `done: ${changeText(call)}` : unknownOutcome(call)];
      if (running.size > 0 || changes.length > 0) return;
      // Ctrl+C then ends the process as usual, also if it waits for a reader of its output.
      stop?.();
      stop = undefined;
    };
  };
  return {
    onCall,
    release: () => {
      stop?.();
      isReleased = true;
    },
    onRollback: () => {
      rollbacks += 1;
      return () => {
        rollbacks -= 1;
      };
    },
  };
}

function unknownOutcome(call: LimitedCall): string {
  return `may still happen: ${changeText(call)}`;
}

function changeText(call: LimitedCall): string {
  const text = callText(call);
  return text === undefined ? call.name : `${text} (${call.name})`;
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
export function newProgress({ system, terminal, status, printStderr }: Session): Progress {
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
