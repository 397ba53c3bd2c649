import { expect, test } from 'vitest';
import { shortMessage } from '../../../src/cni/error.ts';

test.each([
  ['yyyy', 4, 'yyyy'],
  ['yyyyy', 4, 'y...'],
  ['éé😀😀', 11, 'éé😀...'],
  ['\n\n\n\n', 7, '\n\n...'],
])('%j of at most %i bytes of JSON is %j', (text, most, short) => {
  expect(shortMessage(text, most)).toBe(short);
});
