import { expect, test } from 'vitest';
import { isAtLeast, readVersion } from '../../../src/cni/version.ts';

test.each([undefined, null, ''])('a configuration with version %j is one of 0.1.0', (value) => {
  expect(readVersion(value)).toBe('0.1.0');
});

test.each(['0.1.0', '0.2.0', '0.3.0', '0.3.1', '0.4.0', '1.0.0', '1.1.0'])(
  '%s is a version we speak',
  (version) => {
    expect(readVersion(version)).toBe(version);
  },
);

test.each(['0.5.0', '1.0', '1.2.0', '2.0.0'])('%s is refused with the versions there are', (version) => {
  expect(() => readVersion(version)).toThrow(
    expect.objectContaining({
      code: 1,
      message: `incompatible CNI versions: cniVersion is "${version}"`,
      details: 'win-hcn supports 0.1.0, 0.2.0, 0.3.0, 0.3.1, 0.4.0, 1.0.0, 1.1.0',
    }),
  );
});

test.each([1, {}, true])('%j is no version', (value) => {
  expect(() => readVersion(value)).toThrow(
    expect.objectContaining({
      code: 6,
      message: `cniVersion is ${JSON.stringify(value)}, expected a string`,
    }),
  );
});

test('a version is as late as itself, and later than those before it', () => {
  expect(isAtLeast('0.4.0', '0.4.0')).toBe(true);
  expect(isAtLeast('1.0.0', '0.4.0')).toBe(true);
  expect(isAtLeast('0.3.1', '0.4.0')).toBe(false);
});
