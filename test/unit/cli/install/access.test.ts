import { describe, expect, test } from 'vitest';
import { accessChanges, restrict } from '../../../../src/cli/install/access.ts';
import { installFiles } from '../../../../src/cli/install/files.ts';
import type { ScriptResult } from '../../../../src/cli/terminal/run-program.ts';
import { terminal } from '../../../../src/cli/terminal/terminal.ts';
import { system } from '../../../../src/system.ts';

const [users, administrators] = ['S-1-5-32-545', 'S-1-5-32-544'];
const bin = 'C:\\opt\\cni\\bin';

/** Returns the runs of icacls, remarks and distrusted files for a folder with these files, which may lead to another. */
async function check(result: ScriptResult, to = bin, names: readonly string[] = []) {
  const ran: (readonly string[])[] = [];
  const disk = {
    ...installFiles,
    kindOf: () => 'file' as const,
    list: () => names,
    identify: () => ({ sha256: '', isWinHcn: false }),
    run: async (_: string, words: readonly string[]) => {
      ran.push(words);
      return { exitCode: 0, stderr: '' };
    },
  };
  const { changes, remarks, distrusted } = await accessChanges(
    [{ given: bin, path: to, missing: undefined }],
    disk,
    { system: { ...system, windows: true }, terminal: { ...terminal, powershell: async () => result } },
  );
  for (const change of changes) await change.run(disk);
  return { titles: changes.map(({ title }) => title), ran, remarks, distrusted };
}

const nothing = { titles: [], ran: [], remarks: [], distrusted: [] };

/** What PowerShell prints for folders that this account may modify. */
function openTo(sid: string, ...paths: readonly string[]) {
  const rules = [{ sid, rights: 0x1f01ff, inherited: false, inheritOnly: false }];
  const files = paths.map((path) => ({ path, folder: true, product: '', owner: administrators, rules }));
  return { stdout: JSON.stringify({ files }), files };
}

const restrictedFolder = [
  bin,
  '/inheritance:r',
  '/grant',
  '*S-1-5-32-544:(OI)(CI)F',
  '/grant',
  '*S-1-5-18:(OI)(CI)F',
  '/remove:g',
  '*S-1-5-32-545',
];

test('a folder that only administrators can modify stays as it is', async () => {
  expect(await check(openTo(administrators, bin, 'C:\\opt'))).toEqual(nothing);
});

test('a folder that users can modify is restricted, and its parents are reported', async () => {
  expect(await check(openTo(users, bin, 'C:\\opt'))).toEqual({
    titles: [`restrict access to ${bin} to administrators and SYSTEM`],
    ran: [restrictedFolder],
    remarks: [
      'C:\\opt can be replaced or modified by Users. Remove this right unless other software needs it.',
    ],
    distrusted: [],
  });
});

test('a failure of icacls is reported', async () => {
  const run = async () => ({ exitCode: 5, stderr: 'Access is denied.\n' });
  await expect(restrict(bin, [[bin]], { run })).rejects.toThrow(
    `cannot restrict access to ${bin}: icacls ended with exit code 5: Access is denied. Run this command as an administrator.`,
  );
});

test('without PowerShell, nothing is restricted, and a sentence says so', async () => {
  expect(await check({ problem: 'cannot run PowerShell: ENOENT' })).toEqual({
    ...nothing,
    remarks: [
      `The access lists of ${bin} are not checked: cannot run PowerShell: ENOENT. Only administrators and SYSTEM may modify these folders.`,
    ],
  });
});

describe('a path that leads to another folder', () => {
  test.each([
    ['that folder', 'C:\\Windows\\Temp', 'C:\\Windows\\Temp'],
    ['the link', bin, 'C:\\Windows\\System32'],
  ])('is refused if others can modify %s: they would choose whose access changes', async (_, open, to) => {
    await expect(check(openTo(users, open), to)).rejects.toThrow(
      `C:\\opt\\cni\\bin leads to ${to}, and Users can modify ${open}. Restrict access to both, or specify ${to} instead, which is then restricted.`,
    );
  });

  test('stays as it is if only administrators can modify both', async () => {
    expect(await check(openTo(administrators, bin, 'D:\\bin'), 'D:\\bin')).toEqual(nothing);
  });
});

describe('files in the folder:', () => {
  const names = ['win-hcn.exe', 'win-hcn.exe.previous', 'nat.exe.before-win-hcn', 'flannel.exe'];
  const [exe = '', previous = '', kept = ''] = names.map((name) => `${bin}\\${name}`);
  const file = (path: string, owner: string) => ({ path, folder: false, product: '', owner, rules: [] });
  const user = 'S-1-5-21-1-2-3-1001';

  test('one that a user owns is restricted and distrusted, because the owner can change its access', async () => {
    const files = [file(exe, administrators), file(previous, user)];
    expect(await check({ stdout: JSON.stringify({ files }) }, bin, names)).toEqual({
      titles: [`restrict access to ${previous} to administrators and SYSTEM`],
      ran: [
        [previous, '/inheritance:r', '/grant', '*S-1-5-32-544:F', '/grant', '*S-1-5-18:F'],
        [previous, '/setowner', '*S-1-5-32-544'],
      ],
      remarks: [],
      distrusted: [previous],
    });
  });

  test('all files of an installation are distrusted in a folder that users can modify', async () => {
    expect(await check(openTo(users, bin), bin, names)).toMatchObject({
      ran: [restrictedFolder],
      distrusted: [exe, previous, kept],
    });
  });
});
