import { expect, test } from 'vitest';
import { isAtLeast, readVersion } from '../../../src/cni/version.ts';

test.each([undefined, null, ''])('a configuration with cniVersion %j has version 0.1.0', (value) => {
  expect(readVersion(value)).toBe('0.1.0');
});

test.each(['0.1.0', '0.2.0', '0.3.0', '0.3.1', '0.4.0', '1.0.0', '1.1.0'])(
  'version %s is supported',
  (version) => {
    expect(readVersion(version)).toBe(version);
  },
);

test.each(['0.5.0', '1.0', '1.2.0', '2.0.0'])('%s is refused with the supported versions', (version) => {
  expect(() => readVersion(version)).toThrow(
    expect.objectContaining({
      code: 1,
      message: `incompatible CNI versions: cniVersion is "${version}"`,
      details: 'win-hcn supports 0.1.0, 0.2.0, 0.3.0, 0.3.1, 0.4.0, 1.0.0, 1.1.0',
    }),
  );
});

test.each([1, {}, true])('cniVersion %j is refused', (value) => {
  expect(() => readVersion(value)).toThrow(
    expect.objectContaining({
      code: 6,
      message: `cniVersion is ${JSON.stringify(value)}, expected a string`,
    }),
  );
});

test('a version is at least itself and every earlier version', () => {
  expect(isAtLeast('0.4.0', '0.4.0')).toBe(true);
  expect(isAtLeast('1.0.0', '0.4.0')).toBe(true);
  expect(isAtLeast('0.3.1', '0.4.0')).toBe(false);
});
