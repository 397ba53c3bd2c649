import { expect, test } from 'vitest';
import { bundlePath } from '../../../../src/cli/collect/file-collectors.ts';

test.each([
  ['C:\\etc\\cni\\net.d\\10.conf', 'files/C/etc/cni/net.d/10.conf'],
  ['c:/k/config.toml', 'files/c/k/config.toml'],
  ['C:\\k\\..\\..\\x', 'files/C/x'],
  ['\\\\server\\share\\x', 'files/server/share/x'],
  ['\\\\?\\C:\\k\\x', 'files/_/C_/k/x'],
  ['..\\..\\x', 'files/x'],
  ['/var/log/win-hcn.log', 'files/var/log/win-hcn.log'],
])('%s is in a bundle as %s', (path, expected) => {
  expect(bundlePath(path)).toBe(expected);
});
