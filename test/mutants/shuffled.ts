/** Returns the elements in an order that depends on the seed alone (mulberry32, then Fisher and Yates). */
export function shuffled<T>(elements: readonly T[], seed: number): T[] {
  let state = seed >>> 0;
  const random = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return elements
    .map((element) => ({ element, key: random() }))
    .toSorted((one, other) => one.key - other.key)
    .map(({ element }) => element);
}
