import fc from 'fast-check';
import { type Writing, writing, written } from './bytes.ts';
import { change, changed } from './changes.ts';

const deep = (levels: number, open: string, close: string) => `${open.repeat(levels)}${close.repeat(levels)}`;

const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ maxLength: 200 }),
  fc.json(),
  fc.constantFrom(
    ...[
      '',
      ' ',
      '\n',
      '\u0000',
      '\ufeff',
      '\ud800',
      'null',
      '[]',
      '{}',
      '[null]',
      '{',
      '"',
      '-',
      '1e999',
      '{"__proto__":5}',
    ],
    ...['[]', '{"a":}', "a''"].map((pair) => deep(20_000, pair.slice(0, -1), pair.slice(-1))),
    ...['\u00a0', '"', '=', ' ', '\t', '\r\n', ',', '1', '10.0.0.1 '].map((text) => text.repeat(5000)),
  ),
);

/** A text of a parser's own form, with changes of its values if it is JSON. */
function sampled(samples: readonly string[]): fc.Arbitrary<string> {
  const sample = fc.constantFrom(...samples);
  return fc.oneof(
    { weight: 2, arbitrary: sample },
    {
      weight: 4,
      arbitrary: fc
        .tuple(sample, fc.array(change, { minLength: 1, maxLength: 3 }))
        .map(([text, changes]) => withChanges(text, changes)),
    },
    fc
      .tuple(sample, sample, fc.nat({ max: 9999 }), fc.nat({ max: 9999 }))
      .map(([one, other, a, b]) => one.slice(0, a % (one.length + 1)) + other.slice(b % (other.length + 1))),
    fc
      .tuple(sample, fc.nat({ max: 99 }), fc.constantFrom(2, 50))
      .map(([text, at, times]) => withRepeatedLine(text, at, times)),
    oddText,
  );
}

function withChanges(text: string, changes: Parameters<typeof changed>[1]): string {
  try {
    return JSON.stringify(changed(JSON.parse(text), changes)) ?? '';
  } catch {
    return text;
  }
}

function withRepeatedLine(text: string, at: number, times: number): string {
  const lines = text.split('\n');
  const index = at % lines.length;
  return lines.toSpliced(index, 1, ...Array<string>(times).fill(lines[index] ?? '')).join('\n');
}

/** Mostly as a program writes it: two thirds in UTF-8 and whole. */
const encoded: fc.Arbitrary<Partial<Writing>> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  writing.map((one) => ({ ...one, padding: Math.min(one.padding, 100_000) })),
);

const plain: Writing = { encoding: 'utf-8', mark: false, edits: [], spoil: [], cutAt: undefined, padding: 0 };

/** Bytes for a parser: its samples, changed, cut, repeated, in other encodings, and anything else. */
export function foreignBytes(samples: readonly string[]): fc.Arbitrary<Uint8Array> {
  return fc.oneof(
    {
      weight: 20,
      arbitrary: fc
        .tuple(sampled(samples), encoded)
        .map(([text, how]) => written(text, { ...plain, ...how })),
    },
    fc.uint8Array({ maxLength: 300 }),
  );
}
