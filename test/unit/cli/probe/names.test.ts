import { expect, test } from 'vitest';
import { isProbeAlias, subnetsBeside } from '../../../../src/cli/probe/names.ts';

test.each([
  ['10.0.0.4', '198.19.1.0/24'],
  ['198.18.0.0/15', '100.127.1.0/24'],
  ['198.19.5.10', '100.127.1.0/24'],
  ['1198.19.5.10 100.128.0.1 100.63.0.1', '198.19.1.0/24'],
  ['198.19.5.10 100.64.0.1', undefined],
])('beside %s, the first subnet is %s', (texts, prefix) => {
  expect(subnetsBeside(texts)?.().prefix).toBe(prefix);
});

test('each subnet differs from the one before', () => {
  const next = subnetsBeside('');
  expect([next?.().prefix, next?.().prefix]).toEqual(['198.19.1.0/24', '198.19.2.0/24']);
});

test.each([
  ['vEthernet (win-hcn-probe-12)', true],
  ['vEthernet (win-hcn-probe-x)', false],
  ['win-hcn-probe-12', false],
  ['Ethernet', false],
])('the adapter %s is of a probe: %s', (alias, expected) => {
  expect(isProbeAlias(alias)).toBe(expected);
});
