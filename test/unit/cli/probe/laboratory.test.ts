import { describe, expect, test } from 'vitest';
import {
  type CallRecord,
  type Equipment,
  type Item,
  type Laboratory,
  newLaboratory,
} from '../../../../src/cli/probe/laboratory.ts';
import { NotTried } from '../../../../src/cli/probe/row.ts';
import { HcnTimeout } from '../../../../src/hcn/errors.ts';
import type { ComputeNetworkLibrary, HcnResponse } from '../../../../src/hcn/library.ts';
import { hresultOf } from '../../../simulator/hresults.ts';

const id = '77696e68-636e-4070-a072-6f6265000001';
const item: Item<'Network'> = { kind: 'Network', id, handle: { kind: 'Network', id: 'other', pointer: 7n } };
const SchemaVersion = { Major: 2, Minor: 0 };
const plainQuery = '{"SchemaVersion":{"Major":2,"Minor":0},"Flags":0}';

/** A laboratory whose calls take 1.6 ms and return this, or throw it; and what it did. */
function laboratoryWith(response: Partial<HcnResponse<unknown>> | Error) {
  const called: unknown[] = [];
  const records: CallRecord[] = [];
  const kept: unknown[] = [];
  const doubted: unknown[] = [];
  const call =
    (name: string) =>
    async (...given: readonly unknown[]) => {
      called.push([name, ...given]);
      if (response instanceof Error) throw response;
      return { hresult: 0, value: undefined, errorRecord: undefined, ...response };
    };
  const names = ['enumerate', 'create', 'createEndpoint', 'open', 'query', 'modify', 'delete', 'close'];
  const library = Object.fromEntries(names.map((name) => [name, call(name)]));
  let time = 0;
  const equipment: Equipment = {
    adapter: 'Ethernet',
    library: library as unknown as ComputeNetworkLibrary,
    doubt: (...given) => void doubted.push(given),
    openElsewhere: async () => 0,
    adapters: async () => [],
    powershell: async () => '',
    newSubnet: () => {
      throw new NotTried('no subnet');
    },
    pause: async () => undefined,
    now: () => {
      time += 1.6;
      return time;
    },
  };
  const laboratory = newLaboratory(equipment, {
    base: () => Promise.reject(new NotTried('no network')),
    record: (record) => void records.push(record),
    keep: (one) => void kept.push(one),
  });
  return { laboratory, did: { called, records, kept, doubted } };
}

type Use = (laboratory: Laboratory) => Promise<unknown>;
const record = (name: string, more: Partial<CallRecord>): CallRecord => ({
  function: name,
  hresult: 'S_OK',
  milliseconds: 2,
  ...more,
});
const handle = { kind: 'Network', id, pointer: 9n };
const document = { Name: 'win-hcn-probe-1' };

