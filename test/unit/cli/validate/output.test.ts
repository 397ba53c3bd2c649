import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../../../src/cli/conflist/config-file.ts';
import type { Session } from '../../../../src/cli/terminal/session.ts';
import { printValidation } from '../../../../src/cli/validate/command.ts';
import { readPluginFolders } from '../../../../src/cli/validate/plugin-folders.ts';
import { sourceExcerpt } from '../../../../src/cli/validate/source-excerpt.ts';
import type { Validation } from '../../../../src/cli/validate/validate-file.ts';

const none: Validation = { problems: [], warnings: [], notes: [], plugins: [] };
const at = (line: number, column: number, text: string): Diagnostic => ({ line, column, path: '', text });

/** What validate prints of a file, with styles as `<red>text`. */
function printed(validation: Partial<Validation>, file = 'n.conf', width = 200): readonly string[] {
  const lines: string[] = [];
  const session: Pick<Session, 'width' | 'style' | 'print'> = {
    width,
    style: (style, text) => `<${style}>${text}`,
    print: (text) => void lines.push(text),
  };
  printValidation(file, { ...none, ...validation }, session as Session);
  return lines;
}

describe('validate prints', () => {
  test('diagnostics, plugins, then the counts', () => {
    const found: Validation = {
      problems: [{ ...at(1, 2, 'bad'), source: ['x'] }, at(3, 4, 'worse')],
      warnings: [at(5, 6, 'odd')],
      notes: [at(7, 8, 'ignored')],
      plugins: [
        { path: '', type: 'win-hcn', ours: true },
        { path: '/plugins/1', type: 'sdnbridge', ours: true, dialect: 'sdnbridge', networkType: 'L2Bridge' },
        { path: '/plugins/2', type: 'portmap', ours: false },
        { path: '/plugins/3', type: '', ours: false },
      ],
    };
    expect(printed(found)).toEqual([
      'n.conf:1:2: <red>problem: bad',
      '  1 | x',
      '    |  <red>^',
      'n.conf:3:4: <red>problem: worse',
      'n.conf:5:6: <yellow>warning: odd',
      'n.conf:7:8: <yellow>note: ignored',
      'n.conf: win-hcn configuration',
      'n.conf: /plugins/1: sdnbridge configuration, network type L2Bridge',
      'n.conf: /plugins/2: portmap, not checked',
      'n.conf: /plugins/3: no type, not checked',
      'n.conf: <red>2 problems, <yellow>1 warning',
    ]);
  });

  test.each<[Partial<Validation>, string]>([
    [{}, 'stdin: <green>no problems'],
    [{ problems: [at(1, 1, 'bad')] }, 'stdin: <red>1 problem'],
    [{ warnings: [at(1, 1, 'odd'), at(1, 2, 'odd')] }, 'stdin: <yellow>2 warnings'],
    [{ notes: [at(1, 1, 'ignored')] }, 'stdin: <green>no problems'],
  ])('%j as %s', (found, line) => {
    expect(printed(found, '-').at(-1)).toBe(line);
  });

  test('long lines with an indent of two columns', () => {
    expect(printed({ warnings: [at(1, 1, 'the value is odd')] }, 'n.conf', 33)).toEqual([
      'n.conf:1:1: <yellow>warning: the\n  value is odd',
      'n.conf: <yellow>1 warning',
    ]);
  });
});

