import { describe, expect, it, test } from 'vitest';
import { declare, network } from '../simulator/computenetwork.ts';
import { hex, hnsAroundEach, networkId as id } from './test-client.ts';

const service = hnsAroundEach();
const version2 = '{"SchemaVersion":{"Major":2,"Minor":0}}';

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

describe('handles', () => {
  it('are closed without changing the object [D]', async () => {
    const { handle } = await network.create(id, version2);
    expect(service.hns.dump().openHandles).toBe(1);
    await network.close(handle);
    expect(service.hns.dump()).toMatchObject({ openHandles: 0, networks: [{ ID: id }] });
  });
});

describe('a call that fails', () => {
  /** Pointers that the caller did not initialize. */
  const dirty = () => Buffer.alloc(8, 0xaa);
  const clean = Buffer.alloc(8);
  test.each([
    ['HcnCreateNetwork', ['guid', 'text'], [null, '{}'], 2],
    ['HcnOpenNetwork', ['guid'], [null], 2],
    ['HcnDeleteNetwork', ['guid'], [null], 1],
  ] as const)(
    '%s without a GUID leaves NULL in every out pointer [D]',
    async (name, inputs, given, count) => {
      const outs = Array.from({ length: count }, dirty);
      const failing = declare(name, [...inputs, ...outs.map(() => 'handle' as const)], []);
      expect(hex((await failing(...given, ...outs)).hresult)).toBe('0x800706F4');
      for (const out of outs) expect(out).toEqual(clean);
    },
  );
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
  test.each([
    ['HcnOpenNetwork', ['guid'], [id]],
    ['HcnEnumerateNetworks', ['text'], [null]],
    ['HcnQueryNetworkProperties', ['handle', 'text'], [null, null]],
  ] as const)(
    '%s without an out pointer leaves NULL in the error record [D]',
    async (name, inputs, given) => {
      const error = dirty();
      const failing = declare(name, [...inputs, 'handle', 'handle'], []);
      expect(hex((await failing(...given, null, error)).hresult)).toBe('0x80004003');
      expect(error).toEqual(clean);
    },
  );
});

it('a service callback is registered and unregistered [D]', async () => {
  const register = declare('HcnRegisterServiceCallback', ['handle', 'handle'], ['handle']);
  const unregister = declare('HcnUnregisterServiceCallback', ['handle'], []);
  const { hresult, handle } = await register(8n, null);
  expect(hresult).toBe(0);
  expect((await unregister(handle)).hresult).toBe(0);
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
