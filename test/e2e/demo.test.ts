import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('the demo runs a pod on the l2bridge and overlay examples, and leaves only the network', () => {
  const printed = execFileSync(process.execPath, ['test/demo/main.ts'], { encoding: 'utf8' });
  for (const [name, type, address] of [
    ['l2bridge', 'L2Bridge', '10.244.1.2/24'],
    ['overlay', 'Overlay', '10.245.1.2/24'],
  ]) {
    const part =
      printed.split('==== ').find((text) => text.startsWith(`conflist-examples/${name}.conflist`)) ?? '';
    const [before = '', afterAdd = '', afterDel = ''] = part.split(
      /> CNI_COMMAND=(?:ADD|DEL) win-hcn: exit code 0/,
    );
    expect(before).toMatch(/Networks: none\nEndpoints: none\nNamespaces:/);
    expect(afterAdd).toContain(`"address": "${address}"`);
    expect(afterAdd).toMatch(new RegExp(`│ ${name} +│ ${type} +│`));
    expect(afterAdd).toContain(`│ c0ffee_${name}_eth0 `);
    expect(afterDel).toMatch(new RegExp(`│ ${name} +│ ${type} +│`));
    expect(afterDel).toContain('Endpoints: none');
  }
});
