import { afterEach, expect, test, vi } from 'vitest';
import {
  isProbeAlias,
  isProbeFrontend,
  isProbeId,
  isProbeName,
  newProbeFrontend,
  newProbeId,
  newProbeName,
  subnetsBeside,
} from '../../../../src/cli/probe/names.ts';

test.each([
  ['10.0.0.4', '198.19.1.0/24'],
  ['198.18.0.0/15', '100.127.1.0/24'],
  ['198.19.5.10', '100.127.1.0/24'],
  ['1198.19.5.10 100.128.0.1 100.63.0.1', '198.19.1.0/24'],
  ['198.19.5.10 1100.64.0.1', '100.127.1.0/24'],
  ['198.19.5.10 100.64.0.1', undefined],
])('beside %s, the first subnet is %s', (texts, prefix) => {
  expect(subnetsBeside(texts)?.().prefix).toBe(prefix);
});

test.each([
  ...['64', '69', '70', '99', '100', '119', '120', '127'].map(
    (second) => [`100.${second}.0.1`, undefined] as const,
  ),
  ...['6', '63', '128', '130', '164', '640'].map(
    (second) => [`100.${second}.0.1`, '100.127.1.0/24'] as const,
  ),
])('beside 198.18.0.1 and %s, the first subnet is %s', (address, prefix) => {
  expect(subnetsBeside(`198.18.0.1 ${address}`)?.().prefix).toBe(prefix);
});

test.each(['198.17.0.1', '198.20.0.1', '198.1.9.1', '198x18.0.1'])(
  '%s is not in 198.18.0.0/15',
  (address) => {
    expect(subnetsBeside(address)?.().prefix).toBe('198.19.1.0/24');
  },
);

test('each subnet differs from the 255 before', () => {
  const next = subnetsBeside('');
  const subnets = Array.from({ length: 257 }, () => next?.());
  const texts = subnets.map((one) => [one?.prefix, one?.gateway, one?.address(8), one?.vsid].join(' '));
  expect(texts[0]).toBe('198.19.1.0/24 198.19.1.1 198.19.1.9 9001');
  expect(texts[1]).toBe('198.19.2.0/24 198.19.2.1 198.19.2.9 9002');
  expect(texts[255]).toBe('198.19.0.0/24 198.19.0.1 198.19.0.9 9000');
  expect(texts[256]).toBe(texts[0]);
  expect(new Set(texts).size).toBe(256);
});

test('each ID differs from the one before by one, and is recognized in any case', () => {
  const [one, other] = [newProbeId(), newProbeId()];
  expect(one).toMatch(/^77696e68-636e-4070-a072-6f6265[0-9a-f]{6}$/);
  const numberOf = (id: string) => Number.parseInt(id.slice(-6), 16);
  expect((numberOf(other) - numberOf(one) + 2 ** 24) % 2 ** 24).toBe(1);
  expect([one, one.toUpperCase(), `x${one}`].map(isProbeId)).toEqual([true, true, false]);
});

test('each name differs from the one before, and is recognized in any case', () => {
  const [one, other] = [newProbeName(), newProbeName()];
  expect(one).toMatch(/^win-hcn-probe-\d{1,8}$/);
  expect(other).not.toBe(one);
  const others = [
    'win-hcn-probe-',
    'win-hcn-probe-1x',
    'win-hcn-probe-x1',
    'my-win-hcn-probe-1',
    'win-hcn-other-12',
    'win-hcn-prob-1',
  ];
  expect([one, one.toUpperCase(), ...others].map(isProbeName)).toEqual([
    true,
    true,
    ...others.map(() => false),
  ]);
});

test('each of 254 frontends differs, and all can be addresses of hosts', () => {
  const frontends = Array.from({ length: 254 }, newProbeFrontend);
  const hosts = frontends.map((address) => Number(address.replace(/^192\.0\.2\./, '')));
  expect(hosts.toSorted((one, two) => one - two)).toEqual(
    Array.from({ length: 254 }, (_, index) => index + 1),
  );
  expect(newProbeFrontend()).toBe(frontends[0]);
  expect([frontends[0] ?? '', '192.0.20.1', '1192.0.2.1'].map(isProbeFrontend)).toEqual([true, false, false]);
});

test.each([
  ['vEthernet (win-hcn-probe-12)', true],
  ['vEthernet (win-hcn-probe-x)', false],
  ['win-hcn-probe-12', false],
  ['Ethernet', false],
])('the adapter %s is of a probe: %s', (alias, expected) => {
  expect(isProbeAlias(alias)).toBe(expected);
});

afterEach(() => vi.restoreAllMocks());

test('the IDs and frontends of a process start at random numbers, and the smallest follow the largest', async () => {
  vi.resetModules();
  vi.spyOn(Math, 'random').mockReturnValue(1 - 2 ** -40);
  const names = await import('../../../../src/cli/probe/names.ts');
  const ids = Array.from({ length: 3 }, () => names.newProbeId().slice(-6));
  expect([...ids, names.newProbeName()]).toEqual(['ffffff', '000000', '000001', 'win-hcn-probe-2']);
  expect([names.newProbeFrontend(), names.newProbeFrontend()]).toEqual(['192.0.2.1', '192.0.2.2']);
});
