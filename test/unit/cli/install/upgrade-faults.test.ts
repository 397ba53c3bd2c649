import { createHash } from 'node:crypto';
import { symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import type { InstallFiles } from '../../../../src/cli/install/files.ts';
import { stagedName } from '../../../../src/cli/install/layout.ts';
import { planRollback, planUpgrade } from '../../../../src/cli/install/plan-upgrade.ts';
import { removeLeftovers } from '../../../../src/cli/install/repair.ts';
import { runSteps } from '../../../../src/cli/install/run-steps.ts';
import { notUnderWine } from '../../../not-on-windows.ts';
import { contentOf, impatientFiles, newFolder, program, systemError } from './bin-folder.ts';

const [target, copy] = ['win-hcn.exe', 'sdnbridge.exe'];
const source = join(newFolder({ 'new.exe': program('2') }), 'new.exe');
const before = {
  [copy]: program('1'),
  [target]: program('1'),
  [`${target}.previous`]: program('0'),
};
const after = {
  [copy]: program('2'),
  [`${copy}.previous`]: program('1'),
  [target]: program('2'),
  [`${target}.previous`]: program('1'),
};

async function upgrade(folder: string, files: InstallFiles): Promise<void> {
  const { steps } = await planUpgrade({ source, version: '2', addon: undefined, folder }, files);
  await runSteps(steps, files);
  removeLeftovers(folder, files);
}

test('the installed version starts while the executables are read', async () => {
  const folder = newFolder(before);
  const calls: string[] = [];
  const files: InstallFiles = {
    ...impatientFiles,
    run: (path, ...rest) => {
      calls.push(`run ${basename(path)}`);
      return impatientFiles.run(path, ...rest);
    },
    identify: (path) => {
      calls.push(`identify ${basename(path)}`);
      return impatientFiles.identify(path);
    },
  };
  const { from } = await planUpgrade({ source, version: '2', addon: undefined, folder }, files);
  expect(from).toBe('1');
  expect(calls.slice(0, 2)).toEqual([`run ${target}`, 'identify new.exe']);
});

notUnderWine('Wine creates no symbolic links')(
  'a link in place of the installed version is not run',
  async () => {
    const folder = newFolder();
    symlinkSync(source, join(folder, target));
    const run: InstallFiles['run'] = () => Promise.reject(new Error('ran'));
    const planned = planUpgrade(
      { source, version: '2', addon: undefined, folder },
      { ...impatientFiles, run },
    );
    await expect(planned).rejects.toThrow(`${join(folder, target)} is a link.`);
  },
);

test('a full disk leaves the old versions in force', async () => {
  const folder = newFolder(before);
  const files: InstallFiles = {
    ...impatientFiles,
    copyNew: (from, path) => {
      impatientFiles.copyNew(from, path);
      if (path.includes(copy)) throw systemError('ENOSPC');
    },
  };
  await expect(upgrade(folder, files)).rejects.toThrow('Free some space and run this command again.');
  expect(contentOf(folder)).toEqual(before);
});

test('a rollback needs no space', async () => {
  const folder = newFolder({ [target]: program('1'), [`${target}.previous`]: program('0') });
  const files: InstallFiles = {
    ...impatientFiles,
    copyNew: () => {
      throw systemError('ENOSPC');
    },
  };
  const { from, to, steps } = await planRollback({ folder }, files);
  await runSteps(steps, files);
  removeLeftovers(folder, files);
  expect({ from, to }).toEqual({ from: '1', to: '0' });
  expect(contentOf(folder)).toEqual({ [target]: program('0'), [`${target}.previous`]: program('1') });
});

test('without hard links, the previous version is a copy', async () => {
  const folder = newFolder(before);
  const link = () => {
    throw systemError('ENOSYS');
  };
  await upgrade(folder, { ...impatientFiles, link });
  expect(contentOf(folder)).toEqual(after);
});

test('a scanner that holds the staged exe for some hundred milliseconds delays the upgrade', async () => {
  const folder = newFolder(before);
  let [reads, starts, pauses] = [3, 3, 0];
  const isStaged = (path: string) => path.includes('.new-');
  const files: InstallFiles = {
    ...impatientFiles,
    identify: (path) => {
      if (isStaged(path) && reads-- > 0) throw systemError('EBUSY');
      return impatientFiles.identify(path);
    },
    run: async (path, words, seconds) =>
      isStaged(path) && starts-- > 0
        ? { problem: `spawn ${path} EBUSY` }
        : impatientFiles.run(path, words, seconds),
    pause: async () => {
      pauses += 1;
    },
  };
  await upgrade(folder, files);
  expect(contentOf(folder)).toEqual(after);
  expect(pauses).toBe(6);
});

test('a program that nothing can rename stays in force, and a copy that was upgraded before it is restored', async () => {
  const folder = newFolder(before);
  const rename = (from: string, to: string) => {
    for (const path of [from, to]) if (path === join(folder, copy)) throw systemError('EBUSY');
    impatientFiles.rename(from, to);
  };
  await expect(upgrade(folder, { ...impatientFiles, rename })).rejects.toThrow(
    `cannot replace ${join(folder, copy)}: `,
  );
  removeLeftovers(folder, impatientFiles);
  expect(contentOf(folder)).toEqual(before);
});

test('a guard runs while the name is missing, and only then', async () => {
  const folder = newFolder({ [target]: program('1') });
  const names: string[] = [];
  const files: InstallFiles = {
    ...impatientFiles,
    rename: (from, to) => {
      if (to === join(folder, target) && impatientFiles.status(to) !== undefined) throw systemError('EPERM');
      impatientFiles.rename(from, to);
      if (impatientFiles.status(join(folder, target)) === undefined) names.push('missing');
    },
    guard: async () => {
      names.push('guarded');
      return { end: async () => void names.push('ended') };
    },
  };
  await upgrade(folder, files);
  expect(names).toEqual(['guarded', 'missing', 'ended']);
});

test('an upgrade waits for the end of a request instead of opening the gap', async () => {
  const folder = newFolder({ [target]: program('1') });
  let refusals = 20;
  const files: InstallFiles = {
    ...impatientFiles,
    rename: (from, to) => {
      if (from.includes(stagedName(target, createHash('sha256').update(program('2')).digest('hex'))))
        if (refusals-- > 0) throw systemError('EPERM');
      impatientFiles.rename(from, to);
    },
    guard: () => Promise.reject(new Error('no gap')),
  };
  await upgrade(folder, files);
  expect(contentOf(folder)[target]).toBe(program('2'));
});
