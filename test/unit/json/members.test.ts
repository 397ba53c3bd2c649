import { describe, expect, test } from 'vitest';
import { foldKeys, isObject, type JsonFormat, parseObject, readMembers } from '../../../src/json/members.ts';

const format: JsonFormat = {
  refuse: (path, found, expected) => new Error(`${path} is ${JSON.stringify(found)}, expected ${expected}`),
};

test('an object is neither null nor a list', () => {
  expect([{}, { a: 1 }, null, [], 'x', 1, undefined].map(isObject)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});

test.each([
  ['{"a":1}', { a: 1 }],
  ['[1]', {}],
  ['null', {}],
  ['"x"', {}],
  ['', {}],
  ['{', {}],
])('%s is parsed as the object %j', (text, object) => {
  expect(parseObject(text)).toEqual(object);
});

test('keys are folded to lower case, and the last of two equal ones counts', () => {
  expect(foldKeys({ DataDir: 1, datadir: 2, X: { Y: 3 } })).toEqual({ datadir: 2, x: { Y: 3 } });
});

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

  test('of the wrong type is refused with its path', () => {
    const members = readMembers({ a: { b: [{ c: 1 }] } }, '', format);
    expect(() => members.object('a').find('b', 'a string')).toThrow('a.b is [{"c":1}], expected a string');
    expect(() => members.object('a').findList('b', (item) => item.find('c', 'a string'))).toThrow(
      'a.b[0].c is 1, expected a string',
    );
    expect(() => members.object('a').readList('b', (item) => item.object('c'))).toThrow(
      'a.b[0].c is 1, expected an object',
    );
    expect(() => readMembers([], 'ips[1]', format)).toThrow('ips[1] is [], expected an object');
    expect(members.object('a').refusal('b', 'a prefix').message).toBe('a.b is [{"c":1}], expected a prefix');
  });

  test.each([[{ m: null }], [{}]])('of %j is absent', (object) => {
    const members = readMembers(object, 'root', format);
    const found = (object as { m?: null }).m === null ? 'null' : 'undefined';
    expect(members.find('m', 'a string')).toBeUndefined();
    expect(members.findList('m', () => 1)).toEqual([]);
    expect(members.object('m').json).toEqual({});
    expect(() => members.read('m', 'a number')).toThrow(`root.m is ${found}, expected a number`);
    expect(() => members.readList('m', () => 1)).toThrow(`root.m is ${found}, expected a list`);
  });

  test('is found whatever the case of its key, if the format folds keys', () => {
    const folding = { ...format, foldsKeys: true };
    expect(
      readMembers({ Name: { ID: 1 } }, '', folding)
        .object('name')
        .find('id', 'a number'),
    ).toBe(1);
    expect(readMembers({ Name: 'x' }, '', format).find('name', 'a string')).toBeUndefined();
  });
});
