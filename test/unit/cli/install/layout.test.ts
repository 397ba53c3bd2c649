import { expect, test } from 'vitest';
import {
  binFileOf,
  confFileOf,
  executableName,
  keptName,
  previousName,
  removedName,
  retiredName,
  stagedName,
  unfinishedName,
} from '../../../../src/cli/install/layout.ts';

const sha256 = '0123456789abcdef'.repeat(4);

test.each([
  [executableName, { kind: 'executable', target: 'win-hcn.exe' }],
  ['Win-HCN.exe', { kind: 'executable', target: 'Win-HCN.exe' }],
  [stagedName(executableName, sha256), { kind: 'staged', target: 'win-hcn.exe', hash: '0123456789abcdef' }],
  [previousName(executableName), { kind: 'previous', target: 'win-hcn.exe' }],
  [
    retiredName(executableName, '3f1b2c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d'),
    { kind: 'retired', target: 'win-hcn.exe' },
  ],
  [keptName('sdnbridge.exe'), { kind: 'kept', target: 'sdnbridge.exe' }],
  [
    stagedName('sdnbridge.exe', sha256),
    { kind: 'staged', target: 'sdnbridge.exe', hash: '0123456789abcdef' },
  ],
  ['win-hcn-koffi-0123456789abcdef.node', { kind: 'addon' }],
  ['win-hcn-koffi-0123456789abcdef.node.42-99', { kind: 'unfinished addon' }],
  ['sdnbridge.exe', undefined],
  ['win-hcn.exe.bak', undefined],
  ['win-hcn.exe.new-0123', undefined],
  ['calico.exe.previous', undefined],
  ['azure-vnet.exe.old-0190a1b2c3d4-0e1f2a3b', undefined],
])('%s in the folder of the plugins', (name, file) => {
  expect(binFileOf(name)).toEqual(file);
});

test.each([
  [keptName('10-flannel.conflist'), { kind: 'parked', target: '10-flannel.conflist' }],
  [unfinishedName('10-win-hcn.conflist'), { kind: 'unfinished', target: '10-win-hcn.conflist' }],
  [removedName('10-win-hcn.conflist'), { kind: 'removed', target: '10-win-hcn.conflist' }],
  ['10-win-hcn.conflist', undefined],
])('%s in the folder of the configurations', (name, file) => {
  expect(confFileOf(name)).toEqual(file);
});

test('containerd reads no configuration that is parked, unfinished or about to be deleted', () => {
  const names = [keptName, unfinishedName, removedName].map((nameOf) => nameOf('10-a.conflist'));
  expect(names.filter((name) => /\.(conf|conflist|json)$/.test(name))).toEqual([]);
});
