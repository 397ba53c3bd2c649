import { expect, test } from 'vitest';
import { isAtLeast, readVersion, supportedVersions } from '../../../src/cni/version.ts';

test.each([undefined, null, ''])('a configuration with cniVersion %j has version 0.1.0', (value) => {
  expect(readVersion(value)).toBe('0.1.0');
});

test('the versions of the specification are supported, in their order', () => {
  const versions = ['0.1.0', '0.2.0', '0.3.0', '0.3.1', '0.4.0', '1.0.0', '1.1.0'];
  expect(versions.map(readVersion)).toEqual(versions);
  expect(supportedVersions.filter((version) => isAtLeast(version, '0.3.1'))).toEqual(versions.slice(3));
});

test.each([
  [true, 6, 'cniVersion is true, expected a string'],
  ['9.0.0', 1, 'incompatible CNI versions: cniVersion is "9.0.0"'],
])('cniVersion %j is refused with code %i', (version, code, message) => {
  expect(() => readVersion(version)).toThrow(expect.objectContaining({ code, message }));
});
