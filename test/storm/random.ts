/** Random choices from a seed. Actors that run at the same time have a stream each, so their choices do not depend on their order. */
export interface Random {
  /** A whole number from 0, below `end`. */
  below(end: number): number;
  /** A whole number from `first` to `last`, inclusive. */
  between(first: number, last: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly [T, ...T[]]): T;
  /** Undefined for an empty list. */
  pickIfAny<T>(list: readonly T[]): T | undefined;
  /** Some items of a list, in its order. */
  some<T>(list: readonly T[], probability: number): readonly T[];
  stream(name: string): Random;
}

export function newRandom(seed: string): Random {
  const next = generator(hash(seed));
  const below = (end: number): number => Math.floor(next() * end);
  const chance = (probability: number): boolean => next() < probability;
  return {
    below,
    between: (first, last) => first + below(last - first + 1),
    chance,
    pick: (list) => list[below(list.length)] ?? list[0],
    pickIfAny: (list) => list[below(list.length)],
    some: (list, probability) => list.filter(() => chance(probability)),
    stream: (name) => newRandom(`${seed}/${name}`),
  };
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) value = Math.imul(value ^ byte, 0x01000193) >>> 0;
  return value;
}

/** A linear congruential generator with mixed output. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x45d9f3b) >>> 0;
    mixed = (mixed ^ (mixed >>> 15)) >>> 0;
    return mixed / 2 ** 32;
  };
}
