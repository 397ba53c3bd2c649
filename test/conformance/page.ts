// docs/conformance.md, from the names of tests.

import { table } from '../markdown-table.ts';
import type { Case } from './case.ts';
import { areas } from './data/cases.ts';
import type { TestName } from './names.ts';

export function page(names: readonly TestName[]): string {
  const conversions = names.filter(({ file }) => file.endsWith('/conversion.test.ts')).length;
  const cases = areas.flatMap((area) => area.cases);
  const tested = testedCases(names, new Set(cases.map(({ says }) => says)));
  const rows = areas.map((area) => ({ title: area.title, rows: rowsOf(area.cases, tested) }));
  const all = rows.flatMap((area) => area.rows);
  const onExe = all.filter(([, , , mark]) => mark !== '').length;
  return `${[
    '# Conformance',
    '',
    'Each row is a requirement, with its source: a section of the CNI specification 1.1 and its word, the conventions, or a library (libcni,',
    'skel); without a source, a decision of win-hcn. In parentheses: how skel differs. The tests in `test/conformance/data/` send requests to',
    `the bundle (the JavaScript of the exe), for ${onExe} of ${all.length} rows also to the exe under Wine. ✓ means that a test has this name; CI requires that`,
    'all pass. [CONTRIBUTING.md](../CONTRIBUTING.md) shows how to call the plugin by hand, without Windows.',
    '',
    '## Deviations from the specification',
    '',
    ...table(
      ['section', 'requires', 'win-hcn', 'reason'],
      cases.flatMap(({ spec = '', says, deviation }) =>
        deviation === undefined ? [] : [[spec, deviation.requires, says, deviation.because]],
      ),
    ),
    ...rows.flatMap((area) => [
      '',
      `## ${area.title}`,
      '',
      ...table(['requirement', 'source', 'bundle', 'exe'], area.rows),
    ]),
    '',
    '## Clients',
    '',
    'Tests of third-party programs, and of our drivers of the libraries that runtimes embed, in `test/clients/`.',
    `${conversions} more compare results in every version with those of Go's library (\`test/unit/cni/conversion.test.ts\`).`,
    '',
    ...table(['client', 'tests of the bundle', 'of the exe'], clientRows(names)),
  ].join('\n')}\n`;
}

const exe = 'win-hcn.exe under Wine';

/** The sentences of cases, each with the transports of its tests. */
function testedCases(
  names: readonly TestName[],
  sentences: ReadonlySet<string>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = names.flatMap(({ path }) =>
    path.filter((part) => sentences.has(part)).map((says) => ({ says, transport: path[0] ?? '' })),
  );
  const groups = [...Map.groupBy(found, ({ says }) => says)];
  return new Map(groups.map(([says, tests]) => [says, new Set(tests.map(({ transport }) => transport))]));
}

/** A row for each sentence. */
function rowsOf(
  cases: readonly Case[],
  tested: ReadonlyMap<string, ReadonlySet<string>>,
): readonly (readonly string[])[] {
  return [...new Map(cases.map((one) => [one.says, one])).values()].map(({ says, spec = '' }) => {
    const transports = tested.get(says) ?? new Set();
    return [says, spec, mark(transports.has('the bundle')), mark(transports.has(exe))];
  });
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
