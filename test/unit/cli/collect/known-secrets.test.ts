import { describe, expect, test } from 'vitest';
import { newKnownSecrets } from '../../../../src/cli/collect/known-secrets.ts';

function hidden(secret: string, text: string) {
  const { learn, hide } = newKnownSecrets();
  learn(secret);
  return hide(text);
}

describe('a secret of one file is replaced in all others', () => {
  const secret = 'hun/ter2"é';
  test.each([
    ['as it is', secret],
    ['in JSON', JSON.stringify(secret).slice(1, -1)],
    ['in JSON in a string', JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1)],
    ['in a URL', encodeURIComponent(secret)],
  ])('%s', (_, form) => {
    expect(hidden(secret, `a ${form} b ${form}`)).toEqual({ text: 'a <redacted> b <redacted>', count: 2 });
  });

  test.each(['', 'x', 'xx', 'user:'])('in Base64 after %j', (before) => {
    const encoded = Buffer.from(`${before}${secret}xyz`).toString('base64');
    const { text, count } = hidden(secret, encoded);
    expect(count).toBe(1);
    expect(Buffer.from(text.replace('<redacted>', ''), 'base64').toString('latin1')).not.toContain('ter2');
  });

  test('that was escaped in its file', () => {
    expect(hidden('hun\\\\\\"ter2', 'a hun"ter2 b').text).toBe('a <redacted> b');
  });

  test('that was in a list or an object, but not the names of its members', () => {
    expect(hidden('{"user-1":["hunter2"]}', 'user-1 hunter2')).toEqual({
      text: 'user-1 <redacted>',
      count: 1,
    });
  });
});

test.each([
  'short',
  'administrator',
  'Administrator',
  '1234567',
  '10.244.1.0/24',
  '   ',
  'a'.repeat(4097) + 1,
])('%j is not replaced, because it is not only a secret', (secret) => {
  expect(hidden(secret, `a ${secret}`)).toEqual({ text: `a ${secret}`, count: 0 });
});

test('at most 100 secrets are replaced', () => {
  const { learn, hide } = newKnownSecrets();
  const secrets = Array.from({ length: 101 }, (_, at) => `hunter-${at}.`);
  for (const secret of secrets) learn(secret);
  expect(hide(secrets.join('\n'))).toEqual({ text: `${'<redacted>\n'.repeat(100)}hunter-100.`, count: 100 });
});
