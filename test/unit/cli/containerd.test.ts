import { expect, test } from 'vitest';
import { confFoldersIn, findContainerdConfig } from '../../../src/cli/collect/containerd.ts';
import { bundlePath } from '../../../src/cli/collect/disk.ts';
import type { ScriptEnd } from '../../../src/cli/powershell.ts';
import { terminal } from '../../../src/cli/terminal.ts';

const usual = 'C:\\Program Files\\containerd\\config.toml';

test.each<[string, ScriptEnd, string]>([
  [
    'says nothing of it',
    { stdout: '"C:\\Program Files\\containerd\\containerd.exe" --run-service\r\n' },
    usual,
  ],
  ['is not known', { problem: 'PowerShell did not end within 20 s' }, usual],
  [
    'has --config',
    { stdout: '\r\nC:\\bin\\containerd.exe --config D:\\c.toml --log-level info\r\n' },
    'D:\\c.toml',
  ],
  ['has --config=', { stdout: 'containerd.exe --config="C:\\my files\\c.toml"' }, 'C:\\my files\\c.toml'],
  ['has -c', { stdout: 'containerd.exe -c C:\\rke2\\config.toml\r\n' }, 'C:\\rke2\\config.toml'],
])('the configuration of containerd, where its command line %s', async (_, end, expected) => {
  expect(await findContainerdConfig({ ...terminal, powershell: async () => end })).toBe(expected);
});

const defaults = ['C:\\etc\\cni\\net.d', 'C:\\Program Files\\containerd\\cni\\conf'];

test.each<[string | undefined, readonly string[]]>([
  [undefined, defaults],
  ['[plugins]\n  conf_dir = "D:\\\\cni"\n', ['D:\\cni', ...defaults]],
  [
    "conf_dir='c:\\ETC\\cni\\net.d' # ours",
    ['c:\\ETC\\cni\\net.d', 'C:\\Program Files\\containerd\\cni\\conf'],
  ],
])('the folders of CNI configurations, where containerd has %j', (configuration, expected) => {
  expect(confFoldersIn(configuration)).toEqual(expected);
});

test.each([
  ['C:\\etc\\cni\\net.d\\10.conf', 'files/C/etc/cni/net.d/10.conf'],
  ['c:/k/config.toml', 'files/c/k/config.toml'],
  ['C:\\k\\..\\..\\x', 'files/C/x'],
  ['\\\\server\\share\\x', 'files/server/share/x'],
  ['..\\..\\x', 'files/x'],
  ['/var/log/win-hcn.log', 'files/var/log/win-hcn.log'],
])('%s is in a bundle as %s', (path, expected) => {
  expect(bundlePath(path)).toBe(expected);
});
