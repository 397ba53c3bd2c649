import { expect, test } from 'vitest';
import { toCniError } from '../../../src/cni/error.ts';
import { IpHelperError, IpHelperTimeout, windowsErrors } from '../../../src/iphlpapi/windows-errors.ts';

test.each([
  ['a refusal is code 100', [2, 5, 8, 50, 87, 1168, 0x1234], 100],
  ['a transient failure is code 11', [111, 1722, 1726, 1753], 11],
])('%s', (_, codes, expected) => {
  const errors = codes.map((code) => toCniError(new IpHelperError('listing the adapters', code)));
  expect(errors.map(({ code }) => code)).toEqual(codes.map(() => expected));
});

test('a call that times out is code 11', () => {
  expect(toCniError(new IpHelperTimeout('listing the adapters', 30))).toMatchObject({
    code: 11,
    message:
      'listing the adapters: Windows did not respond within 30 s. ' +
      'Run Get-Service nsi, iphlpsvc to check that both services are running.',
  });
});

test('a skipped call is code 11, and its message does not mention Windows services', () => {
  expect(toCniError(new IpHelperTimeout('listing the adapters', 0))).toMatchObject({
    code: 11,
    message:
      "listing the adapters: skipped, because earlier calls used up the request's time. " +
      'The next request retries it. If that times out too, run Get-Service hns, nsi, iphlpsvc.',
  });
});

test.each(windowsErrors)('$symbol has a cause and a remedy, in sentences', ({ cause, remedy }) => {
  expect(cause).toMatch(/^[A-Z].*\.$/);
  expect(remedy).toMatch(/^[A-Z].*\.$/);
});

test('an unknown error has its number and a command to check', () => {
  expect(new IpHelperError('listing the adapters', 0x1234).message).toBe(
    'listing the adapters: Windows returned error (4660). Run Get-NetIPInterface to check the interfaces.',
  );
});
