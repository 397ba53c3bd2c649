import { describe, expect, test } from 'vitest';
import { readIpamType } from '../../src/config/essential-keys.ts';
import { readNetworkConfig } from '../../src/config/read-config.ts';
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
    ['"C:\\a;b";C:\\cni', true, 'C:\\a;b\\host-local.exe'],
    ['C:\\cni\\', true, 'C:\\cni\\host-local'],
  ])('in CNI_PATH %s (Windows: %s) as %s', (cniPath, windows, path) => {
    expect(locatePlugin('host-local', looking(cniPath, windows, [path]))).toBe(path);
  });

  test('with .exe before without, in the first folder that has one', () => {
    const files = ['C:\\b\\x.exe', 'C:\\a\\x', 'C:\\a\\x.exe'];
    expect(locatePlugin('x', looking('C:\\a;C:\\b', true, files))).toBe('C:\\a\\x.exe');
  });

  test.each([
    ['bin:./bin:../bin', false, ['bin/x', './bin/x', '../bin/x']],
    ['C:bin;bin;.;C:', true, ['C:bin\\x.exe', 'bin\\x.exe', '.\\x.exe', 'C:\\x.exe', 'C:x.exe']],
    ['\\\\server\\bin;//server/bin;\\\\?\\C:\\bin', true, ['\\\\server\\bin\\x.exe', '//server/bin\\x.exe']],
  ])(
    'in no entry of CNI_PATH that is not a local absolute path: %s (Windows: %s)',
    (cniPath, windows, files) => {
      const entries = cniPath
        .split(windows ? ';' : ':')
        .map((entry) => `; ${entry} is not a local absolute path`);
      expect(() => locatePlugin('x', looking(cniPath, windows, files))).toThrow(
        expect.objectContaining({ code: 7, details: `checked no file${entries.join('')}` }),
      );
    },
  );

  test('on the current drive if CNI_PATH has no drive, such as /opt/cni/bin', () => {
    const path = '/opt/cni/bin\\x.exe';
    expect(locatePlugin('x', looking('/opt/cni/bin', true, [path]))).toBe(path);
  });

  test('not in the working directory for an empty entry of CNI_PATH', () => {
    expect(() => locatePlugin('x', looking(':/opt', false, ['x', '/x']))).toThrow(
      expect.objectContaining({ code: 7, details: 'checked /opt/x' }),
    );
  });
});

describe('an IPAM plugin is never', () => {
  const network = { cniVersion: '1.1.0', name: 'n', type: 'win-hcn', networkType: 'NAT' };

  test.each([
    ['a path', 'bin/x'],
    ['an absolute path of Windows', 'C:\\x.exe'],
    ['a path on another machine', '\\\\server\\x'],
    ['an alternate data stream', 'x:y'],
    ['with a trailing space', 'x '],
    ['with a NUL inside', 'x\0y'],
  ])('%s: %j', (_, type) => {
    const json = { ...network, subnets: [{ subnet: '10.0.0.0/24' }], ipam: { type } };
    expect(readIpamType(json)).toBeUndefined();
    expect(() => readNetworkConfig(json, {})).toThrow(
      `/ipam/type is ${JSON.stringify(type)}, expected the name of an IPAM plugin, without a path`,
    );
  });
});
