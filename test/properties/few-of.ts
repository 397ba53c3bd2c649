import fc from 'fast-check';

/** Returns one or two of the members. */
export function fewOf<T>(
  members: Readonly<Record<string, fc.Arbitrary<T>>>,
): fc.Arbitrary<Readonly<Record<string, T>>> {
  const one = fc.oneof(...Object.entries(members).map(([key, value]) => fc.tuple(fc.constant(key), value)));
  return fc.array(one, { minLength: 1, maxLength: 2 }).map((entries) => Object.fromEntries(entries));
}
