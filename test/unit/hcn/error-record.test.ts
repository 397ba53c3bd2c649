import { describe, expect, test } from 'vitest';
import { HcnError, readErrorRecord } from '../../../src/hcn/errors.ts';

const record = (text: string, ErrorCode: number) =>
  JSON.stringify({ Success: false, Error: text, ErrorCode });

describe('an error record', () => {
  test('has a code, a sentence, and a detail in double braces', () => {
    const json = record('Invalid JSON document string. {{Dns,UnknownField}}', 0x803b001b);
    expect(readErrorRecord(json)).toEqual({
      hresult: 0x803b001b,
      text: 'Invalid JSON document string',
      detail: '{{Dns,UnknownField}}',
    });
  });

  test.each([
    ['{{Dns}}', '', '{{Dns}}'],
    ['Invalid {{}} document', 'Invalid  document', '{{}}'],
    ['Invalid {{a}} and {{b}}', 'Invalid', '{{a}} and {{b}}'],
    ['Invalid {{}', 'Invalid {{}', ''],
    ['Invalid }} and {{', 'Invalid }} and {{', ''],
    ['Invalid {}} document', 'Invalid {}} document', ''],
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

const stopped = {
  ERROR_SERVICE_DISABLED: [
    0x80070422,
    'HNS is not running. If HNS is disabled, run Set-Service hns -StartupType Manual, then Start-Service hns. The services in ' +
      '(Get-Service hns).RequiredServices must run too. Listing networks failed with ERROR_SERVICE_DISABLED (0x80070422): ' +
      'The service cannot be started: it is disabled.',
  ],
  ERROR_SERVICE_NOT_ACTIVE: [
    0x80070426,
    'HNS is not running. Run Start-Service hns. Listing networks failed with ERROR_SERVICE_NOT_ACTIVE (0x80070426): ' +
      'The service has not been started.',
  ],
  RPC_S_SERVER_UNAVAILABLE: [
    0x800706ba,
    'HNS is not running. Run Start-Service hns. Listing networks failed with RPC_S_SERVER_UNAVAILABLE (0x800706ba): ' +
      'The RPC server is unavailable.',
  ],
  RPC_S_CALL_FAILED: [
    0x800706be,
    'HNS stopped during the call. Run Start-Service hns, and retry. If HNS stops every time, run Get-WinEvent -LogName System ' +
      '-MaxEvents 50 to find the reason. Listing networks failed with RPC_S_CALL_FAILED (0x800706be): ' +
      'The remote procedure call failed.',
  ],
  RPC_S_CALL_FAILED_DNE: [
    0x800706bf,
    'HNS is not running. Run Start-Service hns. Listing networks failed with RPC_S_CALL_FAILED_DNE (0x800706bf): ' +
      'The remote procedure call failed and did not execute.',
  ],
  EPT_S_NOT_REGISTERED: [
    0x800706d9,
    'HNS is not running. Run Start-Service hns. If the service does not exist, run Enable-WindowsOptionalFeature -Online ' +
      '-FeatureName Containers. Listing networks failed with EPT_S_NOT_REGISTERED (0x800706d9): ' +
      'There are no more endpoints available from the endpoint mapper.',
  ],
  HCN_E_MANAGER_STOPPED: [
    0x803b0020,
    'HNS is not running. Run Start-Service hns when Get-Service hns shows Stopped. Listing networks failed with ' +
      'HCN_E_MANAGER_STOPPED (0x803b0020): Operation cannot be performed while service is stopping.',
  ],
} as const;

test.each(Object.values(stopped))('0x%x leads with the state of the service and the fix', (code, message) => {
  expect(new HcnError('listing networks', code, '')).toMatchObject({ code: 11, message, details: '' });
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

  test.each([
    'Unknown error 0x80070005',
    'Unbekannter Fehler (0x80070005).',
    'HRESULT: 80070005',
    'ERROR 0X80070005',
  ])('are empty if HNS only repeats the number: %s', (text) => {
    const repeated = error(text, 0x80070005);
    expect(repeated.details).toBe('');
    expect(repeated.message).toBe(error('Access is denied. ', 0x80070005).message);
  });

  test.each(['Unknown error 0x80004005', 'Unknown error', 'The service reported error 0x80070005'])(
    'have other texts: %s',
    (text) => expect(error(text, 0x80070005).details).toBe(`HNS reports: ${text}`),
  );

  test('of success together with a record that repeats a small number are empty', () => {
    expect(new HcnError('opening network 1', 0, record('Unknown error 0x00000005', 5))).toMatchObject({
      hresult: 5,
      details: '',
      message: expect.stringMatching(/^opening network 1: HCN returned HRESULT 0x00000005\. Read /),
    });
  });

  test('and the message of an unknown HRESULT have its number once', () => {
    expect(error('Unknown error 0x80049999', 0x80049999)).toMatchObject({
      details: '',
      message: expect.stringContaining('HCN returned HRESULT 0x80049999. Read'),
    });
  });
});
