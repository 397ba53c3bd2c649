import { expect, test } from 'vitest';
import { isDevicePath } from '../../../../src/cli/terminal/read-file.ts';

test.each([
  'nul',
  'C:\\a\\NUL \\.',
  'C:\\a\\b\\..\\AUX',
  'AUX:',
  'C:/etc/NUL',
  'C:CON',
  'CON .',
  'CONOUT$',
  'com9',
  'LPT³',
  '\\\\.\\PhysicalDrive0',
  '//./pipe/docker_engine',
  '\\\\.\\C:',
  '\\\\.\\UNC\\server\\pipe\\a',
  '\\\\?\\GLOBALROOT\\Device\\Null',
  '\\??\\C:\\a.json',
  '\\\\server\\PIPE',
  '//server/mailslot/a',
])('%s is a device or a pipe of Windows', (path) => {
  expect(isDevicePath(path)).toBe(true);
});

test.each([
  '',
  '-',
  'net.conflist',
  'C:\\con\\a.json',
  'console.json',
  'aux.json',
  'com10',
  'a.con',
  'my CON',
  '/tmp/a.json',
  '\\\\.\\C:\\a.json',
  '\\\\?\\C:\\NUL',
  '\\\\?\\UNC\\server\\share\\a.json',
  '\\\\server\\share\\NUL',
  '\\\\server\\pipes\\a.json',
])('%s is a file', (path) => {
  expect(isDevicePath(path)).toBe(false);
});
