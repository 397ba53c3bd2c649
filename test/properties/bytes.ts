import fc from 'fast-check';

/** Changes between a text and the bytes on stdin. */
export interface Writing {
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be';
  readonly mark: boolean;
  /** Changes to the text, in order. */
  readonly edits: readonly Edit[];
  /** Changes to the bytes. */
  readonly spoil: readonly { readonly at: number; readonly byte: number }[];
  readonly cutAt: number | undefined;
  /** The number of white-space bytes before the text. */
  readonly padding: number;
}

export type Edit =
  | { readonly at: number; readonly insert: string }
  | { readonly at: number; readonly remove: number }
  | { readonly at: number; readonly number: string }
  | { readonly at: number; readonly twice: true };

const at = fc.nat({ max: 9999 });

const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({
    at,
    insert: fc.constantFrom(
      '"',
      '{',
      '}',
      '[',
      ',',
      '\\',
      '\u00a0',
      '\ufeff',
      '\u0000',
      '//',
      '\r\n',
      '\u2028',
    ),
  }),
  fc.record({ at, remove: fc.integer({ min: 1, max: 20 }) }),
  fc.record({
    at,
    number: fc.constantFrom('1e999', '-1e999', '-0', '1e-7', '9007199254740993', '1E2', '0x10', '01', 'NaN'),
  }),
  fc.record({ at, twice: fc.constant(true as const) }),
);

export const plainWriting: Writing = {
  encoding: 'utf-8',
  mark: false,
  edits: [],
  spoil: [],
  cutAt: undefined,
  padding: 0,
};

/** Mostly one error, so that later steps are reached. */
export const writing: fc.Arbitrary<Writing> = fc.record({
  encoding: fc.constantFrom('utf-8', 'utf-16le', 'utf-16be'),
  mark: fc.boolean(),
  edits: fc.array(edit, { maxLength: 2 }),
  spoil: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    fc.array(fc.record({ at, byte: fc.nat({ max: 255 }) }), { maxLength: 2 }),
  ),
  cutAt: fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, at),
  padding: fc.oneof({ weight: 200, arbitrary: fc.constant(0) }, fc.constantFrom(65_535, 65_536, 2_000_000)),
});

export function written(text: string, { encoding, mark, edits, spoil, cutAt, padding }: Writing): Uint8Array {
  const edited = `${mark ? '\ufeff' : ''}${' '.repeat(padding)}${edits.reduce(makeEdit, text)}`;
  const bytes = Buffer.from(edited, encoding === 'utf-8' ? 'utf8' : 'utf16le');
  if (encoding === 'utf-16be') bytes.swap16();
  if (bytes.length === 0) return bytes;
  for (const { at, byte } of spoil) bytes[at % bytes.length] = byte;
  return cutAt === undefined ? bytes : bytes.subarray(0, cutAt % bytes.length);
}

function makeEdit(text: string, edit: Edit): string {
  const split = edit.at % (text.length + 1);
  const rest = text.slice(split);
  if ('insert' in edit) return `${text.slice(0, split)}${edit.insert}${rest}`;
  if ('remove' in edit) return `${text.slice(0, split)}${rest.slice(edit.remove)}`;
  const pattern = 'number' in edit ? /-?\d+(?:\.\d+)?/ : /"[^"\\]*":(?:"[^"\\]*"|\d+|true|false),/;
  const made = 'number' in edit ? edit.number : '$&$&';
  return `${text.slice(0, split)}${rest.replace(pattern, made)}`;
}
