import { expect, test } from 'vitest';
import type { Kind } from '../../../src/hcn/guid.ts';
import {
  type ComputeNetworkLibrary,
  type Handle,
  type HcnCall,
  interceptHcnCalls,
} from '../../../src/hcn/library.ts';

const id = '0b0e1a6c-6a5e-5c52-8f0c-7d7f1c6a2f10';
const other = '1c1f2b7d-7b6f-5d63-8a1d-8e8a2d7b3a21';
const handle = <K extends Kind>(kind: K): Handle<K> => ({ kind, id: other, pointer: 1n });

/** Each function returns its own name and arguments as the value of its response. */
const echo = Object.fromEntries(
  ['enumerate', 'create', 'createEndpoint', 'open', 'query', 'modify', 'delete', 'close', 'hnsCall'].map(
    (name) => [
      name,
      async (...given: readonly unknown[]) => ({
        hresult: 0,
        value: [name, ...given],
        errorRecord: undefined,
      }),
    ],
  ),
) as unknown as ComputeNetworkLibrary;

function intercepted() {
  const calls: HcnCall[] = [];
  let loads = 0;
  const load = async () => {
    loads += 1;
    return echo;
  };
  const library = interceptHcnCalls(load, (call, make) => {
    calls.push(call);
    return make();
  });
  return { library, calls, loads: () => loads };
}

test.each<
  readonly [HcnCall, (library: ComputeNetworkLibrary) => Promise<{ value: unknown }>, readonly unknown[]]
>([
  [{ name: 'HcnEnumerateNetworks' }, (hcn) => hcn.enumerate('Network', 'q'), ['enumerate', 'Network', 'q']],
  [
    { name: 'HcnCreateNamespace', id, document: '{}' },
    (hcn) => hcn.create('Namespace', id, '{}'),
    ['create', 'Namespace', id, '{}'],
  ],
  [
    { name: 'HcnCreateEndpoint', id, document: '{}' },
    (hcn) => hcn.createEndpoint(handle('Network'), id, '{}'),
    ['createEndpoint', handle('Network'), id, '{}'],
  ],
  [{ name: 'HcnOpenLoadBalancer', id }, (hcn) => hcn.open('LoadBalancer', id), ['open', 'LoadBalancer', id]],
  [
    { name: 'HcnQueryEndpointProperties', id: other },
    (hcn) => hcn.query(handle('Endpoint'), 'q'),
    ['query', handle('Endpoint'), 'q'],
  ],
  [
    { name: 'HcnModifyNetwork', id: other, document: '{}' },
    (hcn) => hcn.modify(handle('Network'), '{}'),
    ['modify', handle('Network'), '{}'],
  ],
  [{ name: 'HcnDeleteEndpoint', id }, (hcn) => hcn.delete('Endpoint', id), ['delete', 'Endpoint', id]],
  [
    { name: 'HcnCloseNamespace', id: other },
    (hcn) => hcn.close(handle('Namespace')),
    ['close', handle('Namespace')],
  ],
  [{ name: 'HNSCall' }, (hcn) => hcn.hnsCall('GET', '/x', ''), ['hnsCall', 'GET', '/x', '']],
])('%j is what an interceptor gets of the call', async (call, run, made) => {
  const { library, calls } = intercepted();
  await expect(run(library)).resolves.toMatchObject({ value: made });
  expect(calls).toEqual([call]);
});

test('the library is loaded by the first call, and once', async () => {
  const { library, loads } = intercepted();
  expect(loads()).toBe(0);
  await Promise.all([library.open('Network', id), library.open('Endpoint', id)]);
  expect(loads()).toBe(1);
});
