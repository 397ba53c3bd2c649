// docs/conformance.md, from the names of tests.

import { table } from '../markdown-table.ts';
import { areas } from './data/cases.ts';
import type { TestName } from './names.ts';
import { withoutTest } from './without-test.ts';

export function page(names: readonly TestName[]): string {
  const conversions = names.filter(({ file }) => file.endsWith('/conversion.test.ts')).length;
  const tested = testedCases(names);
  return `${[
    '# Conformance',
    '',
    'Each requirement of the specification, the conventions and the libraries of containernetworking/cni 1.1 is a case. Its tests send',
    'requests to the bundle (the JavaScript of the exe) as a runtime does, and some to the exe under Wine too. ✓ marks a passing test: this',
    'page is generated from the names of the tests (`npm run pages`), and CI requires all of them to pass.',
    '',
    'In parentheses: how the library skel differs, by decision.',
    ...areas.flatMap(({ title, file, cases }) => [
      '',
      `## ${title}`,
      '',
      `\`test/conformance/data/${file}\``,
      '',
      ...table(
        ['#', 'requirement', 'bundle', 'exe'],
        [...new Set(cases.map(({ number, says }) => `case ${number}: ${says}`))]
          .map((name) => rowOf(name, tested.get(name) ?? new Set()))
          .toSorted(([a], [b]) => Number(a) - Number(b)),
      ),
    ]),
    '',
    '## Cases that clients test, or nothing',
    '',
    ...[...Map.groupBy(withoutTest, ([, reason]) => reason)].map(
      ([reason, same]) => `- ${same.map(([number]) => number).join(', ')}: ${reason}`,
    ),
    '',
    '## Clients',
    '',
    'Tests of third-party programs, and of our drivers of the libraries that runtimes embed, in `test/clients/`.',
    `${conversions} more compare results in every version with those of Go's library (\`test/unit/cni/conversion.test.ts\`).`,
    '',
    ...table(['client', 'bundle', 'exe'], clientRows(names)),
  ].join('\n')}\n`;
}

const exe = 'win-hcn.exe under Wine';
const pattern = /^case \d+: /;

/** The names of cases, each with the transports of its tests. */
function testedCases(names: readonly TestName[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = names.flatMap(({ path }) =>
    path.filter((part) => pattern.test(part)).map((name) => ({ name, transport: path[0] ?? '' })),
  );
  return new Map(
    [...Map.groupBy(found, ({ name }) => name)].map(([name, tests]) => [
      name,
      new Set(tests.map(({ transport }) => transport)),
    ]),
  );
}

function rowOf(name: string, transports: ReadonlySet<string>): readonly string[] {
  const [, number = '', says = ''] = /^case (\d+): (.*)$/.exec(name) ?? [];
  return [number, says, mark(transports.has('the bundle')), mark(transports.has(exe))];
}

function mark(isTested: boolean): string {
  return isTested ? '✓' : '';
}

const hosts = / with (the bundle on Linux|win-hcn\.exe under Wine)/;

/** A row for each group of client tests, with the number of its tests. */
function clientRows(names: readonly TestName[]): readonly (readonly string[])[] {
  const tests = names.flatMap(({ file, path }) => {
    const isExe = hosts.exec(path.join(' '))?.[1] === exe;
    const [group = ''] = path;
    return file.startsWith('test/clients/')
      ? [{ isExe, group: group.replace(hosts, '').replace(/,$/, '') }]
      : [];
  });
  return [...Map.groupBy(tests, ({ group }) => group)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([group, same]) => {
      const count = (isForExe: boolean) => same.filter(({ isExe }) => isExe === isForExe).length || '';
      return [group, String(count(false)), String(count(true))];
    });
}
