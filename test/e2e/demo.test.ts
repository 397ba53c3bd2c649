import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const printed = execFileSync(process.execPath, ['test/demo/main.ts'], { encoding: 'utf8' });
const [, ...parts] = printed.split(/^==== (?=.+ ====$)/m);

test('the demo ends with what happened to each pod', () => {
  expect(parts.at(-1)).toBe(
    [
      'Summary ====',
      '',
      'pod1 got 10.244.1.2 on network "l2bridge" with 10 HCN calls.',
      'CHECK found no difference, and DEL removed its endpoint with 3 HCN calls.',
      '',
      'pod2 got 10.245.1.2 on network "overlay" with 10 HCN calls.',
      'CHECK found no difference, and DEL removed its endpoint with 3 HCN calls.',
      '',
    ].join('\n'),
  );
});
