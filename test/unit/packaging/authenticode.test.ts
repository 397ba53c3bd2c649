import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { authenticodeHash, checksumsOf, isAsSigned, signatureOf } from '../../../packaging/authenticode.mjs';
import { CHECKSUM, tinyExecutable, withTable } from './tiny-executable.ts';

const timestamped = Buffer.from('0000060a2b0601040182370303010000', 'hex');

test.each([0, 1, 7, 8])(
  'a signature does not change the Authenticode hash of a file of 512 + %i bytes',
  (size) => {
    const file = tinyExecutable(size);
    const signed = withTable(file, Buffer.alloc(16, 1));
    signed.writeUInt32LE(1234, CHECKSUM);
    expect(authenticodeHash(signed)).toBe(authenticodeHash(file));
  },
);

test('the Authenticode hash covers all bytes except the checksum and the entry of the certificate table', () => {
  const file = tinyExecutable(8);
  const whole = authenticodeHash(file);
  const excluded = Array.from(file.keys()).filter((at) => {
    const changed = Buffer.from(file);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    try {
      return authenticodeHash(changed) === whole;
    } catch {
      return false;
    }
  });
  expect(excluded).toEqual([152, 153, 154, 155, 232, 233, 234, 235]);
  const rest = Buffer.concat([file.subarray(0, 152), file.subarray(156, 232), file.subarray(240)]);
  expect(whole).toBe(createHash('sha256').update(rest).digest('hex'));
});

test('a signature is found, and a timestamp in it', () => {
  const file = tinyExecutable(8);
  expect(signatureOf(file)).toBe('none');
  expect(signatureOf(withTable(file, Buffer.alloc(16, 1)))).toBe('signed');
  expect(signatureOf(withTable(file, timestamped))).toBe('signed and timestamped');
});

test('a file that changed after it was signed has another hash than its signature', () => {
  const file = tinyExecutable(8);
  const signed = withTable(file, Buffer.from(`0000${authenticodeHash(file)}0000`, 'hex'));
  const changed = Buffer.from(signed);
  changed.writeUInt8(1, 0x200);
  expect([file, signed, changed].map(isAsSigned)).toEqual([false, true, false]);
});

test('the checksum is the sum of all 16-bit words except its own, plus the length', () => {
  const file = tinyExecutable(3);
  file.fill(0xff, 0x200);
  file.writeUInt32LE(0xdeadbeef, CHECKSUM);
  const words = 0x5a4d + 0x40 + 0x4550 + 0x20b + 0xffff + 0xff;
  expect(checksumsOf(file)).toEqual({
    stored: 0xdeadbeef,
    computed: (words & 0xffff) + (words >>> 16) + 0x203,
  });
});

test.each([
  ['text', Buffer.from('#!/bin/sh\n'), 'not a Windows executable'],
  ['the start of an executable', tinyExecutable(0).subarray(0, 100), 'not a Windows executable'],
  [
    'bytes after the signature',
    Buffer.concat([withTable(tinyExecutable(0), Buffer.alloc(8)), Buffer.alloc(8)]),
    'the signature is not at the end of the file',
  ],
])('%s is refused', (_, file, reason) => {
  expect(() => authenticodeHash(file)).toThrow(reason);
});
