import { describe, expect, test } from 'vitest';
import {
  readCreateNetwork,
  readIpamType,
  readLogFile,
  readName,
  readTimeout,
  readValidAttachments,
  validAttachmentsKey,
} from '../../../src/config/essential-keys.ts';
import type { JsonObject } from '../../../src/json/members.ts';

test.each([
  [1, 1],
  [120, 120],
  [0, 30],
  [121, 30],
  ['60', 30],
  [undefined, 30],
])('a limit of an HCN call of %j is %d s', (hcnTimeoutSeconds, seconds) => {
  expect(readTimeout({ hcnTimeoutSeconds })).toBe(seconds);
});

test.each([
  ['', ''],
  ['/var/log/win-hcn.log', '/var/log/win-hcn.log'],
  ['/', '/'],
  ['C:\\logs\\win-hcn.log', 'C:\\logs\\win-hcn.log'],
  ['d:/logs/win-hcn.log', 'd:/logs/win-hcn.log'],
  ['C:\\', 'C:\\'],
  ['C:\\a', 'C:\\a'],
  ['/a', '/a'],
  ['//server/share/log', undefined],
  ['C:\\\\server\\log', undefined],
  ['C://server/log', undefined],
  ['C:\\logs\\a.log:stream', undefined],
  ['C:\\:stream', undefined],
  ['C:log', undefined],
  ['CD:\\log', undefined],
  [' C:\\log', undefined],
  ['logs/a.log', undefined],
  ['x/logs', undefined],
  [7, undefined],
])('the log file %j is %j', (logFile, path) => {
  expect(readLogFile({ logFile })).toBe(path);
});

test('ADD creates a missing network, except with never', () => {
  expect(readCreateNetwork({})).toBe('ifMissing');
  expect(readCreateNetwork({ createNetwork: 'ifMissing' })).toBe('ifMissing');
  expect(readCreateNetwork({ createNetwork: 'Never' })).toBe('ifMissing');
  expect(readCreateNetwork({ createNetwork: 'never' })).toBe('never');
});

describe('the attachments that GC keeps', () => {
  const [newer, older] = ['cni.dev/valid-attachments', 'cni.dev/attachments'];

  test.each([
    [{ [newer]: null }, []],
    [{ [older]: [] }, []],
    [
      {
        [newer]: [
          { containerID: 'c0ffee', ifname: 'eth0' },
          { CONTAINERID: 'decaf', IfName: 'an/y' },
        ],
      },
      [
        { containerId: 'c0ffee', ifname: 'eth0', network: 'cbr0' },
        { containerId: 'decaf', ifname: 'an/y', network: 'cbr0' },
      ],
    ],
  ])('of %j are %j', (json, attachments) => {
    expect(readValidAttachments(json, 'cbr0')).toEqual(attachments);
  });

  test('are required', () => {
    expect(() => readValidAttachments({}, 'cbr0')).toThrow(
      expect.objectContaining({
        code: 7,
        message: '/cni.dev/valid-attachments is missing, expected the attachments to keep',
        details: 'an empty list deletes all endpoints that the plugin created on the network',
      }),
    );
  });

  test.each([
    [{ [newer]: 7 }, '/cni.dev~1valid-attachments is 7, expected a list'],
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

test.each([
  [undefined, 7, 'missing network name: /name is required', ''],
  [null, 7, 'missing network name: /name is required', ''],
  ['', 7, 'missing network name: /name is required', ''],
  [7, 6, '/name is 7, expected a string', ''],
  [
    'a b',
    7,
    'invalid characters found in network name "a b"',
    'expected a letter or digit, then letters, digits, "_", "." or "-"',
  ],
])('the network name %j is refused with code %d', (name, code, message, details) => {
  expect(() => readName({ name })).toThrow(expect.objectContaining({ code, message, details }));
});

test('an IPAM type that is no name is none', () => {
  expect(readIpamType({ ipam: { type: 'host-local.exe' } })).toBe('host-local.exe');
  for (const ipam of [{ type: '' }, { type: '../x' }, { type: 7 }, {}, 'host-local', null])
    expect(readIpamType({ ipam })).toBeUndefined();
});

test('the attachments of GC are those of the newer key, unless only the older one has a list', () => {
  const [newer, older] = ['cni.dev/valid-attachments', 'cni.dev/attachments'];
  expect(validAttachmentsKey({ [newer]: [], [older]: [] })).toBe(newer);
  expect(validAttachmentsKey({ [newer]: 7, [older]: [] })).toBe(older);
  expect(validAttachmentsKey({ [older]: 7 })).toBe(older);
  expect(validAttachmentsKey({ [newer]: 7, [older]: 7 })).toBe(newer);
  expect(validAttachmentsKey({})).toBeUndefined();
});
