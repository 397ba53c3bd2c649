import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { HcnCall, HcnInterceptor } from '../../../src/hcn/library.ts';
import type { Node } from '../node.ts';
import { everything, interceptedSystem, runProbe, startProbedNode } from './run-probe.ts';

let node: Node;
beforeEach(async () => {
  node = await startProbedNode();
});
afterEach(() => node.stop());

const isExternal = ({ name, document = '' }: HcnCall) =>
  name === 'HcnCreateNetwork' && /"(?:L2Bridge|Overlay)"/.test(document);

/** Longer than the 30 s that a call may take. */
const wait = () => new Promise<void>((resolve) => void node.outside.timer?.(40_000, resolve));

/** The report of a run with every option, and how often each function was called. */
async function reportWith(intercept: HcnInterceptor, words: readonly string[] = everything) {
  const { stdout } = await runProbe(node, [...words, '-o', 'json'], {
    system: interceptedSystem(node, intercept),
  });
  return JSON.parse(stdout);
}

describe('if HNS creates networks on the adapter, but does not respond', () => {
  const late: HcnInterceptor = async (call, make) => {
    const response = await make();
    if (isExternal(call)) await wait();
    return response;
  };

  test('a run creates a single one, and does not try the other experiments on the adapter', async () => {
    const { rows } = await reportWith(late);
    expect(node.hns.takeInterruptions().creations).toBe(1);
    const external = rows.filter(({ on }: { on?: string }) => on === 'L2Bridge' || on === 'Overlay');
    const reasons = external.flatMap(({ reason }: { reason?: string }) => reason ?? []);
    expect(new Set(reasons.slice(1))).toEqual(
      new Set(['HCN did not respond to the creation of such a network']),
    );
    expect(rows.find(({ id }: { id: string }) => id === 'callerIdsNAT').verdict).toBe('holds');
    expect(reasons[0]).toContain('HcnCreateNetwork did not respond within 30 s');
  });

  test('it is counted as created and as removed, because the end of the run finds and deletes it', async () => {
    const { created, remaining, summary } = await reportWith(late, [...everything, '--row', 'adapterName']);
    expect({ created, remaining, networks: node.hns.dump().networks }).toEqual({
      created: 1,
      remaining: [],
      networks: [],
    });
    expect(summary[0]).toBe('Created 1 object and removed 1; pods were not touched.');
  });

  test('it is found by its name if HNS chose another ID', async () => {
    await node.stop();
    node = await startProbedNode({ switches: { callerIds: 'ignored' } });
    const { remaining } = await reportWith(late, [...everything, '--row', 'adapterName']);
    expect(remaining).toEqual([]);
  });
});

test('an object that HNS may still create is listed and counted', async () => {
  node.hns.inject({ function: 'HcnCreateNamespace', effect: { hang: true } });
  const { created, remaining } = await reportWith((_, make) => make(), ['--row', 'attachTwice', '--yes']);
  expect(created).toBe(3);
  expect(remaining).toEqual([expect.stringMatching(/^namespace .* HCN did not respond to its creation/)]);
});

describe('no second network is created on the adapter while the first one may be on it', () => {
  const onOverlay = [...everything, '--row', 'adapterName', '--row', 'providerAddress'];

  test.each<[string, HcnInterceptor]>([
    [
      'its deletion does not return',
      async ({ name }, make) => {
        if (name === 'HcnDeleteNetwork') await wait();
        return make();
      },
    ],
    [
      'the deletion of its endpoint does not return',
      async ({ name }, make) => {
        if (name === 'HcnCloseNetwork') await wait();
        return make();
      },
    ],
    [
      'HNS refuses its deletion',
      ({ name }, make) =>
        name === 'HcnDeleteNetwork' ? Promise.resolve({ ...refused, value: undefined as never }) : make(),
    ],
  ])('because %s', async (_, intercept) => {
    const { rows } = await reportWith(intercept, onOverlay);
    expect(rows).toMatchObject([
      { id: 'adapterName', verdict: 'holds' },
      {
        id: 'providerAddress',
        verdict: 'not tried',
        reason: 'HNS did not delete the network before, which may still be on the adapter',
      },
    ]);
    expect(node.hns.takeInterruptions().creations).toBe(1);
  });
  const refused = { hresult: 0x800700aa, errorRecord: undefined };
});

test('a Private network that loses the race of three creations is created again', async () => {
  let first = true;
  const { rows } = await reportWith(
    ({ name }, make) => {
      if (name !== 'HcnCreateNetwork' || !first) return make();
      first = false;
      return Promise.resolve({ hresult: 0x80004005, errorRecord: undefined, value: undefined as never });
    },
    ['--row', 'concurrentNetworks', '--row', 'attachTwice', '--yes'],
  );
  expect(rows).toMatchObject([
    { id: 'concurrentNetworks', observed: 'some refused' },
    { id: 'attachTwice', verdict: 'holds' },
  ]);
});
