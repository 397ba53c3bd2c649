// docs/conformance.md, from the names of tests.

import { table } from '../markdown-table.ts';
import type { TestName } from './names.ts';
import { withoutTest } from './without-test.ts';

export function page(names: readonly TestName[]): string {
  return `${[
    '# Conformance',
    '',
    'Generated from the names of the tests by `npm run conformance`; a test compares the two, and CI runs all of them. "pass" is a test in',
    '`test/conformance/` or, for clients, in `test/clients/`.',
    '',
    '## Black-box cases',
    '',
    'Each requirement of the specification, the conventions and the libraries of containernetworking/cni 1.1 has a case. A test sends its',
    'requests to the bundle as a runtime does, and some to the exe under Wine too.',
    '',
    ...table(['case', 'bundle', 'exe', ''], caseRows(names)),
    '',
    '## Results in every version',
    '',
    `${names.filter(({ file }) => file.endsWith('/conversion.test.ts')).length} tests compare converted results with those of Go's library: \`test/unit/cni/conversion.test.ts\`.`,
    '',
    '## Clients',
    '',
    'Third-party programs, or our drivers of the libraries that runtimes embed.',
    ...clientSections(names),
  ].join('\n')}\n`;
}

/** Returns one row per sentence of a case, with the number of tests if it has several. */
function caseRows(names: readonly TestName[]): readonly (readonly string[])[] {
  const pattern = /^case (\d+): (.*)$/;
  const found = names.flatMap(({ path }) => {
    const title = path.find((part) => pattern.test(part));
    return title === undefined ? [] : [{ title, transport: path[0] }];
  });
  const tested = [...Map.groupBy(found, ({ title }) => title)].map(([title, tests]) => {
    const [, number = '', says = ''] = pattern.exec(title) ?? [];
    const count = (transport: string) => outcome(tests.filter((test) => test.transport === transport).length);
    return [number, count('the bundle'), count('win-hcn.exe under Wine'), says];
  });
  const reasons = [...withoutTest].map(([number, reason]) => [String(number), '', '', reason]);
  return byNumber([...tested, ...reasons]);
}

function outcome(count: number): string {
  return count === 0 ? '' : count === 1 ? 'pass' : `pass (${count})`;
}

const hosts = / with (the bundle on Linux|win-hcn\.exe under Wine)/;

/** Returns one section per client: the first word of a file's name. */
function clientSections(names: readonly TestName[]): readonly string[] {
  const tests = names.flatMap(({ file, path }) => {
    const client = /^test\/clients\/([a-z]+(?:-local)?)/.exec(file)?.[1];
    const name = path.join(' > ');
    const isExe = hosts.exec(name)?.[1]?.includes('exe') ?? false;
    return client === undefined ? [] : [{ client, isExe, says: name.replace(hosts, '') }];
  });
  return [...Map.groupBy(tests, ({ client }) => client)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([client, ofClient]) => {
      const rows = [...Map.groupBy(ofClient, ({ says }) => says)].map(([says, same]) => [
        outcome(same.filter(({ isExe }) => !isExe).length),
        outcome(same.filter(({ isExe }) => isExe).length),
        says,
      ]);
      return ['', `### ${client}`, '', ...table(['bundle', 'exe', ''], rows)];
    });
}

function byNumber(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return rows.toSorted(([a], [b]) => Number(a) - Number(b));
}
