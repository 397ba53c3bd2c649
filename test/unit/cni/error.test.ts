import { expect, test } from 'vitest';
import {
  afterRefusal,
  CniError,
  code,
  invalidConfig,
  renderError,
  toCniError,
  withDetails,
} from '../../../src/cni/error.ts';
import {
  HcnError,
  HcnInvalidResponse,
  HcnMissing,
  HcnTimeout,
  HcnUnavailable,
} from '../../../src/hcn/errors.ts';
import { IpHelperError } from '../../../src/iphlpapi/windows-errors.ts';

test.each([
  ['an HCN call that times out', new HcnTimeout('HcnOpenNetwork', 30), 11],
  ['an invalid response of HCN', new HcnInvalidResponse('querying network 1: HCN returned 5'), 11],
  ['a service that is down', new HcnError('opening network 1', 0x800706ba, undefined), 11],
  ['success with an error record', new HcnError('opening network 1', 0, '{"ErrorCode":5}'), 11],
  ['a refusal', new HcnError('opening network 1', 0x80070005, undefined), 100],
  ['a transient refusal of Windows', new IpHelperError('listing the adapters', 111), 11],
  ['a refusal of Windows', new IpHelperError('listing the adapters', 5), 100],
  ['no HCN library', new HcnMissing('computenetwork.dll is missing', undefined), 104],
  ['an HCN library that cannot be loaded', new HcnUnavailable('cannot load it', undefined), 104],
])('%s keeps its message and has its code', (_, error, code) => {
  expect(toCniError(error)).toMatchObject({ code, message: error.message });
});

test('details have what else HNS reports first, then failures of the rollback', () => {
  const details = 'HNS reports: Falscher Parameter';
  const record = '{"Success":false,"Error":"Falscher Parameter. ","ErrorCode":2147942487}';
  const error = new HcnError('creating network 1', 0x80070057, record);
  expect(toCniError(error)).toMatchObject({ code: 100, details });
  expect(withDetails(error, undefined, 'undoing the network failed: x')).toMatchObject({
    code: 100,
    message: error.message,
    details: `${details}; undoing the network failed: x`,
  });
});

test('a refusal is reported first if the look-up of its reason is refused too', () => {
  const refusal = new HcnError('creating endpoint 1', 0x803b001e, undefined);
  const looking = new HcnError('opening endpoint 1', 0x80070005, undefined);
  expect(afterRefusal(refusal, looking)).toMatchObject({
    code: 100,
    message: refusal.message,
    details: looking.message,
  });
});

test("an unavailable HNS is reported first if the look-up of a refusal's reason fails, with the refusal in the details", () => {
  const refusal = new HcnError('creating endpoint 1', 0x803b001e, undefined);
  const looking = new HcnTimeout('HcnOpenEndpoint', 30);
  expect(afterRefusal(refusal, looking)).toMatchObject({
    code: 11,
    message: looking.message,
    details: refusal.message,
  });
});

test('the error of a call that times out has the commands to check and to continue', () => {
  expect(new HcnTimeout('HcnOpenNetwork', 30).message).toBe(
    'HcnOpenNetwork did not respond within 30 s: the Host Network Service hangs or is overloaded. ' +
      'Run Get-Service hns to check it. If the next attempt times out too, ' +
      'drain the node and run Restart-Service hns.',
  );
});

test('an unexpected error is code 999, with a request to report it', () => {
  expect(toCniError(new TypeError('x is not a function'))).toMatchObject({
    code: 999,
    message: 'internal error: x is not a function',
    details: 'report it with the configuration and the output of cmd /c ver',
  });
});

test("the codes are those of the specification, of Go's library and of win-hcn", () => {
  expect(code).toEqual({
    incompatibleVersion: 1,
    unsupportedField: 2,
    unknownContainer: 3,
    invalidEnvironment: 4,
    ioFailure: 5,
    decodingFailure: 6,
    invalidConfig: 7,
    tryAgainLater: 11,
    notAvailable: 50,
    notAvailableAndDegraded: 51,
    hcnFailure: 100,
    alreadyAttached: 101,
    notAsExpected: 102,
    ipamFailure: 103,
    hcnMissing: 104,
    internal: 999,
  });
});

test('an error object has a version, a code and a message, and details if there are any', () => {
  expect(renderError(invalidConfig('a is b'), '1.0.0')).toEqual({
    cniVersion: '1.0.0',
    code: 7,
    msg: 'a is b',
  });
  expect(renderError(invalidConfig('a is b', 'c'), '0.4.0')).toEqual({
    cniVersion: '0.4.0',
    code: 7,
    msg: 'a is b',
    details: 'c',
  });
});

test('an error keeps its cause', () => {
  const cause = new TypeError('x is not a function');
  expect(toCniError(cause).cause).toBe(cause);
  expect(withDetails(cause, 'y').cause).toBe(cause);
  const plain = new CniError(code.ioFailure, 'cannot read', { unquoted: 'no text' });
  expect(plain.cause).toBeUndefined();
  expect(plain.name).toBe('CniError');
  expect(withDetails(plain, 'y', undefined, 'z')).toMatchObject({
    cause: plain,
    details: 'y; z',
    unquoted: 'no text',
  });
  expect(withDetails(plain, undefined, '')).toBe(plain);
});
