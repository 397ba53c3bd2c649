import { describe, expect, test } from 'vitest';
import { type JsonFormat, type Members, readMembers } from '../../../src/json/members.ts';

const format: JsonFormat = {
  refuse: (path, found, expected) => new Error(`${path} is ${JSON.stringify(found)}, expected ${expected}`),
};

describe('a member', () => {
  const values = ['x', '', 1, 1.5, true, false, [], [1], ['x'], ['x', 1], {}, { a: 1 }];

  test.each([
    ['a string', ['x', '']],
    ['a number', [1, 1.5]],
    ['an integer', [1]],
    ['true or false', [true, false]],
    ['a list', [[], [1], ['x'], ['x', 1]]],
    ['a list of strings', [[], ['x']]],
    ['an object', [{}, { a: 1 }]],
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

  test.each([
    [{}, 'undefined'],
    [{ m: null }, 'null'],
  ])('of %j is absent', (object, found) => {
    const members = readMembers(object, 'root', format);
    expect(members.find('m', 'a string')).toBeUndefined();
    expect(members.findList('m', () => 1)).toEqual([]);
    expect(members.object('m').json).toEqual({});
    expect(() => members.read('m', 'a number')).toThrow(`root.m is ${found}, expected a number`);
    expect(() => members.readList('m', () => 1)).toThrow(`root.m is ${found}, expected a list`);
  });

  test('of a wrong type is named by its path in the error', () => {
    const members = readMembers({ list: [{}, { m: 1 }] }, '', format);
    const readItem = (item: Members) => item.find('m', 'a string');
    expect(() => members.findList('list', readItem)).toThrow('list[1].m is 1, expected a string');
    expect(() => readMembers([], 'root', format)).toThrow('root is [], expected an object');
  });
});

test('a format may ignore values of a wrong type, and the case of keys', () => {
  const lenient = { ...format, ignores: true, foldsKeys: true };
  const members = readMembers({ M: 1, List: [1, { A: 'x' }] }, '', lenient);
  expect(members.find('m', 'a string')).toBeUndefined();
  expect(members.reject('m', 'a port')).toBeUndefined();
  expect(members.findList('list', ({ json }) => json)).toEqual([{ a: 'x' }]);
  expect(() => members.findExactly('m', 'a string')).toThrow('m is 1, expected a string');
});
