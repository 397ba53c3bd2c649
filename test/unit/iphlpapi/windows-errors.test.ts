import { expect, test } from 'vitest';
import { toCniError } from '../../../src/cni/error.ts';
import {
  IpHelperError,
  IpHelperTimeout,
  readStructure,
  windowsErrors,
} from '../../../src/iphlpapi/windows-errors.ts';

test.each([
  ['a refusal is code 100', [2, 5, 8, 50, 87, 1168, 0x1234], 100],
  ['a transient failure is code 11', [111, 1722, 1726, 1753], 11],
])('%s', (_, codes, expected) => {
  const errors = codes.map((code) => toCniError(new IpHelperError('listing the adapters', code)));
  expect(errors.map(({ code }) => code)).toEqual(codes.map(() => expected));
});

/** https://learn.microsoft.com/windows/win32/debug/system-error-codes */
test('the codes with a text are those of Windows', () => {
  expect(windowsErrors.map(({ code, symbol }) => `${symbol} ${code}`)).toEqual([
    'ERROR_FILE_NOT_FOUND 2',
    'ERROR_ACCESS_DENIED 5',
    'ERROR_NOT_ENOUGH_MEMORY 8',
    'ERROR_NOT_SUPPORTED 50',
    'ERROR_INVALID_PARAMETER 87',
    'ERROR_BUFFER_OVERFLOW 111',
    'ERROR_NOT_FOUND 1168',
    'RPC_S_SERVER_UNAVAILABLE 1722',
    'RPC_S_CALL_FAILED 1726',
    'EPT_S_NOT_REGISTERED 1753',
    'ERROR_OBJECT_ALREADY_EXISTS 5010',
  ]);
});

test('an error keeps its action, its code and what to do', () => {
  expect(new IpHelperError('listing the routes of this host', 1722)).toMatchObject({
    name: 'IpHelperError',
    number: 1722,
    message:
      'listing the routes of this host: Windows returned RPC_S_SERVER_UNAVAILABLE (1722). ' +
      'Run Get-Service nsi, iphlpsvc to check that both services are running.',
  });
});

test.each([
  [new IpHelperTimeout('x', 30), true],
  [new IpHelperTimeout('x', 0.1), true],
  [new IpHelperTimeout('x', 0), false],
])('%s was made: %s', (error, tried) => {
  expect(error).toMatchObject({ name: 'IpHelperTimeout', tried });
});

test('an invalid structure is code 11, with the call and the reason', () => {
  const cause = new RangeError('A pointer leads out of its buffer.');
  const read = () => {
    throw cause;
  };
  expect(() => readStructure('GetAdaptersAddresses', read)).toThrow(
    expect.objectContaining({
      code: 11,
      message:
        'GetAdaptersAddresses returned an invalid structure: A pointer leads out of its buffer. Retry.',
      cause,
    }),
  );
  expect(readStructure('GetAdaptersAddresses', () => 1)).toBe(1);
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
