import { expect, test } from 'vitest';
import { type ComputeNetworkLibrary, type HcnCall, interceptHcnCalls } from '../../../src/hcn/library.ts';

const id = '00112233-4455-6677-8899-aabbccddeeff';
const open = { kind: 'Endpoint', id, pointer: 1 } as const;
const network = { kind: 'Network', id: 'n', pointer: 2 } as const;
const names = [
  'enumerate',
  'create',
  'createEndpoint',
  'open',
  'query',
  'modify',
  'delete',
  'close',
  'hnsCall',
];

/** Each function returns its own name and arguments. */
const echo: ComputeNetworkLibrary = Object.assign(
  {},
  ...names.map((name) => ({ [name]: async (...given: readonly unknown[]) => [name, ...given] })),
);

test.each<readonly [HcnCall, (hcn: ComputeNetworkLibrary) => Promise<unknown>, readonly unknown[]]>([
  [{ name: 'HcnEnumerateNetworks' }, (hcn) => hcn.enumerate('Network', 'Q'), ['enumerate', 'Network', 'Q']],
  [
    { name: 'HcnCreateNetwork', id, document: 'D' },
    (hcn) => hcn.create('Network', id, 'D'),
    ['create', 'Network', id, 'D'],
  ],
  [
    { name: 'HcnCreateEndpoint', id, document: 'D' },
    (hcn) => hcn.createEndpoint(network, id, 'D'),
    ['createEndpoint', network, id, 'D'],
  ],
  [{ name: 'HcnOpenNetwork', id }, (hcn) => hcn.open('Network', id), ['open', 'Network', id]],
  [{ name: 'HcnQueryEndpointProperties', id }, (hcn) => hcn.query(open, 'Q'), ['query', open, 'Q']],
  [{ name: 'HcnModifyEndpoint', id, document: 'D' }, (hcn) => hcn.modify(open, 'D'), ['modify', open, 'D']],
  [{ name: 'HcnDeleteNetwork', id }, (hcn) => hcn.delete('Network', id), ['delete', 'Network', id]],
  [{ name: 'HcnCloseEndpoint', id }, (hcn) => hcn.close(open), ['close', open]],
  [{ name: 'HNSCall' }, (hcn) => hcn.hnsCall('GET', '/x', 'R'), ['hnsCall', 'GET', '/x', 'R']],
])('%j is what an interceptor gets of a call, and the library is loaded once', async (call, run, made) => {
  const calls: HcnCall[] = [];
  let loads = 0;
  const load = async () => {
    loads += 1;
    return echo;
  };
  const hcn = interceptHcnCalls(load, (given, make) => {
    calls.push(given);
    return make();
  });
  expect(loads).toBe(0);
  for (const _ of [1, 2]) expect(await run(hcn)).toEqual(made);
  expect([calls, loads]).toEqual([[call, call], 1]);
});
