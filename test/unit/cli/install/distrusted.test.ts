import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { planInstall } from '../../../../src/cli/install/plan-install.ts';
import { planRollback, planUpgrade } from '../../../../src/cli/install/plan-upgrade.ts';
import { runSteps } from '../../../../src/cli/install/run-steps.ts';
import type { InstallStep } from '../../../../src/cli/install/step.ts';
import { notUnderWine } from '../../../not-on-windows.ts';
import { contentOf, impatientFiles, newFolder, program } from './bin-folder.ts';

const addon = { name: 'win-hcn-koffi-0123456789abcdef.node', bytes: new TextEncoder().encode('addon') };

let folder = '';
let source = '';
/** The programs that were run. */
let ran: readonly string[] = [];
const files = {
  ...impatientFiles,
  run: (path: string, args: readonly string[], seconds: number) => {
    ran = [...ran, path];
    return impatientFiles.run(path, args, seconds);
  },
};
const inFolder = (...names: readonly string[]) => names.map((name) => join(folder, name));

beforeEach(() => {
  folder = newFolder({
    'win-hcn.exe': program('2'),
    'win-hcn.exe.previous': program('1'),
    'nat.exe': program('2'),
    [addon.name]: 'addon',
  });
  source = join(newFolder({ 'win-hcn.exe': program('2') }), 'win-hcn.exe');
  ran = [];
});

const titles = (steps: readonly InstallStep[]) => steps.map((step) => step.do);

describe('programs that accounts other than administrators could have modified', () => {
  test('are replaced by install even with the right content, and the previous version is deleted', async () => {
    const conf = newFolder();
    const distrusted = inFolder('win-hcn.exe', 'win-hcn.exe.previous', 'nat.exe', addon.name);
    const request = {
      source,
      addon,
      folders: { bin: folder, conf, maxConfNum: 1 },
      given: undefined,
      replace: [],
    };
    const install = (access: { steps: []; distrusted: readonly string[] }) =>
      planInstall({ ...request, park: false, windows: false, logHome: undefined, access }, files);
    expect(install({ steps: [], distrusted: [] }).steps).toEqual([]);
    const { steps } = install({ steps: [], distrusted });
    expect(titles(steps)).toEqual([
      'write addon',
      'delete executable',
      'stage executable',
      'stage executable',
      'replace executable',
      'replace executable',
    ]);
    await runSteps(steps, files);
    expect(contentOf(folder)).toEqual({
      'win-hcn.exe': program('2'),
      'nat.exe': program('2'),
      [addon.name]: 'addon',
    });
    expect(ran.every((path) => path.includes('.exe.new-'))).toBe(true);
  });

  test('are not run by upgrade, which replaces them and does not keep them', async () => {
    const distrusted = inFolder('win-hcn.exe', 'win-hcn.exe.previous', 'nat.exe');
    source = join(newFolder({ 'win-hcn.exe': program('3') }), 'win-hcn.exe');
    const { from, steps } = await planUpgrade(
      { source, version: '3', addon: undefined, folder, distrusted },
      files,
    );
    expect({ from, ran }).toEqual({ from: undefined, ran: [] });
    await runSteps(steps, files);
    expect(contentOf(folder)).toMatchObject({ 'win-hcn.exe': program('3'), 'nat.exe': program('3') });
    expect(Object.keys(contentOf(folder))).not.toContain('win-hcn.exe.previous');
  });

  notUnderWine('Wine creates no symbolic links')(
    'are not run by upgrade --rollback through a link',
    async () => {
      const [previous = ''] = inFolder('win-hcn.exe.previous');
      files.remove(previous);
      symlinkSync(source, previous);
      await expect(planRollback({ folder }, files)).rejects.toThrow(`${previous} is missing`);
      expect(ran).toEqual([]);
    },
  );

  test('are not run by upgrade --rollback, which refuses', async () => {
    const [previous = ''] = inFolder('win-hcn.exe.previous');
    await expect(planRollback({ folder, distrusted: [previous] }, files)).rejects.toThrow(
      `the previous version ${previous} is not run, because accounts other than administrators could have modified it. Run win-hcn upgrade with the executable of that version.`,
    );
    expect(ran).toEqual([]);
  });
});
