import { beforeEach, describe, expect, test } from 'vitest';
import { type Kept, keep } from '../../../../src/cli/install/keep.ts';
import { newSession } from '../../../../src/cli/terminal/session.ts';
import { terminal } from '../../../../src/cli/terminal/terminal.ts';
import { invalidConfig } from '../../../../src/cni/error.ts';
import { system } from '../../../../src/system.ts';

/** A node with a conflist to install, and its installed files as one text. */
interface Node {
  /** Undefined if it cannot be read. */
  source: string | undefined;
  /** What an installation fails with, if anything. */
  refusal: string | undefined;
  installed: string;
  ready: string | undefined;
  /** What reporting to the probe fails with, if anything. */
  probe: string | undefined;
  installations: number;
}

let node: Node;
beforeEach(() => {
  node = {
    source: 'first',
    refusal: undefined,
    installed: 'nothing',
    ready: 'of an earlier run',
    probe: undefined,
    installations: 0,
  };
});

/** Looks every 10 s, at each of these occasions and before the first one; then the process is told to end. */
async function run(...occasions: readonly (() => unknown)[]) {
  let output = '';
  let code = 0;
  let now = 0;
  const coming = [...occasions];
  const shutdown = new AbortController();
  const outside = {
    ...system,
    now: () => now,
    clock: () => new Date(now),
    writeStdout: (text: string) => {
      output += text;
    },
  };
  const surroundings = {
    ...terminal,
    shutdown: () => shutdown.signal,
    pause: async (seconds: number) => {
      now += seconds * 1000;
      const next = coming.shift();
      if (next === undefined) shutdown.abort();
      else next();
    },
  };
  const kept: Kept<string> = {
    source: () => node.source,
    accept: async () => {
      if (node.source === undefined) throw invalidConfig('no such file');
      if (node.source.startsWith('broken')) throw invalidConfig(`${node.source} is invalid`);
      return node.source;
    },
    apply: async (conflist) => {
      node.installations += 1;
      if (node.refusal !== undefined) throw invalidConfig(node.refusal);
      node.installed = conflist;
      return ['conflist'];
    },
    stateOf: () => node.installed,
    report: (latest) => {
      if (node.probe !== undefined) throw invalidConfig(node.probe);
      node.ready = latest?.input;
    },
    texts: {
      done: 'Installed.',
      failed: 'Not installed',
      earlier: 'The conflist before stays in force.',
      changed: 'A file was changed. Reinstalling.',
      ended: 'Ended.',
    },
  };
  const session = newSession(outside, surroundings, (exitCode) => {
    code = exitCode;
  });
  await keep(10, kept, session);
  return { code, log: output.replaceAll('1970-01-01T00:', '').split('\n').slice(0, -1) };
}

const nothing = () => undefined;

