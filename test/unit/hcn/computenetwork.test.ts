import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Kind } from '../../../src/hcn/guid.ts';
import type { Koffi } from '../../../src/hcn/koffi.ts';
import type { ComputeNetworkLibrary, Handle } from '../../../src/hcn/library.ts';
import { fakeKoffi, type Native, runAsOnLinux } from './fake-koffi.ts';

const loading = vi.hoisted(() => ({ koffi: (): Koffi => Object.assign({}) }));

vi.mock('../../../src/hcn/koffi.ts', () => ({ loadKoffi: () => loading.koffi() }));

runAsOnLinux();
beforeEach(() => void vi.resetModules());

const id = '00112233-4455-6677-8899-aabbccddeeff';
/** As in memory: three little-endian numbers, then eight bytes. */
const bytes = Buffer.from('33221100554477668899aabbccddeeff', 'hex');
const handle = <K extends Kind>(kind: K): Handle<K> => ({ kind, id, pointer: `${kind} pointer` });

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

/** Libraries in which every call returns a code; output parameters get the name of the function and their place, if they are `filled`. */
async function loaded({ code = 0, filled = true, without = '' } = {}, path?: string) {
  const calls: unknown[][] = [];
  const native =
    (name: string): Native =>
    (...parameters: readonly unknown[]) => {
      calls.push([name, ...parameters.map((given) => (Array.isArray(given) ? [...given] : given))]);
      parameters.forEach((given, place) => {
        if (Array.isArray(given) && filled) given[0] = `${name} ${place}`;
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
const text = 'out disposable str16*';
const pointer = 'out void **';

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

interface Row {
  readonly run: (library: ComputeNetworkLibrary) => Promise<unknown>;
  readonly dll?: string;
  readonly declaration: string;
  readonly parameters: readonly unknown[];
  /** The value and the error record, from the output parameters. */
  readonly value?: unknown;
  readonly errorRecord: string | undefined;
}

const rows: Readonly<Record<string, Row>> = {
  HcnEnumerateLoadBalancers: {
    run: (hcn) => hcn.enumerate('LoadBalancer', 'q'),
    declaration: `(str16, ${text}, ${text})`,
    parameters: ['q', [null], [null]],
    value: 'HcnEnumerateLoadBalancers 1',
    errorRecord: 'HcnEnumerateLoadBalancers 2',
  },
  HcnCreateNetwork: {
    run: (hcn) => hcn.create('Network', id, '{}'),
    declaration: `(void *, str16, ${pointer}, ${text})`,
    parameters: [bytes, '{}', [null], [null]],
    value: { kind: 'Network', id, pointer: 'HcnCreateNetwork 2' },
    errorRecord: 'HcnCreateNetwork 3',
  },
  HcnCreateEndpoint: {
    run: (hcn) => hcn.createEndpoint(handle('Network'), id, '{}'),
    declaration: `(void *, void *, str16, ${pointer}, ${text})`,
    parameters: ['Network pointer', bytes, '{}', [null], [null]],
    value: { kind: 'Endpoint', id, pointer: 'HcnCreateEndpoint 3' },
    errorRecord: 'HcnCreateEndpoint 4',
  },
  HcnOpenNamespace: {
    run: (hcn) => hcn.open('Namespace', id),
    declaration: `(void *, ${pointer}, ${text})`,
    parameters: [bytes, [null], [null]],
    value: { kind: 'Namespace', id, pointer: 'HcnOpenNamespace 1' },
    errorRecord: 'HcnOpenNamespace 2',
  },
  HcnQueryEndpointProperties: {
    run: (hcn) => hcn.query(handle('Endpoint'), 'q'),
    declaration: `(void *, str16, ${text}, ${text})`,
    parameters: ['Endpoint pointer', 'q', [null], [null]],
    value: 'HcnQueryEndpointProperties 2',
    errorRecord: 'HcnQueryEndpointProperties 3',
  },
  HcnModifyNetwork: {
    run: (hcn) => hcn.modify(handle('Network'), '{}'),
    declaration: `(void *, str16, ${text})`,
    parameters: ['Network pointer', '{}', [null]],
    errorRecord: 'HcnModifyNetwork 2',
  },
  HcnDeleteEndpoint: {
    run: (hcn) => hcn.delete('Endpoint', id),
    declaration: `(void *, ${text})`,
    parameters: [bytes, [null]],
    errorRecord: 'HcnDeleteEndpoint 1',
  },
  HcnCloseNamespace: {
    run: (hcn) => hcn.close(handle('Namespace')),
    declaration: '(void *)',
    parameters: ['Namespace pointer'],
    errorRecord: undefined,
  },
  HNSCall: {
    run: (hcn) => hcn.hnsCall('GET', '/globals/version', 'r'),
    dll: 'vmcompute.dll',
    declaration: `(str16, str16, str16, ${text})`,
    parameters: ['GET', '/globals/version', 'r', [null]],
    value: 'HNSCall 3',
    errorRecord: undefined,
  },
};

describe.each(Object.entries(rows))('%s', (name, { run, dll = 'computenetwork.dll', ...row }) => {
  test('is declared by its first call, and returns what the DLL wrote', async () => {
    const { load, calls, asked } = await loaded();
    const library = load();
    const before = asked.length;
    const response = { hresult: 0, value: row.value, errorRecord: row.errorRecord };
    expect(await run(library)).toEqual(response);
    expect(asked.slice(before).filter((one) => !/kernel32/.test(one))).toEqual([
      `${system}${dll}`,
      `look up void * ${name}`,
      `${dll}: int32 ${name}${row.declaration}`,
    ]);
    const after = asked.length;
    expect(await run(library)).toEqual(response);
    expect(asked).toHaveLength(after);
    expect(calls).toEqual(Array(2).fill([name, ...row.parameters]));
  });

  test('may fail without writing anything', async () => {
    const { load } = await loaded({ code: -2143617023, filled: false });
    const empty = typeof row.value === 'object' ? { ...row.value, pointer: null } : row.value && '';
    expect(await run(load())).toEqual({
      hresult: 0x803b0001,
      value: empty,
      errorRecord: name === 'HNSCall' ? '' : undefined,
    });
  });
});

test('HNSCall returns its text as an error record too if it fails', async () => {
  const { load } = await loaded({ code: -2147024891 });
  expect(await load().hnsCall('GET', '/x', '')).toEqual({
    hresult: 0x80070005,
    value: 'HNSCall 3',
    errorRecord: 'HNSCall 3',
  });
});
