import { describe, expect, test } from 'vitest';
import { HcnError } from '../../../src/hcn/errors.ts';
import { everyHresult, findHresult } from '../../../src/hcn/hresults.ts';
import { errorRecord, hresultNames, hresultOf } from '../../simulator/hresults.ts';

/** https://learn.microsoft.com/virtualization/api/hcn/reference/hcnhresult: 0x803b0001 to 0x803b0037, without a gap. */
const own = Array.from({ length: 0x37 }, (_, index) => 0x803b0001 + index);

const passedOn = [
  0x80004001, 0x80004003, 0x80004005, 0x8000ffff, 0x80070002, 0x80070005, 0x80070006, 0x8007000e, 0x80070015,
  0x80070020, 0x80070022, 0x80070032, 0x80070034, 0x80070057, 0x80070078, 0x800700aa, 0x800700b7, 0x80070102,
  0x80070422, 0x80070426, 0x8007045b, 0x80070490, 0x800705b4, 0x800706ba, 0x800706be, 0x800706bf, 0x800706d9,
  0x80071392,
];

const noName = 0x80049999;
const rpcWithoutName = 0x800706bb;

test('the tables have every HRESULT that Microsoft lists for HCN, and the codes of Windows that HNS returns', () => {
  const known = everyHresult().map(({ hresult }) => hresult);
  expect(known.toSorted((a, b) => a - b)).toEqual([...own, ...passedOn].toSorted((a, b) => a - b));
});

test.each(everyHresult())(
  '$symbol has a cause and a remedy, in sentences',
  ({ symbol, text, cause, remedy }) => {
    expect(symbol).toMatch(/^(HCN|GCN|E|ERROR|WAIT|RPC_S|EPT_S)_[A-Z_]+$/);
    expect(text).toMatch(/^[A-Z].*[^.]$/);
    expect(cause).toMatch(/^\S.*\.$/);
    expect(remedy).toMatch(/^[A-Z].*\.$/);
    expect(cause).not.toContain(text);
  },
);

test.each(hresultNames)('%s has the same number as in the simulated service', (name) => {
  expect(findHresult(hresultOf(name))?.symbol).toBe(name);
});

/** Windows' own text is longer. */
const shortened = ['E_OUTOFMEMORY', 'ERROR_DUP_NAME'];

test.each(hresultNames.filter((name) => !shortened.includes(name)))(
  '%s has the text of Windows, so that it is not repeated as a detail',
  (name) => {
    expect(new HcnError('x', hresultOf(name), errorRecord(hresultOf(name))).details).toBe('');
  },
);

describe('the message of an error', () => {
  const record =
    '{"Success":false,"Error":"Invalid JSON document string. {{Dns,UnknownField}}","ErrorCode":2151350299}';

  test('has the action, symbol, number and text, the detail from HNS, and the remedy', () => {
    expect(new HcnError('creating endpoint "pod1"', 0x803b001b, record).message).toBe(
      'creating endpoint "pod1": HCN returned HCN_E_INVALID_JSON (0x803b001b): Invalid JSON document string {{Dns,UnknownField}}. ' +
        'Remove that key from the configuration. If it has none, report a bug with this message and the build (cmd /c ver).',
    );
  });

  test('has only the number and the log command for an unknown HRESULT', () => {
    expect(new HcnError('deleting endpoint 1', noName, '').message).toBe(
      'deleting endpoint 1: HCN returned HRESULT 0x80049999. ' +
        'Read the Host Network Service log: Get-WinEvent -LogName Microsoft-Windows-Host-Network-Service-Admin -MaxEvents 20.',
    );
  });

  test('reports any RPC failure as a service that does not respond', () => {
    expect(new HcnError('deleting endpoint 1', rpcWithoutName, '').message).toBe(
      'deleting endpoint 1: HCN returned HRESULT 0x800706bb. ' +
        'The Host Network Service does not respond. Run Get-Service hns. If the service is stopped, run Start-Service hns.',
    );
  });
});
