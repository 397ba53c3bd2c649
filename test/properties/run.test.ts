import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Answer, ComputeNetworkLibrary } from '../../src/hcn/library.ts';
import { run } from '../../src/run.ts';
import { type System, system } from '../../src/system.ts';
import { validConfig } from './arbitraries.ts';

const hresult = fc.oneof(
  fc.constant(0),
  fc.constantFrom(0x80004005, 0x803b0001, 0x80070490, 0x803b0010, 0x800706ba),
);
const text = fc.oneof(
  fc.json(),
  fc.constantFrom('[]', '["259f4964-2dff-5b46-92f1-633319a59298"]', '{}', 'null', ''),
);
const answers = fc.infiniteStream(fc.tuple(hresult, text));

/** A library that answers anything to everything. */
function libraryOf(stream: Iterator<[number, string]>): ComputeNetworkLibrary {
  const answer = async <T>(value: (text: string) => T): Promise<Answer<T>> => {
    const [hresult, text] = stream.next().value ?? [0x80004005, ''];
    return { hresult, value: value(text), errorRecord: hresult === 0 ? undefined : text };
  };
  return {
    enumerate: () => answer((value) => value),
    query: () => answer((value) => value),
    create: (kind, id) => answer(() => ({ kind, id, pointer: null })),
    open: (kind, id) => answer(() => ({ kind, id, pointer: null })),
    createEndpoint: (_, id) => answer(() => ({ kind: 'Endpoint', id, pointer: null })),
    modify: () => answer(() => undefined),
    delete: () => answer(() => undefined),
    close: () => answer(() => undefined),
    hnsCall: () => answer((value) => value),
  };
}

test('whatever the environment, stdin and HCN say, the answer is one JSON document or none, and the exit code fits', async () => {
  const variable = fc.oneof(
    fc.string(),
    fc.constantFrom(
      'ADD',
      'DEL',
      'CHECK',
      'VERSION',
      'c0ffee',
      'eth0',
      '11111111-2222-3333-4444-555555555555',
    ),
  );
  const environment = fc.record({
    CNI_COMMAND: fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom('ADD', 'DEL', 'CHECK', 'GC', 'STATUS', 'VERSION') },
      variable,
    ),
    CNI_CONTAINERID: fc.oneof({ weight: 5, arbitrary: fc.constant('c0ffee') }, variable),
    CNI_PATH: fc.constant('/opt/cni/bin'),
    CNI_IFNAME: fc.oneof({ weight: 5, arbitrary: fc.constant('eth0') }, variable),
    CNI_NETNS: fc.oneof(
      { weight: 5, arbitrary: fc.constant('11111111-2222-3333-4444-555555555555') },
      variable,
    ),
  });
  const stdin = fc.oneof(
    { weight: 5, arbitrary: validConfig.map((config) => new TextEncoder().encode(JSON.stringify(config))) },
    fc.uint8Array(),
    fc.json().map((json) => new TextEncoder().encode(json)),
  );
  await fc.assert(
    fc.asyncProperty(environment, stdin, answers, async (variables, bytes, stream) => {
      const fake: System = {
        ...system,
        environment: variables,
        readStdin: () => bytes,
        readStdinWithin: async () => bytes,
        loadLibrary: async () => libraryOf(stream),
        timer: (_, call) => system.timer(0, call),
        now: (
          (milliseconds = 0) =>
          () =>
            (milliseconds += 1000)
        )(),
      };
      const { exitCode, stdout } = await run(fake);
      if (stdout === '') {
        expect([exitCode, variables.CNI_COMMAND]).toEqual([
          0,
          expect.stringMatching(/^(DEL|CHECK|GC|STATUS)$/),
        ]);
        return;
      }
      expect(stdout.endsWith('\n')).toBe(true);
      const printed = JSON.parse(stdout);
      expect(typeof printed.cniVersion).toBe('string');
      expect('code' in printed).toBe(exitCode === 1);
      expect(printed.code).not.toBe(999);
    }),
    { numRuns: 500 },
  );
});
