import { expect, test } from 'vitest';
import { readConfigFile } from '../../../../src/cli/conflist/config-file.ts';

const read = (text: string) => readConfigFile(new TextEncoder().encode(text));

test.each<[string, string]>([
  ['', '1:1 the file is empty, expected a JSON object'],
  ['{\n  // a network\n  "a": "n" }', '2:3 JSON does not allow comments: use a key that starts with "x-"'],
  ['{ /* a', '1:3 JSON does not allow comments: use a key that starts with "x-"'],
  ['{ "a": "n", }', '1:13 unexpected "}" after a comma'],
  ['{ "a": [1, 2,] }', '1:14 unexpected "]" after a comma'],
  ['{ "a": "n"\r\n "b": 1 }', '2:2 missing comma'],
  ['{ "a" "n" }', '1:7 missing colon'],
  ['{ "a": [1, 2\n', '2:1 unexpected end of file: a bracket or brace is not closed'],
  ['{}}', '1:3 unexpected text after the end of the JSON'],
  ['{ "a": "n\n" }', '1:8 unterminated string: the closing quote is missing'],
  ['{ "a": "C:\\opt" }', '1:8 invalid escape sequence: write a backslash as \\\\'],
  ['{ "a": True }', '1:8 unexpected "T"'],
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
