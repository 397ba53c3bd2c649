import { expect, test } from 'vitest';
import { failureMessage } from '../../../src/cli/terminal/session.ts';
import { CniError, code, errorMessage, renderError, wholeMessage } from '../../../src/cni/error.ts';
import { messageBytes, shortMessage } from '../../../src/cni/short-message.ts';
import { HcnError } from '../../../src/hcn/errors.ts';

const bytesOf = (text: string) => Buffer.byteLength(JSON.stringify(text)) - 2;

test.each([
  ['', 3, ''],
  ['abc', 3, 'abc'],
  ['abcd', 3, '...'],
  ['abcdef', 5, 'ab...'],
  ['abcde', 5, 'abcde'],
  ['éé', 4, 'éé'],
  ['ééé', 5, 'é...'],
  ['a😀b😀', 8, 'a😀...'],
  ['a😀b😀', 7, 'a...'],
  ['a\0\0b', 14, 'a\0\0b'],
  ['a\0\0b', 13, 'a\0...'],
  ['"""', 5, '"...'],
  ['\ud800\ud800', 11, '\ud800...'],
])('%j of at most %d bytes in JSON is %j', (text, most, expected) => {
  expect(shortMessage(text, most)).toBe(expected);
});

test('a message of any characters has at most 4 kB in JSON, and is cut as late as possible', () => {
  expect(messageBytes).toBe(4096);
  for (const character of ['a', 'é', '\u20ac', '😀', '\0', '"', '\u2028', '\udc00']) {
    const short = shortMessage(character.repeat(10_000));
    expect(short).toBe(`${character.repeat(Math.floor(4093 / bytesOf(character)))}...`);
    expect(bytesOf(short)).toBeLessThanOrEqual(4096);
  }
});

test('an error object has a message and details of at most 4 kB, whatever HNS reports', () => {
  const report = 'x'.repeat(1_000_000);
  const record = JSON.stringify({ Success: false, Error: report, ErrorCode: 0x80004005 });
  const error = new HcnError('creating endpoint a', 0x80004005, record);
  const { msg, details } = JSON.parse(JSON.stringify(renderError(error, '1.0.0')));
  expect(msg).toBe(error.message);
  expect(details).toBe(`HNS reports: ${'x'.repeat(4080)}...`);
  const unknown = new HcnError('creating endpoint a', 0x8fffffff, record);
  const rendered = JSON.parse(JSON.stringify(renderError(unknown, '1.0.0')));
  expect(rendered.msg).toHaveLength(4096);
  expect(rendered.msg).toMatch(/^creating endpoint a: HCN returned .*x\.\.\.$/);
});

test('the log has the whole message, and what else quotes it a short one', () => {
  const message = 'x'.repeat(5000);
  const error = new CniError(code.hcnFailure, message);
  expect(wholeMessage(error)).toBe(message);
  expect(errorMessage(error)).toBe(`${'x'.repeat(4093)}...`);
  expect(errorMessage('text')).toBe('text');
});

test('a failed command shows a message of at most 4 kB, and details of at most 4 kB a line', () => {
  const error = new CniError(code.hcnFailure, '\n'.repeat(5000), { details: `${'y'.repeat(5000)}\nz` });
  const [message = '', ...details] = failureMessage(error, false).split('\n');
  expect(message).toMatch(/^(\\u000a)+(\\u000?)?\.\.\.$/);
  expect(message.length).toBeLessThanOrEqual(4096);
  expect(details).toEqual([`${'y'.repeat(4093)}...`, 'z']);
});
