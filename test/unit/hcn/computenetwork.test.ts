import { beforeEach, expect, test, vi } from 'vitest';
import type { Koffi } from '../../../src/hcn/koffi.ts';
import { fakeKoffi, type Native, runAsOnLinux } from './fake-koffi.ts';

const loading = vi.hoisted(() => ({ koffi: (): Koffi => Object.assign({}) }));

vi.mock('../../../src/hcn/koffi.ts', () => ({ loadKoffi: () => loading.koffi() }));

runAsOnLinux();
beforeEach(() => void vi.resetModules());

const id = '00112233-4455-6677-8899-aabbccddeeff';

const kinds = ['Network', 'Endpoint', 'Namespace', 'LoadBalancer'];
const allNames = [
  ...kinds.flatMap((kind) => [
    `HcnEnumerate${kind}s`,
    `HcnQuery${kind}Properties`,
    ...['Create', 'Open', 'Modify', 'Delete', 'Close'].map((verb) => `Hcn${verb}${kind}`),
  ]),
  'HNSCall',
  'CoTaskMemFree',
];

/** Libraries in which every call returns a code; output parameters get their place, if they are `filled`. */
async function loaded({ code = 0, filled = true, without = '' } = {}, path?: string) {
  const calls: unknown[][] = [];
  const native =
    (name: string): Native =>
    (...parameters: readonly unknown[]) => {
      calls.push([name, ...parameters.map((given) => (Array.isArray(given) ? [...given] : given))]);
      parameters.forEach((given, place) => {
        if (Array.isArray(given) && filled) given[0] = `output ${place}`;
      });
      return code;
    };
  const names = allNames.filter((name) => name !== without);
  const { koffi, asked } = fakeKoffi(Object.fromEntries(names.map((name) => [name, native(name)])));
  loading.koffi = () => koffi;
  const { loadComputeNetwork } = await import('../../../src/hcn/computenetwork.ts');
  const load = () => loadComputeNetwork(path);
  return { load, calls, asked };
}

const system = 'load C:\\Windows\\System32\\';

test('loading checks the functions of networks, endpoints and namespaces, and declares none of them', async () => {
  const { load, asked } = await loaded();
  load();
  expect(asked.filter((one) => !/kernel32/.test(one))).toEqual([
    `${system}ole32.dll`,
    'ole32.dll: void CoTaskMemFree(void *block)',
    `${system}computenetwork.dll`,
    'look up void * HcnEnumerateNetworks',
    'look up void * HcnQueryNetworkProperties',
    'look up void * HcnCreateNetwork',
    'look up void * HcnOpenNetwork',
    'look up void * HcnModifyNetwork',
    'look up void * HcnDeleteNetwork',
    'look up void * HcnCloseNetwork',
    'look up void * HcnEnumerateEndpoints',
    'look up void * HcnQueryEndpointProperties',
    'look up void * HcnCreateEndpoint',
    'look up void * HcnOpenEndpoint',
    'look up void * HcnModifyEndpoint',
    'look up void * HcnDeleteEndpoint',
    'look up void * HcnCloseEndpoint',
    'look up void * HcnEnumerateNamespaces',
    'look up void * HcnQueryNamespaceProperties',
    'look up void * HcnCreateNamespace',
    'look up void * HcnOpenNamespace',
    'look up void * HcnModifyNamespace',
    'look up void * HcnDeleteNamespace',
    'look up void * HcnCloseNamespace',
  ]);
});

test('a library that replaces those of Windows is loaded instead of each', async () => {
  const { load, asked } = await loaded({}, '/opt/hns.so');
  await load().hnsCall('GET', '/x', '');
  expect(asked.filter((one) => one.startsWith('load '))).toEqual(Array(3).fill('load /opt/hns.so'));
});

test('a library without a required function cannot be used', async () => {
  const { load } = await loaded({ without: 'HcnCloseNamespace' });
  expect(load).toThrow(
    expect.objectContaining({
      name: 'HcnUnavailable',
      message:
        'cannot load C:\\Windows\\System32\\computenetwork.dll: it has no function HcnCloseNamespace. ' +
        'Update Windows; cmd /c ver shows its version',
      cause: expect.objectContaining({ cause: new Error("Cannot find symbol 'HcnCloseNamespace'") }),
    }),
  );
});

test('a library without a function for load balancers fails only when it is called', async () => {
  const { load } = await loaded({ without: 'HcnOpenLoadBalancer' });
  await expect(load().open('LoadBalancer', id)).rejects.toThrow(
    'it has no function HcnOpenLoadBalancer. Update',
  );
});

