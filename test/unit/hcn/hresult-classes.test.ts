import { expect, test } from 'vitest';
import { describeHresult, everyHresult, hex, hresultOf, isUnavailable } from '../../../src/hcn/hresults.ts';

/** The codes without a text: https://learn.microsoft.com/windows/win32/debug/system-error-codes */
const withoutText = {
  RPC_S_INVALID_STRING_BINDING: 0x800706a4,
  RPC_S_SERVER_TOO_BUSY: 0x800706bb,
  RPC_S_CALL_CANCELLED: 0x8007071a,
  RPC_S_SEC_PKG_ERROR: 0x80070721,
  ERROR_TRANSACTIONAL_CONFLICT: 0x80071a90,
};

const numbers = new Map<string, number>([
  ...everyHresult().map(({ symbol, hresult }): [string, number] => [symbol, hresult]),
  ...Object.entries(withoutText),
]);

test('HNS is unavailable if it is stopped, or the connection to it fails in any way', () => {
  const found = [...numbers].filter(([, hresult]) => isUnavailable(hresult)).map(([symbol]) => symbol);
  expect(found.toSorted()).toEqual(
    (
      'HCN_E_MANAGER_STOPPED ERROR_SERVICE_DISABLED ERROR_SERVICE_NOT_ACTIVE ' +
      'ERROR_SHUTDOWN_IN_PROGRESS ERROR_TIMEOUT RPC_S_SERVER_UNAVAILABLE RPC_S_CALL_FAILED ' +
      'RPC_S_CALL_FAILED_DNE EPT_S_NOT_REGISTERED RPC_S_INVALID_STRING_BINDING ' +
      'RPC_S_SERVER_TOO_BUSY WAIT_TIMEOUT RPC_S_CALL_CANCELLED RPC_S_SEC_PKG_ERROR'
    )
      .split(' ')
      .toSorted(),
  );
  expect([0, 1, 0x7fffffff, 0x8004ffff, 0x800706a3, 0x80070722].filter(isUnavailable)).toEqual([]);
});

test.each(Object.entries(withoutText))('%s has its number and no text', (symbol, hresult) => {
  expect(hresultOf(symbol as keyof typeof withoutText)).toBe(hresult);
  expect(describeHresult(hresult)).toBe(`HRESULT ${hex(hresult)}`);
});

test('an HRESULT is shown with eight digits', () => {
  expect([0, 0x1f, 0x803b001e].map(hex)).toEqual(['0x00000000', '0x0000001f', '0x803b001e']);
});
