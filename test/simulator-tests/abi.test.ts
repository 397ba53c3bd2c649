import { describe, expect, it, test } from 'vitest';
import { declare, network } from '../simulator/computenetwork.ts';
import { hex, hnsAroundEach, networkId as id } from './test-client.ts';

hnsAroundEach();

describe('pointers', () => {
  it('the error record may be NULL [D]', async () => {
    const deleteNetwork = declare('HcnDeleteNetwork', ['guid'], ['null']);
    expect(hex((await deleteNetwork(id)).hresult)).toBe('0x80070490');
  });
});

describe('out parameters', () => {
  it('a failed call returns an error record and a NULL handle [O]', async () => {
    const answer = await network.open(id);
    expect(answer).toEqual({
      hresult: 0x803b0001,
      handle: undefined,
      value: undefined,
      errorRecord: '{"Success":false,"Error":"The network was not found. ","ErrorCode":2151350273}',
    });
  });
});

describe('a call that fails', () => {
  /** Pointers that the caller did not initialize. */
  const dirty = () => Buffer.alloc(8, 0xaa);
  const clean = Buffer.alloc(8);
  test.each([
    ['HcnOpenNetwork', ['guid'], [id], '0x803B0001'],
    ['HcnQueryNetworkProperties', ['handle', 'text'], [null, null], '0x80070057'],
  ] as const)(
    '%s refused by the service leaves NULL in the other one [D]',
    async (name, inputs, given, hresult) => {
      const out = dirty();
      const answer = await declare(name, [...inputs, 'handle'], ['error'])(...given, out);
      expect(hex(answer.hresult)).toBe(hresult);
      expect(out).toEqual(clean);
    },
  );
});

describe('without a service', () => {
  test.each([undefined, '', '127.0.0.1', '10.0.0.1:80', '127.0.0.1:99999'])(
    'the address %s is unreachable [S]',
    async (address) => {
      if (address === undefined) delete process.env['WIN_HCN_SIMULATED_HNS'];
      else process.env['WIN_HCN_SIMULATED_HNS'] = address;
      expect(hex((await network.enumerate(null)).hresult)).toBe('0x800706D9');
    },
  );
});
