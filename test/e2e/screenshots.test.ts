import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { doctorPicture, pathOf, schemes } from '../screenshots/pictures.ts';
import { terminalPicture } from '../screenshots/terminal-picture.ts';

describe('the pictures in docs/images', () => {
  test.each(schemes)(
    'show the output of doctor in %s colors: run npm run screenshots after a change',
    async (scheme) => {
      expect(readFileSync(pathOf('doctor', scheme), 'utf8')).toBe(await doctorPicture(scheme));
    },
  );

  test('show a failed check with its fix, and warnings', async () => {
    const picture = await doctorPicture('light');
    expect(picture).toContain('class="red">FAIL</text>');
    expect(picture).toContain(
      'class="bold">Set-NetIPInterface -InterfaceIndex 7 -AddressFamily IPv4 -Forwarding Enabled</text>',
    );
    expect(picture).toContain('class="yellow">WARN</text>');
  });
});

test('a picture of a terminal has each group of words at its column, in its style', () => {
  const picture = terminalPicture('\u001b[31mFAIL\u001b[39m  a <b>\n\u001b[1mfix\u001b[22m', 10, 'light');
  expect(picture.split('\n').slice(3, 6)).toEqual([
    '<text x="16" y="30" textLength="33.6" lengthAdjust="spacingAndGlyphs" class="red">FAIL</text>',
    '<text x="66.4" y="30" textLength="42" lengthAdjust="spacingAndGlyphs">a &lt;b></text>',
    '<text x="16" y="49" textLength="25.2" lengthAdjust="spacingAndGlyphs" class="bold">fix</text>',
  ]);
});
