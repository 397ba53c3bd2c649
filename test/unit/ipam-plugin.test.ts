import { describe, expect, test } from 'vitest';
import { delegateCommand } from '../../src/ipam/delegate.ts';
import { locatePlugin } from '../../src/ipam/locate-plugin.ts';

const looking = (cniPath: string, windows: boolean, files: readonly string[]) => ({
  cniPath,
  windows,
  isFile: (path: string) => files.includes(path),
});

describe('an IPAM plugin is found', () => {
  test.each([
    ['/opt/cni/bin:/usr/lib/cni', false, '/usr/lib/cni/host-local'],
    ['/opt/cni/bin/', false, '/opt/cni/bin/host-local'],
    ['C:\\cni;c:/opt/cni/bin', true, 'c:/opt/cni/bin\\host-local.exe'],
    ['"C:\\Program Files\\cni";', true, 'C:\\Program Files\\cni\\host-local.exe'],
    ['C:\\cni\\', true, 'C:\\cni\\host-local'],
  ])('in CNI_PATH %s (Windows: %s) as %s', (cniPath, windows, path) => {
    expect(locatePlugin('host-local', looking(cniPath, windows, [path]))).toBe(path);
  });

  test('with .exe before without, in the first folder that has one', () => {
    const files = ['C:\\b\\x.exe', 'C:\\a\\x', 'C:\\a\\x.exe'];
    expect(locatePlugin('x', looking('C:\\a;C:\\b', true, files))).toBe('C:\\a\\x.exe');
  });

  test('never in the working directory that an empty entry would mean', () => {
    expect(() => locatePlugin('x', looking(':/opt', false, ['x', '/x']))).toThrow(
      expect.objectContaining({ code: 7, details: 'looked for /opt/x' }),
    );
  });
});

test('an IPAM plugin that fails without saying why keeps its code, and we say what we were doing', async () => {
  const plugin = {
    type: 'host-local',
    path: '/opt/cni/bin/host-local',
    environment: {},
    stdin: '{}',
    spawn: async () => ({ exitCode: 1, stdout: '{"code":11,"msg":" ","details":"disk full"}' }),
  };
  await expect(delegateCommand(plugin, 'DEL')).rejects.toMatchObject({
    code: 11,
    message: 'running IPAM plugin "host-local" (DEL): it failed with code 11 and did not say why',
    details: 'disk full',
  });
});
