import { describe, expect, test } from 'vitest';
import { findCodes, readCode } from '../../../../src/cli/explain/find-codes.ts';

/** As in `HRESULT 0x803b0001`, or `CNI code 5`. */
const texts = (codes: ReturnType<typeof readCode>) =>
  codes.map(({ kind, value }) => `${kind} ${kind === 'HRESULT' ? `0x${value.toString(16)}` : value}`);

describe('a word stands for', () => {
  test.each<readonly [word: string, ...codes: readonly string[]]>([
    ['0x803b0001', 'HRESULT 0x803b0001'],
    ['0X803B0001', 'HRESULT 0x803b0001'],
    ['803b0001', 'HRESULT 0x803b0001'],
    ['803B0001', 'HRESULT 0x803b0001'],
    ['0x803b00010'],
    ['x803b0001'],
    ['0x803b0001x'],
    ['803b00012'],
    ['a803b0001'],
    ['3b0001'],
    ['12345678', 'CNI code 12345678'],
    ['0x0', 'Windows code 0'],
    ['0xffffffff', 'HRESULT 0xffffffff'],
    ['ffffffff', 'HRESULT 0xffffffff'],
    ['0x7fffffff', 'Windows code 2147483647'],
    ['0x80000000', 'HRESULT 0x80000000'],
    ['0x5', 'Windows code 5', 'HRESULT 0x80070005'],
    ['0x20', 'HRESULT 0x80070020'],
    ['0', 'CNI code 0'],
    ['5', 'CNI code 5', 'Windows code 5', 'HRESULT 0x80070005'],
    ['7', 'CNI code 7'],
    ['11', 'CNI code 11'],
    ['50', 'CNI code 50', 'Windows code 50', 'HRESULT 0x80070032'],
    ['51', 'CNI code 51'],
    ['77', 'CNI code 77'],
    ['100', 'CNI code 100'],
    ['999', 'CNI code 999'],
    ['1168', 'Windows code 1168', 'HRESULT 0x80070490'],
    ['-1', 'HRESULT 0xffffffff'],
    ['2147483647', 'CNI code 2147483647'],
    ['2147483648', 'HRESULT 0x80000000'],
    ['4294967295', 'HRESULT 0xffffffff'],
    ['4294967296'],
    ['-2147483648', 'HRESULT 0x80000000'],
    ['-2147483649'],
    ['00000000005'],
    ['--5'],
    ['5a'],
    ['hcn_e_network_not_found', 'HRESULT 0x803b0001'],
    ['ERROR_NOT_FOUND', 'HRESULT 0x80070490', 'Windows code 1168'],
    ['ERROR_ACCESS_DENIED', 'Windows code 5'],
    ['E_ACCESSDENIED', 'HRESULT 0x80070005'],
    ['HCN_E_'],
    [''],
  ])('%s: %s', (word, ...codes) => {
    expect(texts(readCode(word))).toEqual(codes);
  });
});

describe('a text has the codes', () => {
  test.each<readonly [text: string, ...codes: readonly string[]]>([
    ['0x803b0001 0x803b0002 0x803b0001', 'HRESULT 0x803b0001', 'HRESULT 0x803b0002'],
    ['HCN_E_NETWORK_NOT_FOUND (0x803b0001)', 'HRESULT 0x803b0001'],
    ['code 0x803bffff', 'HRESULT 0x803bffff'],
    ['code 0x803affff'],
    ['code 0x80049999'],
    ['code 0x800706ba', 'HRESULT 0x800706ba'],
    ['code 0x5, 0x7', 'Windows code 5', 'HRESULT 0x80070005'],
    ['a0x803b0001'],
    ['0x803b0001a'],
    ['0x803b00012'],
    ['ErrorCode:2151350273,', 'HRESULT 0x803b0001'],
    ['ErrorCode: -2143617023', 'HRESULT 0x803b0001'],
    ['1-2151350273'],
    ['2151350273.5'],
    ['1.2151350273'],
    ['2151350273s'],
    ['21513502731'],
    ['4294967296'],
    ['215135027'],
    ['ERROR_NOT_FOUND: Element', 'HRESULT 0x80070490', 'Windows code 1168'],
    ['XERROR_NOT_FOUNDX'],
    ['xERROR_NOT_FOUND'],
    ['ERROR_NOT_FOUNDx'],
    ['E_FAIL', 'HRESULT 0x80004005'],
    ['hcsshim: E_ACCESSDENIED.', 'HRESULT 0x80070005'],
    ['error_not_found'],
    ['{"code": 7, "msg": "0x803b0001"}', 'CNI code 7', 'HRESULT 0x803b0001'],
    ['{\\"code\\":11}', 'CNI code 11'],
    ['{"code" : 999}', 'CNI code 999'],
    ['"barcode": 7'],
    ['THE NETWORK WAS NOT FOUND.', 'HRESULT 0x803b0001'],
    ['The network was not found 0x5', 'Windows code 5', 'HRESULT 0x80070005'],
    ['nothing'],
    [''],
  ])('%s: %s', (text, ...codes) => {
    expect(texts(findCodes(text))).toEqual(codes);
  });
});
