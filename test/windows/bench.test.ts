import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { missing } from './suite.ts';

test.skipIf(missing !== undefined)(
  'npm run bench measures win-hcn.exe, and compares it to another plugin',
  () => {
    const exe = 'dist/win-hcn.exe';
    const options = ['--wine', '--runs', '1', '--only', 'STATUS', '--peer', `${exe}=nat`];
    const printed = execFileSync(process.execPath, ['test/bench/main.ts', ...options], { encoding: 'utf8' });
    expect(printed.match(/^\w+ of .*, type nat/gm)).toEqual(
      Array.from({ length: 2 }, () => ['VERSION', 'ADD', 'DEL'])
        .flat()
        .flatMap((request) => [`${request} of win-hcn, type nat`, `${request} of win-hcn.exe, type nat`]),
    );
    expect(printed.match(/^STATUS .* [1-9] +0 +\d+$/gm)).toHaveLength(2);
  },
  120_000,
);
