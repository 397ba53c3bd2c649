import { describe, expect, test } from 'vitest';
import { findCodes } from '../../../../src/cli/explain/explain-code.ts';

/** As in `HRESULT 0x803b0001`, or `CNI code 5`. */
const codesIn = (text: string) =>
  findCodes(text).map(
    ({ kind, value }) => `${kind} ${kind === 'HRESULT' ? `0x${value.toString(16)}` : value}`,
  );

describe('a text has the codes', () => {
  test.each<readonly [text: string, ...codes: readonly string[]]>([
    // A single number or symbol.
    ['0X803B0001', 'HRESULT 0x803b0001'],
    ['803b0001', 'HRESULT 0x803b0001'],
    ['0x803b00010'],
    ['3b0001'],
    ['12345678', 'CNI code 12345678'],
    ['0x7fffffff', 'Windows code 2147483647'],
    ['0x80000000', 'HRESULT 0x80000000'],
    ['0x20', 'HRESULT 0x80070020'],
    [' 5\n', 'CNI code 5', 'Windows code 5', 'HRESULT 0x80070005', 'endpoint state 5'],
    ['3', 'CNI code 3', 'endpoint state 3'],
    ['attachedsharing', 'endpoint state 3'],
    ['-1', 'HRESULT 0xffffffff'],
    ['4294967295', 'HRESULT 0xffffffff'],
    ['4294967296'],
    ['-2147483648', 'HRESULT 0x80000000'],
    ['-2147483649'],
    ['hcn_e_network_not_found', 'HRESULT 0x803b0001'],
    ['ERROR_NOT_FOUND', 'HRESULT 0x80070490', 'Windows code 1168'],
    [''],
    // Several words.
    ['HCN_E_NETWORK_NOT_FOUND (0x803b0001) 0x803b0002', 'HRESULT 0x803b0001', 'HRESULT 0x803b0002'],
    ['code 0x803bffff', 'HRESULT 0x803bffff'],
    ['code 0x800706ba or 0x800706a5', 'HRESULT 0x800706ba', 'HRESULT 0x800706a5'],
    ['code 0x5, 0x7', 'Windows code 5', 'HRESULT 0x80070005'],
    ['State 6, State 7', 'endpoint state 6'],
    ['a0x803b0001 0x803b00012'],
    ['ErrorCode: -2143617023', 'HRESULT 0x803b0001'],
    ['1-2151350273 2151350273.5 1.2151350273 2151350273s 21513502731 4294967296 215135027'],
    ['xERROR_NOT_FOUND ERROR_NOT_FOUNDx error_not_found'],
    ['exit status (0xc0370106), 0xC0000135 at 0x7ff', 'HRESULT 0xc0370106', 'HRESULT 0xc0000135'],
    ['a call at 0xc000123456 failed'],
    ['{"code": 7, "msg": "0x803b0001"}', 'CNI code 7', 'HRESULT 0x803b0001'],
    ['{\\"code\\" :11}, "barcode": 7', 'CNI code 11'],
    ['THE NETWORK WAS NOT FOUND.', 'HRESULT 0x803b0001'],
    ['The network was not found 0x5', 'Windows code 5', 'HRESULT 0x80070005'],
  ])('%s: %s', (text, ...codes) => {
    expect(codesIn(text)).toEqual(codes);
  });
});
