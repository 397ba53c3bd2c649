import { describe, expect, test } from 'vitest';
import { HcnError, readErrorRecord } from '../../../src/hcn/errors.ts';

const record = (text: string, ErrorCode: number) =>
  JSON.stringify({ Success: false, Error: text, ErrorCode });

describe('an error record', () => {
  test.each([
    ['{{Dns}}', '', '{{Dns}}'],
    ['Invalid {{a}} and {{b}}', 'Invalid', '{{a}} and {{b}}'],
    ['Invalid }} and {{', 'Invalid }} and {{', ''],
    ['Invalid', 'Invalid', ''],
  ])('has in %j the sentence %j and the detail %j', (text, sentence, detail) => {
    expect(readErrorRecord(record(text, 1))).toEqual({ hresult: 1, text: sentence, detail });
  });

  test('may have a signed code', () => {
    expect(readErrorRecord('{"ErrorCode":-2147467259}').hresult).toBe(0x80004005);
  });

  test.each(['', '{"Success":false}', 'no JSON', '[]'])('without a code is E_FAIL: %s', (json) => {
    expect(readErrorRecord(json)).toEqual({ hresult: 0x80004005, text: json, detail: '' });
  });

  test('is shown whole if it has further members', () => {
    const json = '{"Success":false,"Error":"x","ErrorCode":2147500037,"Trace":"y"}';
    expect(readErrorRecord(json)).toMatchObject({ text: json, detail: '' });
  });

  test.each([
    ['{'.repeat(1_000_000), ''],
    ['{{'.repeat(500_000), ''],
    [record('{'.repeat(1_000_000), 0x80004005), ''],
    [`{{${'} '.repeat(500_000)}`, ''],
    [record(`${'{'.repeat(500_000)}}}`, 0x80004005), `${'{'.repeat(500_000)}}}`],
  ])('of a megabyte is read at once (%#)', (json, detail) => {
    expect(readErrorRecord(json).detail).toBe(detail);
  });
});

describe('the details of an error', () => {
  const error = (text: string, code: number) => new HcnError('opening network 1', code, record(text, code));

  test("are empty if HNS reports Microsoft's text", () => {
    const denied = error('Access is denied. ', 0x80070005);
    expect(denied.details).toBe('');
    expect(denied.errorRecord).toBe('{"Success":false,"Error":"Access is denied. ","ErrorCode":2147942405}');
  });

  test('have the text in another language', () => {
    expect(error('Zugriff verweigert ', 0x80070005).details).toBe('HNS reports: Zugriff verweigert');
  });
});
