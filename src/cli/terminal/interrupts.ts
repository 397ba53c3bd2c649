import type { OnCall } from '../../hcn/deadline.ts';
import { callText, isChange, type LimitedCall } from './call-text.ts';
import type { Terminal } from './terminal.ts';

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
