import { expect, test } from 'vitest';
import {
  readCreateNetwork,
  readIpamType,
  readLogFile,
  readTimeout,
  validAttachmentsKey,
} from '../../../src/config/essential-keys.ts';

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
