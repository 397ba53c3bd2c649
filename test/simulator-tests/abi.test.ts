import { describe, expect, it, test } from 'vitest';
import {
  declare,
  endpoint,
  hnsCall,
  liveStrings,
  network,
  queryEndpointStats,
} from '../simulator/computenetwork.ts';
import { zeroGuid } from '../simulator/object-id.ts';
import { createEndpoint, createNetwork, hex, hnsAroundEach, networkId as id, nat } from './test-client.ts';

const service = hnsAroundEach();
const version2 = '{"SchemaVersion":{"Major":2,"Minor":0}}';

describe('pointers', () => {
  it('the error record may be NULL [D]', async () => {
    const deleteNetwork = declare('HcnDeleteNetwork', ['guid'], ['null']);
    expect(hex((await deleteNetwork(id)).hresult)).toBe('0x80070490');
  });
  it('the query may be NULL [S]', async () => {
    expect(await network.enumerate(null)).toMatchObject({ hresult: 0, value: '[]' });
  });
  it('settings may not be NULL [I]', async () => {
    expect(hex((await network.create(id, null)).hresult)).toBe('0x803B001B');
  });
  test.each([
    ['GUID', 'HcnDeleteNetwork', ['guid'], ['error'], [null], '0x800706F4'],
    ['list', 'HcnEnumerateNetworks', ['text'], ['null', 'error'], [null], '0x80004003'],
    ['handle', 'HcnOpenNetwork', ['guid'], ['null', 'error'], [id], '0x80004003'],
  ] as const)('the stub itself refuses a NULL %s [I]', async (_, name, inputs, outputs, given, hresult) => {
    expect(hex((await declare(name, inputs, outputs)(...given)).hresult)).toBe(hresult);
    expect(service.hns.calls).toEqual([]);
  });
});

describe('out parameters', () => {
  it('a successful call returns an answer and a NULL error record [S]', async () => {
    const answer = await network.enumerate(version2);
    expect(answer).toEqual({ hresult: 0, handle: undefined, value: '[]', errorRecord: undefined });
  });
  it('a failed call returns an error record and a NULL handle [O]', async () => {
    const answer = await network.open(id);
    expect(answer).toEqual({
      hresult: 0x803b0001,
      handle: undefined,
      value: undefined,
      errorRecord: '{"Success":false,"Error":"The network was not found. ","ErrorCode":2151350273}',
    });
  });
  it('strings keep every UTF-16 code unit [I]', async () => {
    const { document } = await createNetwork({ ...nat, Name: 'ネット🌐' });
    expect(document['Name']).toBe('ネット🌐');
  });
});

describe('handles', () => {
  it('are closed without changing the object [D]', async () => {
    const { handle } = await network.create(id, version2);
    expect(service.hns.dump().openHandles).toBe(1);
    await network.close(handle);
    expect(service.hns.dump()).toMatchObject({ openHandles: 0, networks: [{ ID: id }] });
  });
  it('that are closed, NULL or of another kind are refused [I]', async () => {
    const { handle } = await network.create(id, version2);
    expect(hex((await endpoint.query(handle, null)).hresult)).toBe('0x80070006');
    expect(hex((await endpoint.close(handle)).hresult)).toBe('0x80070006');
    expect((await network.close(handle)).hresult).toBe(0);
    expect(hex((await network.close(handle)).hresult)).toBe('0x80070006');
    expect(hex((await network.query(null, null)).hresult)).toBe('0x80070057');
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

it('endpoint statistics contain the id of the endpoint [S]', async () => {
  await createNetwork(nat, id);
  const { id: pod } = await createEndpoint(id, {});
  const { handle } = await endpoint.open(pod);
  const { value } = await queryEndpointStats(handle, null);
  expect(JSON.parse(value ?? '')).toMatchObject({ EndpointId: pod.toUpperCase(), BytesReceived: 0 });
  await endpoint.close(handle);
});

describe('without a service', () => {
  it('calls return EPT_S_NOT_REGISTERED [S]', async () => {
    await service.hns.stop();
    expect(hex((await network.enumerate(null)).hresult)).toBe('0x800706D9');
    expect(hex((await hnsCall('GET', '/globals/version', '')).hresult)).toBe('0x800706D9');
  });
  test.each([undefined, '', '127.0.0.1', '10.0.0.1:80', '127.0.0.1:99999'])(
    'the address %s is unreachable [S]',
    async (address) => {
      if (address === undefined) delete process.env['WIN_HCN_SIMULATED_HNS'];
      else process.env['WIN_HCN_SIMULATED_HNS'] = address;
      expect(hex((await network.enumerate(null)).hresult)).toBe('0x800706D9');
    },
  );
});

it('concurrent calls each receive their own string [I]', async () => {
  await createNetwork({ ...nat, Ipams: [{ Subnets: [{ IpAddressPrefix: '192.168.0.0/16' }] }] }, id);
  const opened = await network.open(id);
  const created = await Promise.all(
    Array.from({ length: 200 }, () => endpoint.create(opened.handle, zeroGuid, version2)),
  );
  await network.close(opened.handle);
  const queried = await Promise.all(created.map(({ handle }) => endpoint.query(handle, version2)));
  await Promise.all(created.map(({ handle }) => endpoint.close(handle)));
  expect(new Set(queried.map(({ value }) => value)).size).toBe(200);
  expect(service.hns.dump()).toMatchObject({ openHandles: 0, clients: 1 });
  expect(liveStrings()).toBe(0);
});
