import { expect, test } from 'vitest';
import {
  describeHresult,
  everyHresult,
  hex,
  hresultOf,
  isAdapterMissing,
  isAddressTaken,
  isExisting,
  isFailure,
  isInNamespace,
  isNetworkExisting,
  isNetworkNotFound,
  isNotAttached,
  isNotExecuted,
  isNotFound,
  isPermanent,
  isPolicyNotFound,
  isStaleHandle,
  isSwitchMissing,
  isTimeout,
  isUnavailable,
  isUnloaded,
} from '../../../src/hcn/hresults.ts';

/** The codes without a text: https://learn.microsoft.com/windows/win32/debug/system-error-codes */
const withoutText = {
  WAIT_TIMEOUT: 0x80070102,
  RPC_S_INVALID_STRING_BINDING: 0x800706a4,
  RPC_S_SERVER_TOO_BUSY: 0x800706bb,
  RPC_X_SS_CONTEXT_MISMATCH: 0x800706f3,
  RPC_S_CALL_CANCELLED: 0x8007071a,
  RPC_S_SEC_PKG_ERROR: 0x80070721,
  ERROR_TRANSACTIONAL_CONFLICT: 0x80071a90,
};

const numbers = new Map<string, number>([
  ...everyHresult().map(({ symbol, hresult }): [string, number] => [symbol, hresult]),
  ...Object.entries(withoutText),
]);

/** The classes of HRESULTs, each with all of its codes. */
const classes: readonly (readonly [string, (hresult: number) => boolean, string])[] = [
  ['isNotFound', isNotFound, 'HCN_E_NETWORK_NOT_FOUND HCN_E_ENDPOINT_NOT_FOUND ERROR_NOT_FOUND'],
  ['isNetworkNotFound', isNetworkNotFound, 'HCN_E_NETWORK_NOT_FOUND'],
  ['isPolicyNotFound', isPolicyNotFound, 'HCN_E_POLICY_NOT_FOUND'],
  ['isAddressTaken', isAddressTaken, 'HCN_E_ADDR_INVALID_OR_RESERVED ERROR_OBJECT_ALREADY_EXISTS'],
  ['isExisting', isExisting, 'ERROR_ALREADY_EXISTS ERROR_OBJECT_ALREADY_EXISTS'],
  ['isSwitchMissing', isSwitchMissing, 'HCN_E_SWITCH_NOT_FOUND HCN_E_PORT_NOT_FOUND'],
  ['isNotAttached', isNotAttached, 'HCN_E_ENDPOINT_NOT_FOUND HCN_E_ENDPOINT_NOT_ATTACHED'],
  ['isInNamespace', isInNamespace, 'HCN_E_ENDPOINT_ALREADY_ATTACHED HCN_E_ENDPOINT_NAMESPACE_ALREADY_EXISTS'],
  [
    'isNetworkExisting',
    isNetworkExisting,
    'HCN_E_NETWORK_ALREADY_EXISTS HCN_E_LAYER_ALREADY_EXISTS ERROR_DUP_NAME ERROR_ALREADY_EXISTS ' +
      'ERROR_OBJECT_ALREADY_EXISTS ERROR_TRANSACTIONAL_CONFLICT',
  ],
  ['isAdapterMissing', isAdapterMissing, 'HCN_E_ADAPTER_NOT_FOUND ERROR_NOT_FOUND'],
  [
    'isPermanent',
    isPermanent,
    'E_ACCESSDENIED E_INVALIDARG E_NOTIMPL E_OUTOFMEMORY E_POINTER ERROR_NOT_SUPPORTED ' +
      'ERROR_SHARING_VIOLATION HCN_E_INVALID_ENDPOINT HCN_E_INVALID_INTERNAL_PORT HCN_E_INVALID_IP ' +
      'HCN_E_INVALID_JSON HCN_E_INVALID_JSON_REFERENCE HCN_E_INVALID_POLICY ' +
      'HCN_E_INVALID_POLICY_TYPE HCN_E_INVALID_SUBNET HCN_E_MAPPING_NOT_SUPPORTED ' +
      'HCN_E_POLICY_ALREADY_EXISTS HCN_E_PORT_ALREADY_EXISTS HCN_E_REQUEST_UNSUPPORTED',
  ],
  [
    'isUnavailable',
    isUnavailable,
    'HCN_E_MANAGER_STOPPED ERROR_SERVICE_DISABLED ERROR_SERVICE_NOT_ACTIVE ' +
      'ERROR_SHUTDOWN_IN_PROGRESS ERROR_TIMEOUT RPC_S_SERVER_UNAVAILABLE RPC_S_CALL_FAILED ' +
      'RPC_S_CALL_FAILED_DNE EPT_S_NOT_REGISTERED RPC_S_INVALID_STRING_BINDING ' +
      'RPC_S_SERVER_TOO_BUSY RPC_X_SS_CONTEXT_MISMATCH RPC_S_CALL_CANCELLED RPC_S_SEC_PKG_ERROR',
  ],
  ['isTimeout', isTimeout, 'ERROR_TIMEOUT WAIT_TIMEOUT RPC_S_SERVER_TOO_BUSY RPC_S_CALL_CANCELLED'],
  [
    'isNotExecuted',
    isNotExecuted,
    'ERROR_SERVICE_DISABLED ERROR_SERVICE_NOT_ACTIVE RPC_S_SERVER_UNAVAILABLE ' +
      'RPC_S_CALL_FAILED_DNE EPT_S_NOT_REGISTERED',
  ],
  ['isUnloaded', isUnloaded, 'HCN_E_OBJECT_USED_AFTER_UNLOAD'],
  ['isStaleHandle', isStaleHandle, 'HCN_E_OBJECT_USED_AFTER_UNLOAD E_HANDLE RPC_X_SS_CONTEXT_MISMATCH'],
];

test.each(classes)('%s has these codes and no other', (_, isIn, symbols) => {
  const found = [...numbers].filter(([, hresult]) => isIn(hresult)).map(([symbol]) => symbol);
  expect(found.toSorted()).toEqual(symbols.split(' ').toSorted());
  expect([0, 1, 0x7fffffff, 0x8004ffff, 0x800706a3, 0x80070722].filter(isIn)).toEqual([]);
});

test.each(Object.entries(withoutText))('%s has its number and no text', (symbol, hresult) => {
  expect(hresultOf(symbol as keyof typeof withoutText)).toBe(hresult);
  expect(describeHresult(hresult)).toBe(`HRESULT ${hex(hresult)}`);
});

test('an HRESULT means failure if its highest bit is set', () => {
  expect([0, 1, 0x7fffffff, 0x80000000, 0xffffffff].map(isFailure)).toEqual([
    false,
    false,
    false,
    true,
    true,
  ]);
});

test('an HRESULT is shown with eight digits', () => {
  expect([0, 0x1f, 0x803b001e].map(hex)).toEqual(['0x00000000', '0x0000001f', '0x803b001e']);
});
