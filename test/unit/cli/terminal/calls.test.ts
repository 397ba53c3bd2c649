import { expect, test } from 'vitest';
import { observeCalls } from '../../../../src/cli/terminal/calls.ts';
import { terminal } from '../../../../src/cli/terminal/terminal.ts';
import { system } from '../../../../src/system.ts';

/** A command with the handlers of Ctrl+C that it has, how often it was ended, and what it printed. */
function command() {
  const handlers: (() => void)[] = [];
  const printed: string[] = [];
  let ends = 0;
  const onInterrupt = (handler: () => void) => {
    handlers.push(handler);
    return () => void handlers.splice(handlers.indexOf(handler), 1);
  };
  const endInterrupted = () => {
    ends += 1;
  };
  const clock = { timer: () => ({ cancel: () => undefined }), now: () => 0 };
  const observed = observeCalls(
    { ...system, ...clock },
    { ...terminal, onInterrupt, endInterrupted },
    (text) => void printed.push(text),
  );
  const { onCall, onRollback } = observed.system;
  const start = () => onCall({ name: 'HcnCreateEndpoint' }, 1000);
  const interrupt = () => handlers.at(-1)?.();
  return { handlers, printed, start, onRollback, interrupt, ends: () => ends };
}

test('Ctrl+C is handled while a call or a rollback runs, and by the system otherwise', () => {
  const { handlers, start, onRollback } = command();
  const counts = [handlers.length];
  const ends = [start(), start(), onRollback()];
  counts.push(handlers.length);
  for (const end of ends) {
    end('succeeded');
    counts.push(handlers.length);
  }
  expect(counts).toEqual([0, 1, 1, 1, 0]);
});

test('Ctrl+C during a call ends the process', () => {
  const { start, interrupt, printed, ends } = command();
  start();
  interrupt();
  expect({ printed, ends: ends() }).toEqual({ printed: [], ends: 1 });
});

test('Ctrl+C during a rollback ends the process only the second time', () => {
  const { onRollback, interrupt, printed, ends } = command();
  onRollback();
  interrupt();
  expect(ends()).toBe(0);
  interrupt();
  expect({ printed, ends: ends() }).toEqual({
    printed: [
      'win-hcn: rolling back the changes. Press Ctrl+C again to exit before the rollback is complete.',
    ],
    ends: 1,
  });
});
