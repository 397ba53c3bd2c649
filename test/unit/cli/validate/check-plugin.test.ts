import { expect, test } from 'vitest';
import { checkPlugin } from '../../../../src/cli/validate/check-plugin.ts';

const config = {
  cniVersion: '1.0.0',
  type: 'win-hcn',
  networkType: 'NAT',
  subnets: [{ subnet: '10.1.0.0/24' }],
};
const plugin = (changes: object) => ({
  config: { ...config, ...changes },
  path: '/plugins/0',
  type: 'win-hcn',
});

test('the configuration that doctor and install read has the name of its network', () => {
  const { network, problems } = checkPlugin(plugin({ name: 'cbr0' }) as never, 'win-hcn.exe');
  expect(network).toMatchObject({ name: 'cbr0', networkType: 'NAT' });
  expect(problems).toEqual([]);
});

test('an invalid name is a problem, and the rest is read', () => {
  const { network, problems } = checkPlugin(plugin({ name: '../x' }) as never, 'win-hcn.exe');
  expect(network).toMatchObject({ networkType: 'NAT' });
  expect(problems).toMatchObject([{ path: '/name' }]);
});

test('a problem beside a deeply nested value is found', () => {
  // Deeper than a file can be: how many levels fit on the stack varies.
  const nested = JSON.parse('[{"x":'.repeat(2500) + 1 + '}]'.repeat(2500));
  const { problems } = checkPlugin(
    plugin({ name: 'cbr0', args: { x: nested }, subnets: {} }) as never,
    'win-hcn.exe',
  );
  expect(problems).toMatchObject([{ path: '/plugins/0/subnets' }]);
});
