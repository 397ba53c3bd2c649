import { isObject } from '../../../cni/text.ts';

/** A JSON object that a script printed. Each reader throws where the member is not what the script prints. */
export interface Printed {
  text(key: string): string;
  number(key: string): number;
  flag(key: string): boolean;
  texts(key: string): readonly string[];
  objects(key: string): readonly Printed[];
}

export function printedObject(value: unknown): Printed {
  if (!isObject(value)) throw new TypeError('no object');
  const list = (key: string): readonly unknown[] => {
    const found: unknown = value[key];
    if (!Array.isArray(found)) throw new TypeError(`${key} is no list`);
    return found;
  };
  const text = (found: unknown, key: string): string => {
    if (typeof found !== 'string') throw new TypeError(`${key} is no text`);
    return found;
  };
  return {
    text: (key) => text(value[key], key),
    number: (key) => {
      const found = value[key];
      if (typeof found !== 'number') throw new TypeError(`${key} is no number`);
      return found;
    },
    flag: (key) => {
      const found = value[key];
      if (typeof found !== 'boolean') throw new TypeError(`${key} is neither true nor false`);
      return found;
    },
    texts: (key) => list(key).map((one) => text(one, key)),
    objects: (key) => list(key).map(printedObject),
  };
}
