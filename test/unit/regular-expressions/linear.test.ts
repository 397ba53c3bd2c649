import { expect, test } from 'vitest';
import { findExpressions, schemaExpressions } from './find-expressions.ts';
import { slowAttack } from './growth.ts';

const found = findExpressions();

test('no regular expression in src or in the schemas takes more than linear time, on up to 1 MB of text made to slow it down', () => {
  expect(found.literals.length).toBeGreaterThan(100);
  const expressions = [...found.literals, ...schemaExpressions()];
  const unique = new Map(expressions.map((one) => [`/${one.source}/${one.flags}`, one]));
  const slow = [...unique].flatMap(([text, one]) => {
    // Growth shows again, a busy machine does not.
    const attack = slowAttack(one) && slowAttack(one);
    return attack === undefined ? [] : [{ expression: `${one.place}: ${text}`, attack }];
  });
  expect(slow).toEqual([]);
}, 300_000);

test('src builds no regular expression while it runs, except from the schemas', () => {
  expect(found.built).toEqual([
    "src/config/schema-validator.ts: new RegExp(pattern ?? '')",
    'src/config/schema-validator.ts: new RegExp(pattern)',
  ]);
});
