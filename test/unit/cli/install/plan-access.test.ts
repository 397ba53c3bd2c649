import { describe, expect, test } from 'vitest';
import { installFiles } from '../../../../src/cli/install/files.ts';
import { planAccess } from '../../../../src/cli/install/plan-access.ts';
import type { ScriptResult } from '../../../../src/cli/terminal/powershell.ts';
import { terminal } from '../../../../src/cli/terminal/terminal.ts';
import { system } from '../../../../src/system.ts';

const [users, administrators] = ['S-1-5-32-545', 'S-1-5-32-544'];
const bin = 'C:\\opt\\cni\\bin';

/** Plans for the folder, which may lead to another, with programs and other files in it. */
function plan(
  result: ScriptResult,
  { to = bin, ...given }: { to?: string; programs?: readonly string[]; files?: readonly string[] } = {},
) {
  const status = (path: string) =>
    ({ kind: path === bin && to !== bin ? 'link' : 'folder', links: 1 }) as const;
  const disk = { ...installFiles, status, resolve: (path: string) => (path === bin ? to : path) };
  return planAccess({ folders: [bin], programs: [], files: [], ...given }, disk, {
    system: { ...system, windows: true },
    terminal: { ...terminal, powershell: async () => result },
  });
}

/** What PowerShell prints for folders that this account may modify. */
function openTo(sid: string, ...paths: readonly string[]) {
  const rules = [{ sid, rights: 0x1f01ff, inherited: false, inheritOnly: false }];
  const files = paths.map((path) => ({ path, folder: true, product: '', owner: administrators, rules }));
  return { stdout: JSON.stringify({ files }), files };
}

test('a folder that only administrators can modify stays as it is', async () => {
  expect(await plan(openTo(administrators, bin, 'C:\\opt'))).toEqual({
    steps: [],
    remarks: [],
    distrusted: [],
  });
});

test('a folder that users can modify is restricted, and its parents are reported', async () => {
  expect(await plan(openTo(users, bin, 'C:\\opt'))).toEqual({
    steps: [
      {
        do: 'restrict access',
        path: bin,
        commands: [
          [
            bin,
            '/inheritance:r',
            '/grant',
            '*S-1-5-32-544:(OI)(CI)F',
            '/grant',
            '*S-1-5-18:(OI)(CI)F',
            '/remove:g',
            '*S-1-5-32-545',
          ],
        ],
      },
    ],
    remarks: [
      'C:\\opt can be replaced or modified by Users. Remove this right unless other software needs it.',
    ],
    distrusted: [],
  });
});

test('without PowerShell, nothing is restricted, and a sentence says so', async () => {
  expect(await plan({ problem: 'cannot run PowerShell: ENOENT' })).toEqual({
    steps: [],
    remarks: [
      `The access lists of ${bin} are not checked: cannot run PowerShell: ENOENT. Only administrators and SYSTEM may modify these folders.`,
    ],
    distrusted: [],
  });
});

describe('a path that leads to another folder', () => {
  test('is refused if others can modify that folder: whoever made the link would choose whose access changes', async () => {
    await expect(plan(openTo(users, 'C:\\Windows\\Temp'), { to: 'C:\\Windows\\Temp' })).rejects.toThrow(
      'C:\\opt\\cni\\bin leads to C:\\Windows\\Temp, and Users can modify C:\\Windows\\Temp. Restrict access to both, or specify C:\\Windows\\Temp instead, which is then restricted.',
    );
  });

  test('is refused if others can modify the link', async () => {
    await expect(plan(openTo(users, bin), { to: 'C:\\Windows\\System32' })).rejects.toThrow(
      'Users can modify C:\\opt\\cni\\bin.',
    );
  });

  test('stays as it is if only administrators can modify both', async () => {
    expect(await plan(openTo(administrators, bin, 'D:\\bin'), { to: 'D:\\bin' })).toEqual({
      steps: [],
      remarks: [],
      distrusted: [],
    });
  });
});

describe('files in the folder:', () => {
  const [exe, previous, kept] = [
    `${bin}\\win-hcn.exe`,
    `${bin}\\win-hcn.exe.previous`,
    `${bin}\\nat.exe.before-win-hcn`,
  ];
  const output = (...files: readonly object[]): ScriptResult => ({ stdout: JSON.stringify({ files }) });
  const file = (path: string, owner: string) => ({
    path,
    folder: path === bin,
    product: '',
    owner,
    rules: [],
  });
  const user = 'S-1-5-21-1-2-3-1001';

  test('a program that a user owns is distrusted, because the owner can change its access', async () => {
    const found = output(file(bin, administrators), file(exe, administrators), file(previous, user));
    expect(await plan(found, { programs: [exe, previous] })).toEqual({
      steps: [],
      remarks: [],
      distrusted: [previous],
    });
  });

  test('all programs of a folder that users can modify are distrusted', async () => {
    const closed = file(exe, administrators);
    const found = output(...openTo(users, bin).files, closed);
    expect(await plan(found, { programs: [exe] })).toMatchObject({
      steps: [{ do: 'restrict access', path: bin }],
      distrusted: [exe],
    });
  });

  test("a peer's executable and a configuration are restricted, unless the folder's access is all that they have", async () => {
    const inherited = { sid: users, rights: 0x1f01ff, inherited: true, inheritOnly: false };
    const open = openTo(users, bin).files;
    const inheriting = { ...file(kept, administrators), rules: [inherited] };
    const steps = async (of: object) => (await plan(output(...open, of), { files: [kept] })).steps;
    expect(await steps(inheriting)).toMatchObject([{ path: bin }]);
    expect(await steps({ ...inheriting, owner: user })).toMatchObject([
      { path: bin },
      {
        path: kept,
        commands: [
          [kept, '/inheritance:r', '/grant', '*S-1-5-32-544:F', '/grant', '*S-1-5-18:F'],
          [kept, '/setowner', '*S-1-5-32-544'],
        ],
      },
    ]);
  });
});
