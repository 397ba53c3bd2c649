import type { OnCall } from '../../hcn/deadline.ts';
import type { System } from '../../system.ts';
import { runningPlugin } from './call-text.ts';
import { newInterrupts } from './interrupts.ts';
import type { StatusLine } from './status-line.ts';
import type { Terminal } from './terminal.ts';
import { printWaits, showWaits } from './waits.ts';

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
