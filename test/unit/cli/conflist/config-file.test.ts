import { expect, test } from 'vitest';
import { readConfigFile } from '../../../../src/cli/conflist/config-file.ts';

const read = (text: string) => readConfigFile(new TextEncoder().encode(text));

test.each<[string, string]>([
  ['', '1:1 the file is empty, expected a JSON object'],
  [
    '{\n  // a network\n  "a": "n" }',
    '2:3 invalid JSON at "/": invalid comment token: use a key that starts with "x-" for a comment',
  ],
  ['{ "a": "n", }', '1:13 invalid JSON at "}": property name expected'],
  ['{ "a": "n"\r\n "b": 1 }', '2:2 invalid JSON at "\\"": comma expected'],
  ['{ "a": [{ "b": 1 ] }', '1:18 invalid JSON at "]": "}" is missing before it'],
  ['{ "a": [1 }', '1:11 invalid JSON at "}": "]" is missing before it'],
  ['{ "a": [1, 2\n', '2:1 invalid JSON at "end of file": close bracket expected'],
  ['{ "a": "C:\\opt" }', '1:8 invalid JSON at "\\"": invalid escape character: write a backslash as \\\\'],
  [`${'['.repeat(1002)}${']'.repeat(1002)}`, '1:1 the JSON is nested deeper than 1000 levels'],
  ['['.repeat(100_000), '1:1 the JSON is nested deeper than 1000 levels'],
])('the first problem of %j', (text, expected) => {
  const { value, problems, positionOf } = read(text);
  const [{ line, column, text: found } = { line: 0, column: 0, text: '' }] = problems;
  expect([value, positionOf('/a'), `${line}:${column} ${found}`]).toEqual([
    undefined,
    { line: 1, column: 1 },
    expected,
  ]);
});

test('a member has the positions of its key and value; an absent one, that of its nearest parent', () => {
  const { value, problems, positionOf } = read('{\r\n "a/b": [1,\n\t{ "c": 2 }],\n "a/b": [3] }');
  expect({ value, problems }).toEqual({
    value: { 'a/b': [3] },
    problems: [{ line: 4, column: 2, path: '/a~1b', text: '/a~1b is duplicated: the last value is used' }],
  });
  const positions = [
    positionOf(''),
    positionOf('/a~1b/0'),
    positionOf('/a~1b/1/c', true),
    positionOf('/x/y'),
  ];
  expect(positions.map(({ line, column }) => `${line}:${column}`)).toEqual(['1:1', '4:10', '3:4', '1:1']);
});
