import { describe, expect, test } from 'vitest';
import { newInterrupts } from '../../../../src/cli/terminal/calls.ts';

/** A terminal on which Ctrl+C can be pressed. Records what is printed and the end of the process. */
function newTerminal() {
  const events: string[] = [];
  let handle: (() => void) | undefined;
  const interrupts = newInterrupts(
    {
      onInterrupt: (given) => {
        handle = given;
        return () => {
          handle = undefined;
        };
      },
      endInterrupted: () => events.push('ended'),
    },
    (text) => events.push(text),
  );
  const press = (): readonly string[] => {
    if (handle === undefined) return ['ended as usual'];
    handle();
    return events.splice(0);
  };
  return { ...interrupts, press };
}

const query = { name: 'HcnEnumerateEndpoints' };
const create = { name: 'HcnCreateNetwork', id: '259f4964-2dff-5b46-92f1-633319a59298' };
const remove = { name: 'HcnDeleteEndpoint', id: '5efcf8b5-6b39-5f7c-8ebe-586dde64a108' };
const created = '  done: create network 259f4964 (HcnCreateNetwork)';
const heading = 'win-hcn: interrupted. Check these changes with win-hcn ls:';

describe('Ctrl+C', () => {
  test('ends the process as usual if no call is running', () => {
    const { onCall, press } = newTerminal();
    expect(press()).toEqual(['ended as usual']);
    onCall(query, 1000)('succeeded');
    expect(press()).toEqual(['ended as usual']);
  });

  test('ends the process at once during a call', () => {
    const { onCall, press } = newTerminal();
    onCall(query, 1000);
    expect(press()).toEqual(['ended']);
  });

  test('reports what was changed and what may still happen', () => {
    const { onCall, press } = newTerminal();
    onCall(create, 1000)('succeeded');
    expect(press()).toEqual([`${heading}\n${created}`, 'ended']);
    onCall(remove, 1000);
    expect(press()).toEqual([
      `${heading}\n${created}\n  may still happen: delete endpoint 5efcf8b5 (HcnDeleteEndpoint)`,
      'ended',
    ]);
  });

  test('does not report refused changes', () => {
    const { onCall, press } = newTerminal();
    onCall(create, 1000)('failed');
    onCall(query, 1000);
    expect(press()).toEqual(['ended']);
  });

  test('reports a change whose call timed out, and runs of an IPAM plugin', () => {
    const { onCall, press } = newTerminal();
    onCall({ name: 'running C:\\opt\\cni\\bin\\host-local.exe (ADD)' }, 1000)('succeeded');
    onCall(create, 1000)('timed out');
    expect(press()).toEqual([
      `${heading}\n  done: running C:\\opt\\cni\\bin\\host-local.exe (ADD)\n  may still happen: create network 259f4964 (HcnCreateNetwork)`,
      'ended',
    ]);
  });

  test('reports that a rollback is in progress, and ends it when pressed again', () => {
    const { onCall, onRollback, press } = newTerminal();
    onCall(create, 1000)('succeeded');
    const end = onRollback();
    expect(press()).toEqual([
      'win-hcn: rolling back the changes. Press Ctrl+C again to exit before the rollback is complete.',
    ]);
    expect(press()).toEqual([`${heading}\n${created}`, 'ended']);
    end();
    expect(press()).toEqual([`${heading}\n${created}`, 'ended']);
  });

  test('is left to a command that handles it', () => {
    const { onCall, release, press } = newTerminal();
    onCall(create, 1000);
    release();
    onCall(query, 1000);
    expect(press()).toEqual(['ended as usual']);
  });
});
