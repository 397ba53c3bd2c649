import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeUnneededAddons } from '../../../../src/cli/install/unneeded-addons.ts';
import { contentOf, impatientFiles, newFolder, program, systemError } from './bin-folder.ts';

const addonOf = (version: string) => `win-hcn-koffi-${version.padStart(16, '0')}.node`;
const addons = Object.fromEntries(['1', '2', '3', '4', '5', '6'].map((one) => [addonOf(one), one]));
const executables = {
  'win-hcn.exe': program('5'),
  'win-hcn.exe.previous': program('4'),
  'win-hcn.exe.old-0abc': program('3'),
  'sdnbridge.exe': program('2'),
  'flannel.exe': 'of another project',
};

test('the addons of executables in the folder stay, also of running, kept and copied ones, and others are deleted', () => {
  const folder = newFolder({ ...executables, ...addons, 'other.node': 'of another project' });
  mkdirSync(join(folder, 'backup.exe'));
  removeUnneededAddons(folder, impatientFiles);
  const { [addonOf('1')]: _, [addonOf('6')]: __, ...left } = addons;
  expect(impatientFiles.list(folder).toSorted()).toEqual(
    ['backup.exe', 'other.node', ...Object.keys(executables), ...Object.keys(left)].toSorted(),
  );
});

test('an addon in use is left for the next run', () => {
  const folder = newFolder({ 'win-hcn.exe': program('5'), [addonOf('1')]: '', [addonOf('2')]: '' });
  const remove = (path: string) => {
    if (path.endsWith(addonOf('1'))) throw systemError('EPERM');
    impatientFiles.remove(path);
  };
  removeUnneededAddons(folder, { ...impatientFiles, remove });
  expect(Object.keys(contentOf(folder))).toEqual([addonOf('1'), 'win-hcn.exe']);
});

test('no addon is deleted if an executable cannot be read', () => {
  const files = { 'win-hcn.exe': program('5'), 'sdnbridge.exe': program('4'), ...addons };
  const folder = newFolder(files);
  const identify = (path: string) => {
    if (path.endsWith('sdnbridge.exe')) throw systemError('EBUSY');
    return impatientFiles.identify(path);
  };
  removeUnneededAddons(folder, { ...impatientFiles, identify });
  expect(contentOf(folder)).toEqual(files);
});
