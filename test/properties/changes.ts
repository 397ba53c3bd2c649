import fc from 'fast-check';

export type Json = Readonly<Record<string, unknown>>;

/** A change of one value in a document: the `at`-th, modulo the number of values. */
export type Change =
  | { readonly at: number; readonly become: unknown }
  | { readonly at: number; readonly absent: true }
  | { readonly at: number; readonly called: string }
  | { readonly at: number; readonly beside: string; readonly value: unknown }
  | { readonly at: number; readonly nested: number };

const odd = fc.constantFrom<unknown>(
  ...[null, true, false, 0, -1, 0.5, 6, 4096, 65536, 2 ** 31, 2 ** 32, 2 ** 53, 1e308, -1e308],
  ...[
    '',
    ' ',
    '\u0000',
    '__proto__',
    'constructor',
    'toString',
    '.',
    '..',
    'a/b~c',
    'C:\\',
    '🦆',
    '\ud800',
    'İ',
  ],
  ...[
    '10.0.0.1/33',
    '10.0.0.1',
    '::ffff:10.0.0.1',
    'fe80::1%eth0',
    '10.244.1.0/24',
    '0.0.0.0/0',
    '::/0',
    '010.0.0.1',
  ],
  ...['x'.repeat(5000), [], {}, [[]], [null], [{}], { toString: 1, valueOf: 1 }, { length: 3 }],
);

/** Half the values are of a wrong kind, half are of any kind. */
export const oddValue = fc.oneof(odd, fc.jsonValue({ maxDepth: 2 }));

export const oddKey = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.constantFrom(
    ...[
      '__proto__',
      'constructor',
      'toString',
      'hasOwnProperty',
      'length',
      '',
      'x-',
      'cni.dev/x',
      'a/b~c',
      'ſ',
      'K',
    ],
    ...[
      'networkType',
      'NETWORKTYPE',
      'subnets',
      'policies',
      'ipam',
      'type',
      'name',
      'Type',
      'Settings',
      'cniVersion',
    ],
    ...[
      'hcnTimeoutSeconds',
      'runtimeConfig',
      'prevResult',
      'args',
      'dns',
      'acls',
      'adapter',
      'macPool',
      'plugins',
    ],
  ),
);

const at = fc.nat({ max: 9999 });

export const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ at, become: oddValue }),
  fc.record({ at, absent: fc.constant(true as const) }),
  fc.record({ at, called: oddKey }),
  fc.record({ at, beside: oddKey, value: oddValue }),
  fc.record({ at, nested: fc.constantFrom(1, 2, 50, 998, 1001) }),
);

interface Place {
  readonly within: Record<string, unknown>;
  readonly key: string;
}

/** Returns the document with all changes, made in order. */
export function changed(document: unknown, changes: readonly Change[]): unknown {
  const root: Record<string, unknown> = { document: structuredClone(document) };
  for (const change of changes) {
    const places = placesIn(root);
    const place = places[change.at % places.length];
    if (place !== undefined) make(change, place);
  }
  return root['document'];
}

/** Returns the values in order, the document itself first, without deeply nested ones. */
function placesIn(root: Record<string, unknown>): readonly Place[] {
  const places: Place[] = [];
  const visit = (within: Record<string, unknown>, depth: number): void => {
    for (const key of Object.keys(within)) {
      places.push({ within, key });
      const value = within[key];
      if (typeof value === 'object' && value !== null && depth < 30)
        visit(value as Record<string, unknown>, depth + 1);
    }
  };
  visit(root, 0);
  return places;
}

function make(change: Change, { within, key }: Place): void {
  const value = within[key];
  if ('become' in change) put(within, key, structuredClone(change.become));
  else if ('beside' in change) put(within, change.beside, structuredClone(change.value));
  else if ('nested' in change) put(within, key, nest(value, change.nested));
  else {
    if (Array.isArray(within)) within.splice(Number(key), 1);
    else delete within[key];
    if ('called' in change) put(within, change.called, value);
  }
}

/** Sets a member, also `__proto__`. In a list, an invalid index appends. */
function put(within: Record<string, unknown>, key: string, value: unknown): void {
  if (Array.isArray(within) && !/^\d{1,3}$/.test(key)) within.push(value);
  else Object.defineProperty(within, key, { value, enumerable: true, configurable: true, writable: true });
}

function nest(value: unknown, levels: number): unknown {
  let nested = value;
  for (let level = 0; level < levels; level += 1) nested = level % 2 === 0 ? [nested] : { x: nested };
  return nested;
}
