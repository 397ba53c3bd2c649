import { expect, test } from 'vitest';
import { toCniError } from '../../../src/cni/error.ts';
import {
  IpHelperError,
  IpHelperTimeout,
  ipHelperRemedy,
  windowsErrors,
} from '../../../src/iphlpapi/windows-errors.ts';

test('a transient failure is code 11, any other code 100', () => {
  const codeOf = (code: number) => toCniError(new IpHelperError('listing the adapters', code)).code;
  expect(windowsErrors.map(({ code }) => code).filter((code) => codeOf(code) === 11)).toEqual([
    111, 1722, 1726, 1753,
  ]);
  expect([5, 0x1234].map(codeOf)).toEqual([100, 100]);
});

test.each([
  [
    'that is skipped',
    0,
    "listing the adapters: skipped, because earlier calls used up the request's time. " +
      'The next request retries it. If that times out too, run Get-Service hns, nsi, iphlpsvc.',
  ],
  [
    'that hangs',
    2.5,
    'listing the adapters: Windows did not respond within 2.5 s. ' +
      'Run Get-Service nsi, iphlpsvc to check that both services are running.',
  ],
])('a call %s is code 11', (_, seconds, message) => {
  expect(toCniError(new IpHelperTimeout('listing the adapters', seconds))).toMatchObject({
    code: 11,
    message,
  });
});

test.each([
  [2, 'ERROR_FILE_NOT_FOUND (2). The interface was removed during the request. '],
  [0x1234, 'error (4660). '],
])('the error %i has its symbol, cause and a remedy', (code, text) => {
  expect(new IpHelperError('listing the adapters', code).message).toBe(
    `listing the adapters: Windows returned ${text}${ipHelperRemedy}`,
  );
});
