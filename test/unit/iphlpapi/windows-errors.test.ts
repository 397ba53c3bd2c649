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
      'listing the adapters: Windows did not answer within 30 s. ' +
      'A service of Windows does not answer: look with Get-Service at nsi and iphlpsvc.',
  });
});

test('a call there was no time left for is code 11, and does not say that Windows was asked', () => {
  expect(toCniError(new IpHelperTimeout('listing the adapters', 0))).toMatchObject({
    code: 11,
    message:
      'listing the adapters was not tried any more: earlier calls took all the time of the request. ' +
      'The next request tries it anew; if that is late too, look with Get-Service at hns, nsi and iphlpsvc.',
  });
});

test.each(windowsErrors)('$symbol has a cause and a remedy, in sentences', ({ cause, remedy }) => {
  expect(cause).toMatch(/^[A-Z].*\.$/);
  expect(remedy).toMatch(/^[A-Z].*\.$/);
});

test('an error without a name has its number, and where to look', () => {
  expect(new IpHelperError('listing the adapters', 0x1234).message).toBe(
    'listing the adapters: Windows said error (4660). Look at the interfaces with Get-NetIPInterface.',
  );
});
