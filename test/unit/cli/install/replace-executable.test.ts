import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { keptName, previousName, stagedName } from '../../../../src/cli/install/layout.ts';
import { repairExecutables } from '../../../../src/cli/install/repair.ts';
import { replaceExecutable } from '../../../../src/cli/install/replace-executable.ts';
import { stageExecutable } from '../../../../src/cli/install/stage-executable.ts';
import { contentOf, impatientFiles, newFolder, program, systemError } from './bin-folder.ts';

const target = 'win-hcn.exe';
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const stagedAs = (version: string) => stagedName(target, hashOf(program(version)));

describe('staging', () => {
  const source = join(newFolder({ [target]: program('2') }), target);

  test('copies the program beside the one in force', async () => {
    const folder = newFolder({ [target]: program('1') });
    await stageExecutable({ source, folder, target, sha256: hashOf(program('2')) }, impatientFiles);
    expect(contentOf(folder)).toEqual({ [target]: program('1'), [stagedAs('2')]: program('2') });
  });

  test('of a program that fails is refused and leaves nothing', async () => {
    const broken = join(newFolder({ [target]: '#!/bin/sh\nexit 3\n' }), target);
    const folder = newFolder({ [target]: program('1') });
    const staging = stageExecutable(
      { source: broken, folder, target, sha256: hashOf('#!/bin/sh\nexit 3\n') },
      impatientFiles,
    );
    await expect(staging).rejects.toThrow(
      `${broken} cannot be installed: its copy exits with code 3. Download win-hcn again, or allow it in your security software.`,
    );
    expect(contentOf(folder)).toEqual({ [target]: program('1') });
  });
});

describe('replacing', () => {
  const replacement = { target, staged: stagedAs('2'), keepAs: previousName(target) };
  const before = { [target]: program('1'), [stagedAs('2')]: program('2') };
  const after = { [target]: program('2'), [previousName(target)]: program('1') };

  test('keeps the program before, and retires the one before that', async () => {
    const folder = newFolder({ ...before, [previousName(target)]: program('0') });
    let count = 0;
    await replaceExecutable({ folder, ...replacement }, { ...impatientFiles, unique: () => `7${count++}` });
    expect(contentOf(folder)).toEqual({ ...after, [`${target}.old-71`]: program('0') });
  });

  test('waits for a scanner', async () => {
    const folder = newFolder(before);
    let refusals = 3;
    await replaceExecutable(
      { folder, ...replacement },
      {
        ...impatientFiles,
        rename: (from, to) => {
          if (refusals-- > 0) throw systemError('EBUSY');
          impatientFiles.rename(from, to);
        },
      },
    );
    expect(contentOf(folder)).toEqual(after);
  });

  test('moves a program aside that Windows does not replace because it runs', async () => {
    const folder = newFolder(before);
    const overRunning = (from: string, to: string) => {
      if (impatientFiles.status(to) !== undefined) throw systemError('EPERM');
      impatientFiles.rename(from, to);
    };
    const files = { ...impatientFiles, rename: overRunning, unique: () => '77' };
    await replaceExecutable({ folder, ...replacement }, files);
    expect(contentOf(folder)).toEqual({ ...after, [`${target}.old-77`]: program('1') });
  });

  test('leaves the old program in force if the new one cannot get its name', async () => {
    const folder = newFolder(before);
    const rename = (from: string, to: string) => {
      if (from.includes('.new-')) throw systemError('EPERM');
      impatientFiles.rename(from, to);
    };
    await expect(
      replaceExecutable({ folder, ...replacement }, { ...impatientFiles, rename }),
    ).rejects.toThrow(
      `cannot replace ${join(folder, target)}: permission denied. Run this command as an administrator; if you do, another program, such as a virus scanner, uses the file.`,
    );
    expect(contentOf(folder)[target]).toBe(program('1'));
  });
});

describe('the repair', () => {
  test.each([
    [
      'restores the previous version',
      { [previousName(target)]: program('1'), [stagedAs('2')]: program('2') },
      '1',
    ],
    ['uses a complete staged version', { [stagedAs('2')]: program('2') }, '2'],
    ['uses no half of a staged version', { [stagedAs('2')]: program('2').slice(0, 20) }, undefined],
  ])('%s if none is in force', (_, before, version) => {
    const folder = newFolder(before);
    repairExecutables(folder, impatientFiles);
    expect(contentOf(folder)).toEqual(version === undefined ? {} : { [target]: program(version) });
  });

  test("restores a peer's own program", () => {
    const folder = newFolder({ [target]: program('1'), [keptName('sdnbridge.exe')]: 'its own' });
    repairExecutables(folder, impatientFiles);
    expect(contentOf(folder)).toEqual({ [target]: program('1'), 'sdnbridge.exe': 'its own' });
  });

  test('deletes leftovers, and keeps the previous version', () => {
    const kept = { [target]: program('2'), [previousName(target)]: program('1'), 'flannel.exe': 'its own' };
    const folder = newFolder({
      ...kept,
      [stagedAs('3')]: program('3'),
      [`${target}.old-77`]: program('0'),
      'win-hcn-koffi-0123456789abcdef.node.42-99': 'half',
    });
    repairExecutables(folder, impatientFiles);
    expect(contentOf(folder)).toEqual(kept);
  });
});
