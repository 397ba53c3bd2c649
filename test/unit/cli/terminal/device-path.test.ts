import { describe, expect, test } from 'vitest';
import { isDevicePath } from '../../../../src/cli/terminal/read-file.ts';

describe('a device or a pipe of Windows', () => {
  test.each([
    'CON',
    'nul',
    'C:\\a\\CON\\.',
    'C:\\a\\NUL \\.',
    'C:\\a\\b\\..\\AUX',
    'AUX:',
    'C:/etc/NUL',
    'C:CON',
    'CON .',
    'conin$',
    'CONOUT$',
    'COM1',
    'com9',
    'COM0',
    'LPT3',
    'COM¹',
    'LPT³',
    '\\\\.\\PhysicalDrive0',
    '\\\\.\\pipe\\docker_engine',
    '//./pipe/docker_engine',
    '\\\\.\\C:',
    '\\\\.\\C:\\..\\pipe\\a',
    '\\\\.\\UNC\\server\\pipe\\a',
    '\\\\?\\GLOBALROOT\\Device\\NamedPipe\\a',
    '\\\\?\\GLOBALROOT\\Device\\HarddiskVolume1',
    '\\\\?\\C:',
    '\\\\?\\pipe\\docker_engine',
    '\\\\?\\GLOBALROOT\\Device\\Null',
    '\\\\?\\Volume{0f2b1c3d-0000-0000-0000-100000000000}',
    '\\\\?\\UNC\\server\\pipe\\a',
    '\\??\\C:\\a.json',
    '\\\\server\\pipe\\a',
    '\\\\server\\PIPE',
    '//server/mailslot/a',
    '\\\\server\\\\pipe\\a',
    '\\\\server\\.\\pipe\\a',
    '\\\\server\\share\\..\\pipe\\a',
  ])('%s', (path) => {
    expect(isDevicePath(path)).toBe(true);
  });
});

describe('a file', () => {
  test.each([
    'net.conflist',
    'C:\\etc\\cni\\net.d\\10-win-hcn.conflist',
    'C:\\con\\a.json',
    'console.json',
    'aux.json',
    'CON .txt',
    'C:\\etc\\cni\\net.d\\con.conflist',
    '\\\\.\\C:\\a.json',
    '\\\\.\\UNC\\server\\share\\a.json',
    '\\\\?\\C:\\',
    '\\\\?\\GLOBALROOT\\Device\\HarddiskVolumeShadowCopy1\\a.json',
    'com10',
    'com.json',
    'nulls',
    'a.con',
    'my CON',
    '-',
    '',
    '/tmp/a.json',
    '\\\\?\\C:\\a.json',
    '\\\\?\\C:\\NUL',
    '//?/c:/a.json',
    '\\\\?\\Volume{0f2b1c3d-0000-0000-0000-100000000000}\\a.json',
    '\\\\server\\share\\a.json',
    '\\\\server\\share\\NUL',
    '\\\\server\\pipes\\a.json',
    '\\\\?\\UNC\\server\\share\\a.json',
    '\\\\server\\share\\pipe\\a.json',
  ])('%s', (path) => {
    expect(isDevicePath(path)).toBe(false);
  });
});
