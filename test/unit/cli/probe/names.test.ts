import { afterEach, expect, test, vi } from 'vitest';
import {
  hasProbeAddress,
  isProbeId,
  isProbeName,
  newProbeId,
  newProbeName,
  newSubnets,
} from '../../../../src/cli/probe/names.ts';

test.each([
  ['10.0.0.4 198.17.0.1 198.20.0.1 1198.19.5.10 198x18.0.1', false],
  ['198.18.0.0/15', true],
  ['10.0.0.4 198.19.5.10', true],
])('%s has an address in 198.18.0.0/15: %s', (text, expected) => {
  expect(hasProbeAddress(text)).toBe(expected);
});

test('each subnet differs from the 255 before', () => {
  const next = newSubnets();
  const subnets = Array.from({ length: 257 }, () => next());
  const texts = subnets.map((one) => [one.prefix, one.gateway, one.address(8), one.vsid].join(' '));
  expect(texts[0]).toBe('198.19.1.0/24 198.19.1.1 198.19.1.9 9001');
  expect(texts[255]).toBe('198.19.0.0/24 198.19.0.1 198.19.0.9 9000');
  expect(texts[256]).toBe(texts[0]);
  expect(new Set(texts).size).toBe(256);
});

test('IDs and names are recognized in any case', () => {
  const id = newProbeId();
  expect(id).toMatch(/^77696e68-636e-4070-a072-6f6265[0-9a-f]{6}$/);
  expect([id, id.toUpperCase(), `x${id}`].map(isProbeId)).toEqual([true, true, false]);
  const name = newProbeName();
  expect(name).toMatch(/^win-hcn-probe-\d{1,8}$/);
  const others = ['win-hcn-probe-', 'win-hcn-probe-1x', 'my-win-hcn-probe-1', 'win-hcn-prob-1'];
  expect([name, name.toUpperCase(), ...others].map(isProbeName)).toEqual([
    true,
    true,
    ...others.map(() => false),
  ]);
});

afterEach(() => vi.restoreAllMocks());

test('the IDs of a process start at a random number, and the smallest follow the largest', async () => {
  vi.resetModules();
  vi.spyOn(Math, 'random').mockReturnValue(1 - 2 ** -40);
  const names = await import('../../../../src/cli/probe/names.ts');
  const ids = Array.from({ length: 3 }, () => names.newProbeId().slice(-6));
  expect([...ids, names.newProbeName()]).toEqual(['ffffff', '000000', '000001', 'win-hcn-probe-2']);
});
