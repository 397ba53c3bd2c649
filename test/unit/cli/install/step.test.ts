import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { planConfiguration } from '../../../../src/cli/install/plan-configuration.ts';
import { runSteps } from '../../../../src/cli/install/run-steps.ts';
import type { InstallStep } from '../../../../src/cli/install/step.ts';
import { contentOf, impatientFiles, newFolder, systemError } from './bin-folder.ts';

/** Files that refuse to rename something this many times. */
function refusing(times: number, code: string) {
  let refusals = times;
  const rename = (from: string, to: string) => {
    if (refusals-- > 0) throw systemError(code);
    impatientFiles.rename(from, to);
  };
  return { ...impatientFiles, rename };
}

describe('an addon that a virus scanner holds', () => {
  const name = 'win-hcn-koffi-0123456789abcdef.node';
  const addonIn = (folder: string): InstallStep => ({
    do: 'write addon',
    path: join(folder, name),
    bytes: Buffer.from('addon'),
  });

  test.each(['EBUSY', 'EPERM', 'EACCES'])('for some seconds (%s) is written', async (code) => {
    const folder = newFolder();
    await runSteps([addonIn(folder)], refusing(49, code));
    expect(contentOf(folder)).toEqual({ [name]: 'addon' });
  });

  test('for longer is not written, and the sentence has the fix', async () => {
    const folder = newFolder();
    await expect(runSteps([addonIn(folder)], refusing(50, 'EBUSY'))).rejects.toThrow(
      `cannot write ${join(folder, name)}: another program uses it. Close the program that uses it, such as a virus scanner, and run this command again.`,
    );
    expect(contentOf(folder)).toEqual({});
  });
});

describe('a failure', () => {
  const steps = (folder: string): readonly InstallStep[] => [
    { do: 'create folder', path: join(folder, 'conf') },
    {
      do: 'write configuration',
      path: join(folder, '10-a.conflist'),
      bytes: Buffer.from('new'),
      previous: Buffer.from('old'),
    },
    {
      do: 'rename configuration',
      path: join(folder, '05-b.conf'),
      to: join(folder, '05-b.off'),
      replaced: undefined,
    },
  ];

  test('undoes the steps before it', async () => {
    const before = { '10-a.conflist': 'old' };
    const folder = newFolder(before);
    await expect(runSteps(steps(folder), impatientFiles)).rejects.toThrow(
      `cannot rename ${join(folder, '05-b.conf')}: no such file or folder. Fix this and run this command again. The completed steps were rolled back.`,
    );
    expect(contentOf(folder)).toEqual(before);
  });

  test('brings back configurations that were kept before', async () => {
    const before = {
      '05-b.conf': 'newer b',
      '05-b.conf.before-win-hcn': 'older b',
      '10-a.conflist': 'newer a',
      '10-a.conflist.before-win-hcn': 'older a',
    };
    const folder = newFolder(before);
    const given = { name: '10-a.conflist', bytes: Buffer.from('ours') };
    const plan = planConfiguration({ folder, given, park: true, maxConfNum: 1 }, impatientFiles);
    const failing: InstallStep = { do: 'create folder', path: join(folder, 'missing', 'conf') };
    await expect(runSteps([...plan, failing], impatientFiles)).rejects.toThrow('cannot create ');
    expect(plan.map((step) => step.do)).toEqual([
      'keep configuration',
      'write configuration',
      'rename configuration',
    ]);
    expect(contentOf(folder)).toEqual(before);
  });

  test('of the rollback is reported as well', async () => {
    const folder = newFolder({ '10-a.conflist': 'old' });
    const removeFolder = () => {
      throw systemError('EBUSY');
    };
    await expect(runSteps(steps(folder), { ...impatientFiles, removeFolder })).rejects.toThrow(
      `The rollback failed as well: cannot undo "create folder ${join(folder, 'conf')}": EBUSY: the text of the operating system. Run this command again to repair the installation.`,
    );
  });
});

describe('access that icacls does not restrict', () => {
  const step: InstallStep = {
    do: 'restrict access',
    path: 'C:\\opt',
    commands: [['C:\\opt', '/inheritance:r']],
  };

  test.each([
    [
      { exitCode: 5, stdout: '', stderr: 'Access is denied.' },
      'icacls ended with exit code 5: Access is denied.',
    ],
    [{ problem: 'spawn icacls.exe ENOENT' }, 'spawn icacls.exe ENOENT'],
  ])('is an error with the fix: %j', async (result, reason) => {
    await expect(runSteps([step], { ...impatientFiles, run: async () => result })).rejects.toThrow(
      `cannot restrict access to C:\\opt: ${reason.replace(/\.$/, '')}. Run this command as an administrator.`,
    );
  });
});