describe('a kept installation', () => {
  test('is installed once, and is ready until the process ends', async () => {
    let seen: unknown;
    const { code, log } = await run(nothing, () => {
      seen = { ...node };
    });
    expect(seen).toMatchObject({ source: 'first', installed: 'first', ready: 'first', installations: 1 });
    expect({ code, log, ready: node.ready }).toEqual({
      code: 0,
      log: ['00:00.000Z Installed.', '00:30.000Z Ended.'],
      ready: undefined,
    });
  });

  test('is installed again when the conflist changes', async () => {
    const seen: unknown[] = [];
    await run(
      () => Object.assign(node, { source: 'second' }),
      () => seen.push(node.installed, node.ready, node.installations),
    );
    expect(seen).toEqual(['second', 'second', 2]);
  });

  test('is installed again when an installed file changes or is missing', async () => {
    const { log } = await run(() => Object.assign(node, { installed: 'changed by somebody' }), nothing);
    expect({ installed: node.installed, installations: node.installations, log }).toEqual({
      installed: 'first',
      installations: 2,
      log: [
        '00:00.000Z Installed.',
        '00:10.000Z A file was changed. Reinstalling.',
        '00:10.000Z Installed.',
        '00:30.000Z Ended.',
      ],
    });
  });

  test('keeps the conflist in force when the next one is broken, says why once, and is not ready', async () => {
    const seen: unknown[] = [];
    const { code, log } = await run(
      () => Object.assign(node, { source: 'broken' }),
      nothing,
      () => seen.push(node.installed, node.ready, node.installations),
    );
    expect({ seen, code, log }).toEqual({
      seen: ['first', undefined, 1],
      code: 1,
      log: [
        '00:00.000Z Installed.',
        '00:10.000Z Not installed: broken is invalid',
        'The conflist before stays in force.',
        '00:40.000Z Ended.',
      ],
    });
  });

  test('is ready again when the conflist before comes back', async () => {
    const seen: unknown[] = [];
    const { code } = await run(
      () => Object.assign(node, { source: 'broken' }),
      () => Object.assign(node, { source: 'first' }),
      () => seen.push(node.installed, node.ready),
    );
    expect({ seen, code }).toEqual({ seen: ['first', 'first'], code: 0 });
  });

  test('is repaired with the conflist in force while the next one is broken', async () => {
    const seen: unknown[] = [];
    await run(
      () => Object.assign(node, { source: 'broken' }),
      () => Object.assign(node, { installed: 'deleted' }),
      () => seen.push(node.installed, node.ready),
    );
    expect(seen).toEqual(['first', undefined]);
  });

  test('is retried after a failure, with growing pauses, and at once when the conflist changes', async () => {
    node.refusal = 'the disk is full';
    const counts: number[] = [];
    const count = () => counts.push(node.installations);
    const { log } = await run(...Array.from({ length: 7 }, () => count), () => {
      count();
      Object.assign(node, { source: 'second', refusal: undefined });
    });
    expect(counts).toEqual([1, 2, 2, 3, 3, 3, 3, 4]);
    expect({ installed: node.installed, log }).toEqual({
      installed: 'second',
      log: ['00:00.000Z Not installed: the disk is full', '01:20.000Z Installed.', '01:30.000Z Ended.'],
    });
  });

  test('is repaired with growing pauses while a repair fails, and at once after another change', async () => {
    const counts: number[] = [];
    const count = () => counts.push(node.installations);
    const { log } = await run(
      () => Object.assign(node, { installed: 'deleted', refusal: 'quarantined' }),
      ...Array.from({ length: 9 }, () => count),
      () => Object.assign(node, { installed: 'deleted by somebody else', refusal: undefined }),
      count,
    );
    expect(counts).toEqual([2, 3, 3, 4, 4, 4, 4, 5, 5, 6]);
    expect({ installed: node.installed, log }).toEqual({
      installed: 'first',
      log: [
        '00:00.000Z Installed.',
        '00:10.000Z A file was changed. Reinstalling.',
        '00:10.000Z Not installed: quarantined',
        '01:50.000Z A file was changed. Reinstalling.',
        '01:50.000Z Installed.',
        '02:10.000Z Ended.',
      ],
    });
  });

  test('that is damaged while the next conflist is broken, and cannot be repaired, is retried with growing pauses too', async () => {
    const { log } = await run(
      () => Object.assign(node, { source: 'broken' }),
      () => Object.assign(node, { installed: 'deleted', refusal: 'the disk is full' }),
      ...Array.from({ length: 6 }, () => nothing),
    );
    expect({ installations: node.installations, log }).toEqual({
      installations: 4,
      log: [
        '00:00.000Z Installed.',
        '00:10.000Z Not installed: broken is invalid',
        'The conflist before stays in force.',
        '00:20.000Z A file was changed. Reinstalling.',
        '00:20.000Z Not installed: broken is invalid',
        'the disk is full',
        '01:30.000Z Ended.',
      ],
    });
  });

  test('stays while a probe has its file open, and then reports to it', async () => {
    const seen: unknown[] = [];
    const { code, log } = await run(
      () => Object.assign(node, { source: 'broken', probe: 'the ready file is in use' }),
      () => {
        seen.push(node.ready);
        Object.assign(node, { probe: undefined });
      },
      () => {
        seen.push(node.ready);
        Object.assign(node, { source: 'first' });
      },
      () => seen.push(node.ready),
    );
    expect({ seen, code, log }).toEqual({
      seen: ['first', undefined, 'first'],
      code: 0,
      log: [
        '00:00.000Z Installed.',
        '00:10.000Z Not installed: broken is invalid',
        'the ready file is in use',
        'The conflist before stays in force.',
        '00:20.000Z Not installed: broken is invalid',
        'The conflist before stays in force.',
        '00:30.000Z Installed.',
        '00:50.000Z Ended.',
      ],
    });
  });

  test('is not disturbed by a conflist that is missing for a moment, as while kubelet replaces it', async () => {
    const seen: unknown[] = [];
    await run(
      () => Object.assign(node, { source: undefined }),
      () => {
        seen.push(node.installed, node.ready);
        Object.assign(node, { source: 'second' });
      },
      () => seen.push(node.installed, node.ready),
    );
    expect(seen).toEqual(['first', 'first', 'second', 'second']);
  });

  test('is not ready while the conflist is missing', async () => {
    const seen: unknown[] = [];
    const { code, log } = await run(
      () => Object.assign(node, { source: undefined }),
      nothing,
      () => seen.push(node.installed, node.ready),
    );
    expect({ seen, code, log }).toEqual({
      seen: ['first', undefined],
      code: 1,
      log: [
        '00:00.000Z Installed.',
        '00:20.000Z Not installed: no such file',
        'The conflist before stays in force.',
        '00:40.000Z Ended.',
      ],
    });
  });
});
