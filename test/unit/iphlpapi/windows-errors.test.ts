import { expect, test } from 'vitest';
import { toCniError } from '../../../src/cni/error.ts';
import { IpHelperError, IpHelperTimeout, windowsErrors } from '../../../src/iphlpapi/windows-errors.ts';

test.each([
  ['what Windows refuses is code 100', [2, 5, 8, 50, 87, 1168, 0x1234], 100],
  ['what may work a little later is code 11', [111, 1722, 1726, 1753], 11],
])('%s', (_, codes, expected) => {
  const errors = codes.map((code) => toCniError(new IpHelperError('listing the adapters', code)));
  expect(errors.map(({ code }) => code)).toEqual(codes.map(() => expected));
});

test('a call without an answer is code 11', () => {
  expect(toCniError(new IpHelperTimeout('listing the adapters', 30))).toMatchObject({
    code: 11,
    message:
      'listing the adapters: Windows did not respond within 30 s. ' +
      'A Windows service does not respond: check Get-Service nsi, iphlpsvc.',
  });
});

test('a call there was no time left for is code 11, and does not say that Windows was asked', () => {
  expect(toCniError(new IpHelperTimeout('listing the adapters', 0))).toMatchObject({
    code: 11,
    message:
      "listing the adapters: skipped, because earlier calls used up the request's time. " +
      'The next request retries it. If that times out too, check Get-Service hns, nsi, iphlpsvc.',
  });
});

test.each(windowsErrors)('$symbol has a cause and a remedy, in sentences', ({ cause, remedy }) => {
  expect(cause).toMatch(/^[A-Z].*\.$/);
  expect(remedy).toMatch(/^[A-Z].*\.$/);
});

test('an error without a name has its number, and where to look', () => {
  expect(new IpHelperError('listing the adapters', 0x1234).message).toBe(
    'listing the adapters: Windows returned error (4660). Check the interfaces with Get-NetIPInterface.',
  );
});
