import { describe, expect, test } from 'vitest';
import { readJsonText } from '../../../../src/cli/conflist/json-text.ts';

describe('the first problem', () => {
  test.each<[string, string]>([
    ['', '1:1 the file is empty, expected a JSON object'],
    ['{\n  // a network\n  "a": "n" }', '2:3 JSON does not allow comments: use a key that starts with "x-"'],
    ['{ /* a', '1:3 JSON does not allow comments: use a key that starts with "x-"'],
    ['{ "a": "n", }', '1:13 trailing comma before "}"'],
    ['{ "a": [1, 2,] }', '1:14 trailing comma before "]"'],
    ['{ "a": "n" "b": 1 }', '1:12 missing comma'],
    ['{ "a" "n" }', '1:7 missing colon'],
    ['{ "a": "n"', '1:11 missing "}" for the "{" at line 1, column 1'],
    ['{ "a": [1, 2\n', '2:1 missing "]" for the "[" at line 1, column 8'],
    ['{ "a": [1, 2 }', '1:14 missing "]" for the "[" at line 1, column 8'],
    ['{ "p": [\n { "a": "[{\\"" ] }', '2:16 missing "}" for the "{" at line 2, column 2'],
    ['{ "p": [{}, {"a": [1]}, {"b": 2 ] }', '1:33 missing "}" for the "{" at line 1, column 25'],
    ['{ "a": }', '1:8 unexpected "}"'],
    ['{ "a":', '1:7 missing "}" for the "{" at line 1, column 1'],
    ['{}}', '1:3 unexpected text after the end of the JSON'],
    ["{ 'a': 1 }", '1:3 JSON does not allow single quotes: use double quotes'],
    ['{ "a": "n\n" }', '1:10 unterminated string: the closing quote is missing'],
    ['{ "a": "n', '1:10 unterminated string: the closing quote is missing'],
    ['{ "a": "C:\\opt" }', '1:8 invalid escape sequence: write a backslash as \\\\'],
    ['{ "a": True }', '1:8 unexpected "T"'],
    ['{ "a":\u00a01 }', '1:7 U+00A0 is not a JSON space: use a plain space'],
    ['{ \u201ca\u201d: 1 }', '1:3 U+201C is not a JSON quote: use a straight "'],
  ])('of %j', (text, expected) => {
    const read = readJsonText(text);
    const found = 'problem' in read ? read.problem : undefined;
    expect(`${found?.line}:${found?.column} ${found?.text}`).toBe(expected);
  });
});

test.each([`${'['.repeat(1002)}${']'.repeat(1002)}`, '['.repeat(100_000)])(
  'JSON of more than 1000 levels is refused',
  (text) => {
    const problem = { line: 1, column: 1, text: 'the JSON is nested deeper than 1000 levels' };
    expect(readJsonText(text)).toEqual({ problem });
  },
);

test('a member has the positions of its key and value; an absent one, that of its nearest parent', () => {
  const read = readJsonText('{\r\n "a/b": [1,\n\t{ "c": 2 }],\n "a/b": [3] }');
  if ('problem' in read) throw new Error(read.problem.text);
  expect(read.value).toEqual({ 'a/b': [3] });
  expect(read.duplicates).toEqual(['/a~1b']);
  expect([
    read.positionOf(''),
    read.positionOf('/a~1b', true),
    read.positionOf('/a~1b/0'),
    read.positionOf('/a~1b/1/c', true),
    read.positionOf('/x/y', true),
  ]).toEqual([
    { line: 1, column: 1 },
    { line: 4, column: 2 },
    { line: 4, column: 10 },
    { line: 3, column: 4 },
    { line: 1, column: 1 },
  ]);
});
