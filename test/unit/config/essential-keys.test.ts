import { describe, expect, test } from 'vitest';
import {
  readCreateNetwork,
  readLogFile,
  readTimeout,
  readValidAttachments,
  validAttachmentsKey,
} from '../../../src/config/essential-keys.ts';
import type { JsonObject } from '../../../src/json/members.ts';

test.each([
  [1, 1],
  [120, 120],
  [0.5, 90],
  [121, 90],
  ['5', 90],
])('a limit of an HCN call of %j is %d s', (hcnTimeoutSeconds, seconds) => {
  expect(readTimeout({ hcnTimeoutSeconds })).toBe(seconds);
});

test('a log file is empty or a full path', () => {
  const valid = ['', '/', '/a', 'C:\\', 'C:\\a', 'c:/a'];
  const all = [...valid, 'a', '//a', 'C:a', 'C:\\\\a', 'C:\\a:b', 7];
  expect(all.flatMap((logFile) => readLogFile({ logFile }) ?? [])).toEqual(valid);
});

test('ADD creates a missing network, except with never', () => {
  expect(readCreateNetwork({})).toBe('ifMissing');
  expect(readCreateNetwork({ createNetwork: 'ifMissing' })).toBe('ifMissing');
  expect(readCreateNetwork({ createNetwork: 'Never' })).toBe('ifMissing');
  expect(readCreateNetwork({ createNetwork: 'never' })).toBe('never');
});

describe('the attachments that GC keeps', () => {
  const [newer, older] = ['cni.dev/valid-attachments', 'cni.dev/attachments'];

  test('are those of the list, with keys in any case, and none for null', () => {
    expect(readValidAttachments({ [newer]: null }, 'cbr0')).toEqual([]);
    const list = [
      { containerID: 'c0ffee', ifname: 'eth0' },
      { CONTAINERID: 'decaf', IfName: 'an/y' },
    ];
    expect(readValidAttachments({ [newer]: list }, 'cbr0')).toEqual([
      { containerId: 'c0ffee', ifname: 'eth0', network: 'cbr0' },
      { containerId: 'decaf', ifname: 'an/y', network: 'cbr0' },
    ]);
  });

  test.each([
    [{ [older]: 'x' }, '/cni.dev~1attachments is "x", expected a list'],
    ...[
      null,
      'c0ffee',
      {},
      { containerID: 'c0ffee' },
      { containerID: 'c0ffee', ifname: '' },
      { containerID: 'c0ffee', ifname: 7 },
      { ifname: 'eth0' },
      { containerID: '../x', ifname: 'eth0' },
      { containerID: 7, ifname: 'eth0' },
    ].map((item): [JsonObject, string] => [
      { [newer]: [{ containerID: 'a', ifname: 'eth0' }, item] },
      `/cni.dev~1valid-attachments/1 is ${JSON.stringify(item)}, expected an object with containerID and ifname`,
    ]),
  ])('are refused: %j', (json, message) => {
    expect(() => readValidAttachments(json, 'cbr0')).toThrow(
      expect.objectContaining({ code: 7, message: `invalid network configuration: ${message}` }),
    );
  });
});

test('the attachments of GC are those of the newer key, unless only the older one has a list', () => {
  const [newer, older] = ['cni.dev/valid-attachments', 'cni.dev/attachments'];
  expect(validAttachmentsKey({ [newer]: [], [older]: [] })).toBe(newer);
  expect(validAttachmentsKey({ [newer]: 7, [older]: [] })).toBe(older);
  expect(validAttachmentsKey({ [older]: 7 })).toBe(older);
  expect(validAttachmentsKey({ [newer]: 7, [older]: 7 })).toBe(newer);
  expect(validAttachmentsKey({})).toBeUndefined();
});
