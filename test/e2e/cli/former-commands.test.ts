import { expect, test } from 'vitest';
import { failure, runCli } from './run-cli.ts';

test.each([
  ['conf', 'win-hcn config'],
  ['graph', 'win-hcn ls'],
  ['plan', 'win-hcn config plan'],
  ['validate', 'win-hcn config check'],
])('%s is now %s', async (former, replacement) => {
  expect(await runCli([former, '--file', 'a.html'])).toEqual(
    failure(2, `win-hcn: '${former}' is now '${replacement}'. Run '${replacement} --help' for usage.`),
  );
});
