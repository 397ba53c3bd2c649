import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadComputeNetwork } from '../../src/hcn/computenetwork.ts';
import { limitHcnCalls, limitsPerCall, newLimit } from '../../src/hcn/deadline.ts';
import { HcnTimeout } from '../../src/hcn/errors.ts';
import { loadKoffi } from '../../src/hcn/koffi.ts';
import { interceptHcnCalls } from '../../src/hcn/library.ts';
import { call, type NativeFunction, useLibrary } from '../../src/hcn/native-library.ts';
import { system } from '../../src/system.ts';
import { example } from './example.ts';
import { type Node, startNode } from './node.ts';

const missing = '99999999-9999-9999-9999-999999999999';

let node: Node;
let path: string;
beforeAll(async () => {
  node = await startNode();
  path = node.hns.environment.WIN_HCN_LIBRARY;
});
afterAll(() => node.stop());

test('every string that HCN allocated for a pod is freed', async () => {
  const pod = node.newPod();
  const { json: prevResult } = await node.add(example('l2bridge'), pod);
  await node.check(example('l2bridge', { prevResult }), pod);
  await node.del(example('l2bridge'), pod);
  const liveStrings = loadKoffi().load(path).func('int SimulatedLiveStrings()');
  expect(liveStrings()).toBe(0);
});

test('a hanging call is a timeout with its name, and does not block others', async () => {
  const library = loadComputeNetwork(path);
  const limit = newLimit(limitsPerCall(0.2), system.timer, system.now);
  const impatient = interceptHcnCalls(async () => library, limitHcnCalls(limit));
  node.hns.inject({ function: 'HcnOpenNetwork', effect: { hang: true } });
  await expect(impatient.open('Network', missing)).rejects.toThrow(HcnTimeout);
  await expect(library.open('Network', missing)).resolves.toMatchObject({ hresult: 0x803b0001 });
  node.hns.clearFaults();
});

test('calls run on a stack of 1 MiB, the default of a Windows thread', async () => {
  const kibibytes = 900;
  const use = useLibrary(
    'stub',
    path,
    (stub) => stub.func('int32_t SimulatedStackUse(uint32_t bytes)') as NativeFunction,
  );
  expect(await call(use, [kibibytes * 1024])).toBe(kibibytes);
});
