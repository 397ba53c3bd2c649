import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { doctorPicture, pathOf } from '../screenshots/doctor-picture.ts';
import { schemes, terminalPicture } from '../screenshots/terminal-picture.ts';

test.each(schemes)(
  'docs/images shows the output of doctor in %s colors: run npm run screenshots after a change',
  async (scheme) => {
    expect(readFileSync(pathOf(scheme), 'utf8')).toBe(await doctorPicture(scheme));
  },
);

test('a picture of a terminal has each group of words at its column, in its style', () => {
  const picture = terminalPicture('\u001b[31mFAIL\u001b[39m  a <b>\n\u001b[1mfix\u001b[22m', 10, 'light');
  expect(picture.split('\n').slice(3, 6)).toEqual([
    '<text x="16" y="30" textLength="33.6" lengthAdjust="spacingAndGlyphs" class="red">FAIL</text>',
    '<text x="66.4" y="30" textLength="42" lengthAdjust="spacingAndGlyphs">a &lt;b></text>',
    '<text x="16" y="49" textLength="25.2" lengthAdjust="spacingAndGlyphs" class="bold">fix</text>',
  ]);
});
