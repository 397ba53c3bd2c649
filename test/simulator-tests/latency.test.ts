import { expect, it, test } from 'vitest';
import { network } from '../simulator/computenetwork.ts';
import { delayOf, noLatency } from '../simulator/latency.ts';
import { createNetwork, hnsAroundEach, nat } from './test-client.ts';

const service = hnsAroundEach();

it('calls take as long as the latency says', async () => {
  service.hns.delay({ createMs: 80, queryMs: 0 });
  const elapsed = async (work: () => Promise<unknown>) => {
    const start = performance.now();
    await work();
    return performance.now() - start;
  };
  expect(await elapsed(() => createNetwork(nat))).toBeGreaterThan(75);
  service.hns.delay({ createMs: 0, queryMs: 80 });
  expect(await elapsed(() => network.enumerate(null))).toBeGreaterThan(75);
});

const latency = { createMs: 100, queryMs: 5 };
const call = (name: string, ...strings: readonly string[]) => ({
  client: 1,
  handle: 0,
  guid: undefined,
  function: name,
  strings,
});

test.each([
  [call('HcnCreateEndpoint', '{}'), 100],
  [call('HNSCall', 'POST', '/endpoints/', '{}'), 100],
  [call('HNSCall', 'post', 'networks', '{}'), 100],
  [call('HNSCall', 'POST', '/endpoints/8b1c4a52-0c39-4b8f-a1f7-3f4a2d9e6b01/attach', '{}'), 5],
  [call('HNSCall', 'GET', '/networks/', ''), 5],
  [call('HcnOpenNetwork'), 5],
  [call('HcnQueryEndpointProperties', '{}'), 5],
  [call('HcnDeleteEndpoint'), 5],
  [call('HcnCloseEndpoint'), 0],
  [call('GetAdaptersAddresses'), 0],
])('%o takes %i ms', (frame, expected) => {
  expect(delayOf(frame, latency)).toBe(expected);
  expect(delayOf(frame, noLatency)).toBe(0);
});

it('calls can be handled one at a time, and the time that takes is added up', async () => {
  await createNetwork(nat);
  const sixAtOnce = async () => {
    const start = performance.now();
    await Promise.all([1, 2, 3, 4, 5, 6].map(() => network.enumerate(null)));
    return performance.now() - start;
  };
  service.hns.delay({ createMs: 0, queryMs: 50 });
  const overlapped = await sixAtOnce();
  expect(service.hns.busyMs).toBe(0);
  service.hns.delay({ createMs: 0, queryMs: 50, oneAtATime: true });
  const elapsed = await sixAtOnce();
  expect(service.hns.busyMs).toBeGreaterThan(6 * 48);
  expect(service.hns.busyMs).toBeLessThanOrEqual(elapsed);
  expect(overlapped).toBeLessThan(elapsed);
});
