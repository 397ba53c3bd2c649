import fc from 'fast-check';
import { type Change, change } from './changes.ts';

/** Faults of calls: refused before or after the effect, answered late or never, or answered with another document. */
export type Effect =
  | { readonly hresult: number; readonly done: boolean; readonly errorRecord: string | undefined }
  | { readonly late: number }
  | { readonly hangs: true; readonly done: boolean }
  | { readonly answer: string }
  | { readonly changes: readonly Change[] }
  | { readonly errorRecord: string };

/** The `from`-th call of a request and a number of later ones. */
export interface Fault {
  readonly from: number;
  readonly more: number;
  readonly effect: Effect;
}

const hresult = fc.oneof(
  fc.constantFrom(
    ...[0, 1, 0x80004001, 0x80004005, 0x8000ffff, 0x80070005, 0x80070057, 0x8007000e, 0x80070490, 0x80071392],
    ...[
      0x800706ba, 0x800706be, 0x800706bf, 0x800706d9, 0x80070422, 0x80070426, 0x8007045b, 0x800705b4,
      0x803b0020,
    ],
    ...[
      0x803b0001, 0x803b0002, 0x803b0006, 0x803b0008, 0x803b0010, 0x803b0014, 0x803b0015, 0x803b002b,
      0x803b0031,
    ],
  ),
  fc.integer({ min: 0, max: 0x37 }).map((code) => 0x803b0000 + code),
  fc.nat({ max: 2 ** 32 - 1 }),
);

const aGuid = '259f4964-2dff-5b46-92f1-633319a59298';
const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;

const deepPolicies = ['ACL', 'OutBoundNAT', 'PortMapping', 'SDNRoute', 'QOS', 'ProviderAddress']
  .map(
    (Type) =>
      `{"Type":"${Type}","Settings":{"Exceptions":${deep},"Action":${deep},"DestinationPrefix":${deep}}}`,
  )
  .join();

const text = fc.oneof(
  fc.json(),
  fc.string(),
  fc.constantFrom(
    ...[deep, `{"ID":${deep}}`, `[${deep}]`, `{"ID":"${aGuid}","Policies":[${deepPolicies}]}`],
    ...[
      '',
      'null',
      '[]',
      '{}',
      '[null]',
      '{',
      '\ufeff{}',
      '0',
      '"a"',
      '[""]',
      '{"ID":5}',
      '{"Success":false}',
    ],
    ...[`["${aGuid}"]`, '{"Policies":[{}]}', '{"Ipams":[{"Subnets":[{"Policies":null}]}]}'],
    ...[
      '{"Output":{"Major":1e999,"Minor":-1}}',
      '{"IpConfigurations":[{"IpAddress":"10.244.1.1"}]}',
      '{"__proto__":5}',
    ],
  ),
);

const record = fc.oneof(
  text,
  fc
    .nat({ max: 2 ** 32 })
    .map((ErrorCode) => JSON.stringify({ Success: false, Error: 'no. {{a,b}}', ErrorCode })),
);

/** Documents of the service, changed in a few places. */
const changes = fc.record({ changes: fc.array(change, { minLength: 1, maxLength: 3 }) });
const wrong: fc.Arbitrary<Effect> = fc.oneof(
  fc.record({ hresult, done: fc.boolean(), errorRecord: fc.option(record, { nil: undefined }) }),
  fc.record({ answer: text }),
  fc.record({ errorRecord: record }),
);
const late: fc.Arbitrary<Effect> = fc.oneof(
  fc.record({ hangs: fc.constant(true as const), done: fc.boolean() }),
  fc.record({ late: fc.constantFrom(1, 999, 1000, 1001, 29_999, 30_000, 200_000) }),
);

function faultsOf(effect: fc.Arbitrary<Effect>, more: fc.Arbitrary<number>): fc.Arbitrary<readonly Fault[]> {
  const fault = fc.record({ from: fc.integer({ min: 1, max: 16 }), more, effect });
  return fc.array(fault, { minLength: 1, maxLength: 2 });
}

const few = fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.constantFrom(1, 3, 1000));

export const wrongAnswers = faultsOf(wrong, few);
export const changedAnswers = faultsOf(changes, few);
export const lateAnswers = faultsOf(fc.oneof({ weight: 3, arbitrary: late }, wrong), few);