const open = { kind: 'Endpoint', id, pointer: 'the handle' } as const;
const network = { kind: 'Network', id, pointer: 'the network' } as const;

test('each function is declared once, gets its parameters, and returns its code, value and error record', async () => {
  const { load, calls, asked } = await loaded({ code: 1 });
  const hcn = load();
  const callEach = async () => [
    await hcn.enumerate('Endpoint', 'Q'),
    await hcn.create('Namespace', id, 'S'),
    await hcn.createEndpoint(network, id, 'S'),
    await hcn.open('Network', id),
    await hcn.query(open, 'Q'),
    await hcn.modify(open, 'S'),
    await hcn.delete('Endpoint', id),
    await hcn.close(open),
    await hcn.hnsCall('GET', '/x', ''),
  ];
  const hresult = 1;
  const responses = [
    { hresult, value: 'output 1', errorRecord: 'output 2' },
    { hresult, value: { kind: 'Namespace', id, pointer: 'output 2' }, errorRecord: 'output 3' },
    { hresult, value: { kind: 'Endpoint', id, pointer: 'output 3' }, errorRecord: 'output 4' },
    { hresult, value: { kind: 'Network', id, pointer: 'output 1' }, errorRecord: 'output 2' },
    { hresult, value: 'output 2', errorRecord: 'output 3' },
    { hresult, value: undefined, errorRecord: 'output 2' },
    { hresult, value: undefined, errorRecord: 'output 1' },
    { hresult, value: undefined, errorRecord: undefined },
    { hresult, value: 'output 3', errorRecord: undefined },
  ];
  expect(await callEach()).toEqual(responses);
  const bytes = Buffer.from('33221100554477668899aabbccddeeff', 'hex');
  expect(calls).toEqual([
    ['HcnEnumerateEndpoints', 'Q', [null], [null]],
    ['HcnCreateNamespace', bytes, 'S', [null], [null]],
    ['HcnCreateEndpoint', 'the network', bytes, 'S', [null], [null]],
    ['HcnOpenNetwork', bytes, [null], [null]],
    ['HcnQueryEndpointProperties', 'the handle', 'Q', [null], [null]],
    ['HcnModifyEndpoint', 'the handle', 'S', [null]],
    ['HcnDeleteEndpoint', bytes, [null]],
    ['HcnCloseEndpoint', 'the handle'],
    ['HNSCall', 'GET', '/x', '', [null]],
  ]);
  expect(await callEach()).toEqual(responses);
  const text = 'out disposable str16*';
  const handle = 'out void **';
  expect(asked.filter((one) => one.includes(': int32 '))).toEqual([
    `computenetwork.dll: int32 HcnEnumerateEndpoints(str16, ${text}, ${text})`,
    `computenetwork.dll: int32 HcnCreateNamespace(void *, str16, ${handle}, ${text})`,
    `computenetwork.dll: int32 HcnCreateEndpoint(void *, void *, str16, ${handle}, ${text})`,
    `computenetwork.dll: int32 HcnOpenNetwork(void *, ${handle}, ${text})`,
    `computenetwork.dll: int32 HcnQueryEndpointProperties(void *, str16, ${text}, ${text})`,
    `computenetwork.dll: int32 HcnModifyEndpoint(void *, str16, ${text})`,
    `computenetwork.dll: int32 HcnDeleteEndpoint(void *, ${text})`,
    'computenetwork.dll: int32 HcnCloseEndpoint(void *)',
    `vmcompute.dll: int32 HNSCall(str16, str16, str16, ${text})`,
  ]);
});

test('a text or handle that HCN does not set is empty, and so is the error record', async () => {
  const { load } = await loaded({ filled: false });
  const hcn = load();
  const pointer = null;
  expect([
    await hcn.query(open, 'Q'),
    await hcn.open('Network', id),
    await hcn.hnsCall('GET', '', ''),
  ]).toEqual([
    { hresult: 0, value: '', errorRecord: undefined },
    { hresult: 0, value: { kind: 'Network', id, pointer }, errorRecord: undefined },
    { hresult: 0, value: '', errorRecord: undefined },
  ]);
});

test('HNSCall that fails returns its text as an error record too', async () => {
  const { load } = await loaded({ code: -2147024891 });
  expect(await load().hnsCall('GET', '/x', '')).toEqual({
    hresult: 0x80070005,
    value: 'output 3',
    errorRecord: 'output 3',
  });
});
