import { describe, expect, test } from 'vitest';
import { type JsonFormat, readMembers } from '../../../src/json/members.ts';

const format: JsonFormat = {
  refuse: (path, found, expected) => new Error(`${path} is ${JSON.stringify(found)}, expected ${expected}`),
};

describe('a member', () => {
  const values = ['x', '', 1, 1.5, true, false, [], [1], ['x'], ['x', 1], {}, { a: 1 }];

  test.each([
    ['a number', [1, 1.5]],
    ['true or false', [true, false]],
    ['a list of strings', [[], ['x']]],
  ] as const)('that is %s has one of the values %j', (type, accepted) => {
    const isAccepted = (value: unknown): boolean => {
      try {
        return readMembers({ m: value }, '', format).read('m', type) === value;
      } catch {
        return false;
      }
    };
    expect(values.filter(isAccepted)).toEqual(accepted);
  });

  test('of {} is absent', () => {
    const object = {};
    const members = readMembers(object, 'root', format);
    const found = (object as { m?: null }).m === null ? 'null' : 'undefined';
    expect(members.find('m', 'a string')).toBeUndefined();
    expect(members.findList('m', () => 1)).toEqual([]);
    expect(members.object('m').json).toEqual({});
    expect(() => members.read('m', 'a number')).toThrow(`root.m is ${found}, expected a number`);
    expect(() => members.readList('m', () => 1)).toThrow(`root.m is ${found}, expected a list`);
  });
});
