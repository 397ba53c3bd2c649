import fc from 'fast-check';
import { validConfig } from './arbitraries.ts';
import { writing } from './bytes.ts';
import { change, type Json, oddKey, oddValue } from './changes.ts';
import { type Configuration, configuration } from './configurations.ts';
import { environment, executable } from './environments.ts';
import { changedAnswers, lateAnswers, wrongAnswers } from './hcn-answers.ts';
import { ipamEnd } from './plugin-results.ts';
import type { Unusual } from './request.ts';
import { ofRuntime } from './runtime-requests.ts';

/** The newest version, which has every command, and the list for GC. */
const newest: Json = { cniVersion: '1.1.0', 'cni.dev/valid-attachments': [] };
const asked = (command: string, attached: boolean, members: Json = {}) => ({ command, attached, members });

/** A command, with or without a preceding ADD of the same attachment. */
const command = fc.oneof(
  { weight: 8, arbitrary: fc.constant(asked('ADD', false)) },
  fc.constantFrom(asked('ADD', true), asked('DEL', false), asked('DEL', true), asked('DEL', true)),
  { weight: 2, arbitrary: fc.constantFrom(asked('CHECK', true), asked('CHECK', true, newest)) },
  { weight: 2, arbitrary: fc.constantFrom(asked('GC', true, newest)) },
  { weight: 2, arbitrary: fc.constantFrom(asked('STATUS', true, newest), asked('STATUS', false, newest)) },
);

const few = fc.array(change, { minLength: 1, maxLength: 3 });

type Given = { readonly [K in keyof Unusual]?: fc.Arbitrary<Unusual[K]> };

/** Requests of each command with deviations from the usual one. */
function asking({ members = fc.constant({}), ...given }: Given): fc.Arbitrary<Unusual> {
  const parts = fc.record({ configuration, ...given } as {
    readonly configuration: fc.Arbitrary<Configuration>;
  });
  return fc.tuple(command, parts, members).map(([asked, part, more]) => ({
    ...asked,
    ...part,
    members: { ...asked.members, ...more },
  }));
}

const delegating = fc
  .tuple(configuration, fc.constantFrom('host-local', 'test-ipam'))
  .map(([given, type]) => {
    const key = Object.keys(given.config).find((one) => one.toLowerCase() === 'ipam') ?? 'ipam';
    return {
      ...given,
      config: { ...given.config, [key]: { ...(given.config[key] as Json | undefined), type } },
    };
  });

/** Requests by their deviation. */
export const requests = {
  'a typical configuration': asking({}),
  'a configuration with a few changes': asking({ changes: few }),
  'unknown keys': asking({ members: fc.dictionary(oddKey, oddValue, { maxKeys: 4 }) }),
  'an odd environment': asking({ environment, executable }),
  'odd bytes on stdin': asking({ writing }),
  'no configuration': asking({
    configuration: validConfig.map((config) => ({
      config: config as Json,
      before: undefined,
      within: '10.244.1.',
    })),
    changes: fc.array(fc.record({ at: fc.constant(0), become: oddValue }), { minLength: 1, maxLength: 1 }),
  }),
  'the keys of a runtime, in any form': asking({ members: ofRuntime }),
  'invalid responses of HCN': asking({ faults: wrongAnswers }),
  'HCN documents with a few changes': asking({ faults: changedAnswers }),
  'calls that hang or time out': asking({ faults: lateAnswers }),
  'no library': asking({ library: fc.constantFrom('missing', 'unusable') }),
  'an IPAM plugin that prints anything': asking({
    configuration: delegating,
    ipam: fc.array(ipamEnd, { minLength: 1, maxLength: 3 }),
  }),
  'everything at once': asking({
    changes: fc.array(change, { maxLength: 1 }),
    members: fc.oneof(fc.constant({}), ofRuntime),
    faults: fc.oneof(wrongAnswers, changedAnswers, lateAnswers),
    ipam: fc.array(ipamEnd, { maxLength: 2 }),
  }),
} satisfies Readonly<Record<string, fc.Arbitrary<Unusual>>>;
