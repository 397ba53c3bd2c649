import { describe, expect, test } from 'vitest';
import { readResult } from '../../../src/cni/read-result.ts';
import { renderResult } from '../../../src/cni/result.ts';
import { supportedVersions } from '../../../src/cni/version.ts';
import { conversions, unreadable } from './conversions.ts';

const all = conversions.flatMap((conversion) =>
  supportedVersions.map((version) => {
    const { first, middle, modern } = conversion;
    const shape = version < '0.3.0' ? first : version < '1.0.0' ? middle : modern;
    return { ...conversion, version, expected: shape && { cniVersion: version, ...shape } };
  }),
);

const sayable = all.flatMap(({ expected, ...rest }) =>
  expected === undefined ? [] : [{ ...rest, expected }],
);

describe('a result in every version', () => {
  test.for(sayable)('$what in $version', ({ from, version, expected }) => {
    expect(renderResult(readResult(from, 'it'), version)).toStrictEqual(expected);
  });

  test('of 0.4.0 converts to 1.1.0 without address versions, and to 0.2.0 with the first address', () => {
    const [{ first, middle, modern } = {}] = conversions;
    const read = readResult({ cniVersion: '0.4.0', ...middle }, 'it');
    const [eth0, host] = [{ mtu: 1500, socketPath: '/s', pciID: '0000:01:00.0' }, {}];
    expect(renderResult(read, '0.2.0')).toStrictEqual({ cniVersion: '0.2.0', ...first });
    const answer = renderResult(read, '1.1.0') as { readonly interfaces: readonly object[] };
    const interfaces = answer.interfaces.map((one, index) => ({ ...one, ...[eth0, host][index] }));
    expect({ ...answer, interfaces }).toStrictEqual({ cniVersion: '1.1.0', ...modern });
  });

  test('of 0.1.0 has its IPv4 address first and the routes of both families', () => {
    const [{ first, middle } = {}] = conversions.slice(4);
    const read = readResult({ cniVersion: '0.1.0', ...first }, 'it');
    expect(renderResult(read, '0.4.0')).toStrictEqual({ cniVersion: '0.4.0', ...middle });
  });
});

describe('an invalid result', () => {
  test.for(unreadable)('is error 6 and names %s: %j', ([where, result]) => {
    expect(() => readResult(result, 'it')).toThrow(
      expect.objectContaining({ code: 6, message: expect.stringContaining(`it.${where} is `) }),
    );
  });
});
