import { expect, test } from 'vitest';
import { parseJson, parseObject } from '../../../src/json/members.ts';

test.each([
  ['{"a":{"toString":1,"valueOf":2,"b":[{"toString":3}]}}', { a: { b: [{}] } }],
  ['{"\\u0074oString":1,"b":2}', { b: 2 }],
  ['null', null],
])('%s is parsed without members that JavaScript calls to make a text of a value', (text, expected) => {
  expect(parseJson(text)).toEqual(expected);
  expect(String(parseJson(text))).toBe(String(expected));
});

test('JSON is parsed up to 1000 levels', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`;
  expect(parseJson(nested(1000))).toEqual(JSON.parse(nested(1000)));
  expect(() => parseJson(nested(1001))).toThrow(new SyntaxError('JSON is nested deeper than 1000 levels'));
  expect(parseObject(`{"a":${nested(1001)}}`)).toEqual({});
});

test('text that is not a JSON object is read as an empty one', () => {
  expect(['{', '[1]', '{"a":1}'].map((text) => parseObject(text))).toEqual([{}, {}, { a: 1 }]);
});