describe('a laboratory', () => {
  test.each<[string, Use, Partial<HcnResponse<unknown>>, unknown, object]>([
    [
      'creates an object, and keeps it for deletion',
      (laboratory) => laboratory.create('Network', document, id),
      { value: handle },
      { hresult: 0, value: { kind: 'Network', id, handle } },
      {
        called: [['create', 'Network', id, JSON.stringify(document)]],
        records: [record('HcnCreateNetwork', { id, sent: document })],
        kept: [{ kind: 'Network', id, handle }],
      },
    ],
    [
      'creates an endpoint of a network',
      (laboratory) => laboratory.createEndpoint(item, document, id),
      { value: handle },
      { hresult: 0, value: { kind: 'Endpoint', id, handle } },
      {
        called: [['createEndpoint', item.handle, id, JSON.stringify(document)]],
        records: [record('HcnCreateEndpoint', { id, sent: document })],
        kept: [{ kind: 'Endpoint', id, handle }],
      },
    ],
    [
      'keeps nothing of a refused creation, and records why',
      (laboratory) => laboratory.create('Namespace', document, id),
      { hresult: hresultOf('E_ACCESSDENIED'), value: handle, errorRecord: '{"Success":false}' },
      { hresult: hresultOf('E_ACCESSDENIED'), value: undefined },
      {
        called: [['create', 'Namespace', id, JSON.stringify(document)]],
        records: [
          record('HcnCreateNamespace', {
            id,
            sent: document,
            hresult: 'E_ACCESSDENIED',
            returned: { Success: false },
          }),
        ],
      },
    ],
    [
      'opens an object',
      (laboratory) => laboratory.open('Network', id),
      { value: handle },
      { hresult: 0, value: { kind: 'Network', id, handle } },
      { called: [['open', 'Network', id]], records: [record('HcnOpenNetwork', { id })] },
    ],
    [
      'has no object that cannot be opened',
      (laboratory) => laboratory.open('Network', id),
      { hresult: 0x803b0001, value: handle, errorRecord: '' },
      { hresult: 0x803b0001, value: undefined },
      {
        called: [['open', 'Network', id]],
        records: [record('HcnOpenNetwork', { id, hresult: 'HCN_E_NETWORK_NOT_FOUND' })],
      },
    ],
    [
      'queries an object',
      (laboratory) => laboratory.query(item),
      { value: '{"ID":"x"}' },
      { hresult: 0, value: { ID: 'x' } },
      {
        called: [['query', item.handle, plainQuery]],
        records: [
          record('HcnQueryNetworkProperties', {
            id,
            sent: { SchemaVersion, Flags: 0 },
            returned: { ID: 'x' },
          }),
        ],
      },
    ],
    [
      'queries an object in another way, and records what is no JSON as it is',
      (laboratory) => laboratory.query(item, 'V1'),
      { value: 'text' },
      { hresult: 0, value: undefined },
      {
        called: [['query', item.handle, 'V1']],
        records: [record('HcnQueryNetworkProperties', { id, sent: 'V1', returned: 'text' })],
      },
    ],
    [
      'has no document of a refused query',
      (laboratory) => laboratory.query(item),
      { hresult: 0x80070005, value: '{"ID":"x"}' },
      { hresult: 0x80070005, value: undefined },
      {
        called: [['query', item.handle, plainQuery]],
        records: [
          record('HcnQueryNetworkProperties', {
            id,
            sent: { SchemaVersion, Flags: 0 },
            hresult: 'E_ACCESSDENIED',
            returned: { ID: 'x' },
          }),
        ],
      },
    ],
    [
      'modifies an object',
      (laboratory) => laboratory.modify(item, document),
      { hresult: 0xdead },
      { hresult: 0xdead, value: undefined },
      {
        called: [['modify', item.handle, JSON.stringify(document)]],
        records: [record('HcnModifyNetwork', { id, sent: document, hresult: '0x0000dead' })],
      },
    ],
    [
      'deletes an object',
      (laboratory) => laboratory.delete('LoadBalancer', id),
      {},
      { hresult: 0, value: undefined },
      { called: [['delete', 'LoadBalancer', id]], records: [record('HcnDeleteLoadBalancer', { id })] },
    ],
    [
      'closes an object',
      (laboratory) => laboratory.close(item),
      {},
      { hresult: 0, value: undefined },
      { called: [['close', item.handle]], records: [record('HcnCloseNetwork', { id })] },
    ],
    [
      'lists objects by a filter',
      (laboratory) => laboratory.enumerate('Namespace', { IsDefault: true }),
      { value: '["A","b"]' },
      { hresult: 0, value: ['a', 'b'] },
      {
        called: [
          [
            'enumerate',
            'Namespace',
            JSON.stringify({ SchemaVersion, Flags: 0, Filter: JSON.stringify({ IsDefault: true }) }),
          ],
        ],
        records: [
          record('HcnEnumerateNamespaces', {
            sent: { SchemaVersion, Flags: 0, Filter: '{"IsDefault":true}' },
            returned: ['A', 'b'],
          }),
        ],
      },
    ],
    [
      'lists nothing if HNS returns nothing',
      (laboratory) => laboratory.enumerate('Network'),
      { value: '' },
      { hresult: 0, value: [] },
      {
        called: [['enumerate', 'Network', plainQuery]],
        records: [record('HcnEnumerateNetworks', { sent: { SchemaVersion, Flags: 0 } })],
      },
    ],
    [
      'has no list if HNS returns another document',
      (laboratory) => laboratory.enumerate('Network'),
      { value: '{}' },
      { hresult: 0, value: undefined },
      {
        called: [['enumerate', 'Network', plainQuery]],
        records: [record('HcnEnumerateNetworks', { sent: { SchemaVersion, Flags: 0 }, returned: {} })],
      },
    ],
    [
      'has no list if HNS refuses it',
      (laboratory) => laboratory.enumerate('Network'),
      { hresult: 0x80070005, value: '["a"]' },
      { hresult: 0x80070005, value: undefined },
      {
        called: [['enumerate', 'Network', plainQuery]],
        records: [
          record('HcnEnumerateNetworks', {
            sent: { SchemaVersion, Flags: 0 },
            hresult: 'E_ACCESSDENIED',
            returned: ['a'],
          }),
        ],
      },
    ],
  ])('%s', async (_, use, response, answer, did) => {
    const used = laboratoryWith(response);
    expect(await use(used.laboratory)).toEqual(answer);
    expect(used.did).toEqual({ kept: [], doubted: [], ...did });
  });

  test.each<[string, Use, Error, readonly unknown[]]>([
    [
      'doubts a creation without response',
      (laboratory) => laboratory.create('Network', document, id),
      new HcnTimeout('HcnCreateNetwork', 30),
      [['Network', id]],
    ],
    [
      'does not doubt a creation that was not made',
      (laboratory) => laboratory.create('Network', document, id),
      new Error('no library'),
      [],
    ],
    [
      'does not doubt other calls',
      (laboratory) => laboratory.delete('Network', id),
      new HcnTimeout('HcnDeleteNetwork', 30),
      [],
    ],
  ])('%s', async (_, use, error, doubted) => {
    const { laboratory, did } = laboratoryWith(error);
    await expect(use(laboratory)).rejects.toBe(error);
    expect(did).toMatchObject({ kept: [], doubted, records: [{ hresult: error.message, milliseconds: 2 }] });
  });

  test('gives each object an ID of probes, its own name and frontend', async () => {
    const { laboratory, did } = laboratoryWith({ value: handle });
    const created = await laboratory.create('Network', document);
    const endpoint = await laboratory.createEndpoint(item, document);
    const ids = [created.value?.id, endpoint.value?.id, laboratory.newId()];
    for (const one of ids) expect(one).toMatch(/^77696e68-636e-4070-a072-6f6265[0-9a-f]{6}$/);
    expect(new Set(ids).size).toBe(3);
    expect(did.called).toMatchObject([
      ['create', 'Network', ids[0], JSON.stringify(document)],
      ['createEndpoint', item.handle, ids[1], JSON.stringify(document)],
    ]);
    expect(laboratory.newName()).toMatch(/^win-hcn-probe-\d+$/);
    expect(laboratory.newFrontend()).toMatch(/^192\.0\.2\.\d+$/);
    expect(laboratory.adapter).toBe('Ethernet');
    await expect(laboratory.base()).rejects.toThrow('no network');
  });
});
