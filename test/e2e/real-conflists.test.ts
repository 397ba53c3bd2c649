import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runCli } from './cli/run-cli.ts';

const folder = 'test/real/conflists';

test.each(readdirSync(folder))('validate finds no problem in %s', async (file) => {
  const { exitCode, stdout } = await runCli(['config', 'check', file], {
    files: { [file]: readFileSync(`${folder}/${file}`) },
  });
  expect({ exitCode, lastLine: stdout.trimEnd().split('\n').at(-1) }).toEqual({
    exitCode: 0,
    lastLine: `${file}: no problems`,
  });
});
