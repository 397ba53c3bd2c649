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

test.each([
  ['pod1', 'l2bridge', 'L2Bridge', '10.244.1.2/24'],
  ['pod2', 'overlay', 'Overlay', '10.245.1.2/24'],
])(
  'the demo of %s shows the output of ls before ADD, after ADD and after DEL',
  (pod, name, type, address) => {
    const part = parts.find((text) => text.startsWith(`conflist-examples/${name}.conflist`)) ?? '';
    const [before = '', afterAdd = '', afterDel = ''] = part.split('> win-hcn ls\n').slice(1);
    expect(before).toMatch(/^HCN has no networks\.\n\nHCN has no endpoints\.\n/);
    expect(before).toContain('> CNI_COMMAND=ADD win-hcn: exit code 0 ');
    expect(before).toContain(`"address": "${address}"`);
    expect(afterAdd).toMatch(new RegExp(`^[0-9a-f]{8}  ${name} +${type} `, 'm'));
    expect(afterAdd).toMatch(new RegExp(`^[0-9a-f]{8}  ${pod} +${name} +${address} `, 'm'));
    expect(afterAdd).toContain('> CNI_COMMAND=CHECK win-hcn: exit code 0 ');
    expect(afterAdd).toContain('> CNI_COMMAND=DEL win-hcn: exit code 0 ');
    expect(afterDel).toMatch(new RegExp(`^[0-9a-f]{8}  ${name} +${type} `, 'm'));
    expect(afterDel).toContain('\nHCN has no endpoints.\n');
  },
);

test('the demo fits 80 columns', () => {
  expect(printed.split('\n').filter((line) => line.length > 80)).toEqual([]);
});