/** Digits that show which part of a line was cut. */
const digits = (count: number) => Array.from({ length: count }, (_, index) => index % 10).join('');
/** The position and the lines of a diagnostic, the width, and the excerpt. */
const excerpts: [number, number, readonly string[], number, readonly string[]][] = [
  [1, 1, [], 80, []],
  [1, 1, [''], 80, ['  1 |', '    | ^']],
  [2, 1, ['x', ''], 80, ['  1 | x', '  2 |', '    | ^']],
  [10, 3, ['ab\tc', '\u001bx"y'], 80, ['   9 | ab c', '  10 | \\u001bx"y', '     |        ^']],
  [1, 3, ['世界x'], 80, ['  1 | 世界x', '    |     ^']],
  ...[10, 25, 26].map((width): (typeof excerpts)[number] => [
    1,
    31,
    [digits(60)],
    width,
    ['  1 | ...34567890123456...', '    |           ^'],
  ]),
  [1, 31, [digits(60)], 27, ['  1 | ...345678901234567...', '    |           ^']],
  ...[120, Number.POSITIVE_INFINITY].map((width): (typeof excerpts)[number] => [
    1,
    200,
    [digits(300)],
    width,
    [`  1 | ...5678${'9012345678'.repeat(10)}9012...`, `    | ${' '.repeat(57)}^`],
  ]),
  [1, 200, [digits(300)], 119, [`  1 | ...678${'9012345678'.repeat(10)}9012...`, `    | ${' '.repeat(56)}^`]],
  [1, 5, [digits(300)], 40, ['  1 | 0123456789012345678901234567890...', '    |     ^']],
  [
    1,
    297,
    [digits(300)],
    40,
    ['  1 | ...9012345678901234567890123456789', '    |                               ^'],
  ],
  [
    99,
    3,
    [digits(60), digits(60)],
    30,
    ['  98 | 01234567890123456789...', '  99 | 01234567890123456789...', '     |   ^'],
  ],
  [
    100,
    3,
    [digits(60), digits(60)],
    30,
    ['   99 | 0123456789012345678...', '  100 | 0123456789012345678...', '      |   ^'],
  ],
  [1, 50, [digits(60)], 26, ['  1 | ...23456789012345...', '    |           ^']],
  [1, 51, [digits(60)], 26, ['  1 | ...34567890123456789', '    |           ^']],
  [1, 52, [digits(60)], 26, ['  1 | ...34567890123456789', '    |            ^']],
  [1, 3, [digits(20)], 26, ['  1 | 01234567890123456789', '    |   ^']],
  [1, 3, [digits(21)], 26, ['  1 | 01234567890123456...', '    |   ^']],
  [1, 31, ['世'.repeat(40)], 26, ['  1 | ...世世世世世世世...', '    |          ^']],
];

test.each(excerpts)('the source of %i:%i, %j, in %i columns', (line, column, source, width, expected) => {
  const session: Pick<Session, 'width' | 'style'> = { width, style: (_, text) => text };
  expect(sourceExcerpt({ ...at(line, column, ''), source }, session as Session)).toEqual(expected);
});

describe('the folders of plugins', () => {
  const content: Readonly<Record<string, readonly string[]>> = {
    'C:\\Program Files\\containerd\\cni\\bin': ['win-hcn.exe', 'README.md', 'host-local.EXE', 'win-hcn.EXE'],
    'C:\\opt\\cni\\bin': ['flannel.exe.bak', 'portmap'],
    '/a': ['static'],
    'C:\\b': [],
  };
  const read = (windows: boolean, CNI_PATH?: string) => {
    const listFolder = (path: string) => {
      const names = content[path];
      if (names === undefined) throw new Error(`no folder ${path}`);
      return names;
    };
    const system = { windows, environment: CNI_PATH === undefined ? {} : { CNI_PATH } };
    return readPluginFolders({ system, terminal: { listFolder } } as unknown as Session);
  };

  test.each([undefined, '', ';'])(
    'are those of containerd and of Kubernetes installers if CNI_PATH is %j',
    (path) => {
      expect(read(true, path)).toEqual({
        areGiven: false,
        folders: [
          { path: 'C:\\Program Files\\containerd\\cni\\bin', plugins: ['host-local', 'win-hcn'] },
          { path: 'C:\\opt\\cni\\bin', plugins: ['portmap'] },
        ],
      });
    },
  );

  test.each<[boolean, string, readonly object[]]>([
    [
      true,
      'C:\\b;C:\\none;/a',
      [
        { path: 'C:\\b', plugins: [] },
        { path: '/a', plugins: ['static'] },
      ],
    ],
    [false, '/a:/none', [{ path: '/a', plugins: ['static'] }]],
    [false, '/none', []],
  ])('are those of CNI_PATH that exist, on Windows (%s): %s', (windows, path, folders) => {
    expect(read(windows, path)).toEqual({ areGiven: true, folders });
  });
});
