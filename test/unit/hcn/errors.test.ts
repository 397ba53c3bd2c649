import { describe, expect, test } from 'vitest';
import {
  HcnError,
  HcnInvalidResponse,
  HcnMissing,
  HcnTimeout,
  HcnUnavailable,
  isOutcomeUnknown,
  isRefusal,
  parseResponse,
  requireValue,
} from '../../../src/hcn/errors.ts';

const record = (ErrorCode: number) => JSON.stringify({ Success: false, Error: 'x', ErrorCode });

/** Each error, its CNI code, whether the call may have taken effect, and whether HCN refused it. */
test.each<readonly [string, Error & { readonly code?: number }, number | undefined, boolean, boolean]>([
  ['a refusal', new HcnError('x', 0x803b001b, ''), 100, false, true],
  ['success together with an error record', new HcnError('x', 0, record(0x803b001b)), 11, true, false],
  ['a broken connection', new HcnError('x', 0x800706be, ''), 11, true, false],
  ['a service that is not running', new HcnError('x', 0x80070426, ''), 11, false, false],
  ['an invalid handle', new HcnError('x', 0x80070006, ''), 11, false, true],
  ['a timeout', new HcnTimeout('HcnOpenNetwork', 30), 11, true, false],
  ['a call that was skipped', new HcnTimeout('HcnOpenNetwork', 0), 11, false, false],
  ['an invalid response', new HcnInvalidResponse('x'), 11, true, false],
  ['a library that cannot be loaded', new HcnUnavailable('x', 'C:\\x.dll'), 104, false, false],
  ['a missing library', new HcnMissing('x', undefined), 104, false, false],
  ['any other error', new Error('x'), undefined, false, false],
])('the code, the outcome and the name of %s', (_, error, code, isUnknown, isRefused) => {
  expect([error.code, isOutcomeUnknown(error), isRefusal(error)]).toEqual([code, isUnknown, isRefused]);
  expect(error.name).toBe(error.constructor.name);
});

test('a timeout names the call and what to do', () => {
  const hangs =
    'the Host Network Service hangs or is overloaded. Run Get-Service hns to check it. ' +
    'If the next attempt times out too, drain the node and run Restart-Service hns.';
  expect(new HcnTimeout('HcnOpenNetwork', 2.5)).toMatchObject({
    tried: true,
    message: `HcnOpenNetwork did not respond within 2.5 s: ${hangs}`,
  });
  expect(new HcnTimeout('HcnOpenNetwork', 0)).toMatchObject({
    tried: false,
    message: `HcnOpenNetwork was skipped, because the request's time is used up: ${hangs}`,
  });
});

test('an error keeps the record, the code and the text of HNS', () => {
  expect(new HcnError('opening network 1', 0x80049999, record(5))).toMatchObject({
    hresult: 0x80049999,
    ambiguous: false,
    unavailable: false,
    errorRecord: record(5),
    details: '',
    message:
      'opening network 1: HCN returned HRESULT 0x80049999: x. ' +
      'Read the Host Network Service log: Get-WinEvent -LogName Microsoft-Windows-Host-Network-Service-Admin -MaxEvents 20.',
  });
  expect(new HcnError('x', 0, undefined)).toMatchObject({
    ambiguous: true,
    hresult: 0x80004005,
    errorRecord: '',
  });
  expect(new HcnError('x', 0, record(0x803b001b))).toMatchObject({ ambiguous: true, hresult: 0x803b001b });
  expect(new HcnUnavailable('x', 'C:\\x.dll', 'cause')).toMatchObject({ path: 'C:\\x.dll', cause: 'cause' });
});

describe('the value of a response', () => {
  const response = (hresult: number, errorRecord?: string) => ({ hresult, value: 'v', errorRecord });

  test('is required: every failure is an error, and so is success with an error record', () => {
    expect(requireValue(response(0), 'x')).toBe('v');
    expect(requireValue(response(0, ''), 'x')).toBe('v');
    expect(requireValue(response(1), 'x')).toBe('v');
    for (const failed of [response(0x80000000), response(0, '{}'), response(0x803b0001)])
      expect(() => requireValue(failed, 'x')).toThrow(HcnError);
  });

  test('that cannot be read for another reason throws that reason', () => {
    const other = new Error('other');
    const refuse = () => {
      throw other;
    };
    expect(() => parseResponse('querying x', refuse)).toThrow(other);
  });
});
