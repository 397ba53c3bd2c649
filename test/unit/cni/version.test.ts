import { expect, test } from 'vitest';
import { readVersion } from '../../../src/cni/version.ts';

test.each([undefined, null])('a configuration with cniVersion %j has version 0.1.0', (value) => {
  expect(readVersion(value)).toBe('0.1.0');
});

test.each(['0.2.0', '0.3.1'])('version %s is supported', (version) => {
  expect(readVersion(version)).toBe(version);
});

test('cniVersion true is refused', () => {
  expect(() => readVersion(true)).toThrow(
    expect.objectContaining({
      code: 6,
      message: 'cniVersion is true, expected a string',
    }),
  );
});
