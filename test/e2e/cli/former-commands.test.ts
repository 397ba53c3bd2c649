import { expect, test } from 'vitest';
import { failure, runCli } from './run-cli.ts';

test.each([
  ['cni', 'win-hcn debug cni'],
  ['conf', 'win-hcn config'],
  ['endpoint', 'win-hcn debug endpoint'],
  ['ep', 'win-hcn debug endpoint'],
  ['explain-acl', 'win-hcn trace'],
  ['explain-nat', 'win-hcn trace'],
  ['graph', 'win-hcn ls'],
  ['loadbalancer', 'win-hcn debug loadbalancer'],
  ['namespace', 'win-hcn debug namespace'],
  ['node', 'win-hcn network describe'],
  ['plan', 'win-hcn config plan'],
  ['probe', 'win-hcn debug probe'],
  ['validate', 'win-hcn config check'],
])('%s is now %s', async (former, replacement) => {
  expect(await runCli([former, '--file', 'a.html'])).toEqual(
    failure(2, `win-hcn: '${former}' is now '${replacement}'. Run '${replacement} --help' for usage.`),
  );
});

test.each([
  ['capture', 'trace', '--live'],
  ['diff', 'show', '--diff'],
])('%s is now an option of %s', async (former, command, option) => {
  expect(await runCli([former, 'web', 'api'])).toEqual(
    failure(
      2,
      `win-hcn: '${former}' is now 'win-hcn ${command} ${option}'. Run 'win-hcn ${command} --help' for usage.`,
    ),
  );
});
