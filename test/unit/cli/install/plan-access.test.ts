import { expect, test } from 'vitest';
import { installFiles } from '../../../../src/cli/install/files.ts';
import { planAccess } from '../../../../src/cli/install/plan-access.ts';
import type { ScriptResult } from '../../../../src/cli/powershell.ts';
import { terminal } from '../../../../src/cli/terminal.ts';
import { system } from '../../../../src/system.ts';

const [users, administrators] = ['S-1-5-32-545', 'S-1-5-32-544'];
const bin = 'C:\\opt\\cni\\bin';

/** Plans for the folder, which may be a link, and files in it. */
function plan(result: ScriptResult, files: readonly string[] = [], linkTo?: string) {
  const folderStatus = { kind: linkTo === undefined ? 'folder' : 'link', size: 0, links: 1 } as const;
  const disk = {
    ...installFiles,
    status: (path: string) =>
      path === bin ? folderStatus : ({ kind: 'folder', size: 0, links: 1 } as const),
    resolve: (path: string) => (path === bin ? (linkTo ?? path) : path),
  };
  return planAccess({ folders: [bin], files }, disk, {
    system: { ...system, windows: true },
    terminal: { ...terminal, powershell: async () => result },
  });
}

/** What PowerShell prints for folders that this account may modify. */
function openTo(sid: string, ...paths: readonly string[]): ScriptResult {
  const rules = [{ sid, rights: 0x1f01ff, inherited: false, inheritOnly: false }];
  const files = paths.map((path) => ({ path, folder: true, product: '', owner: administrators, rules }));
  return { stdout: JSON.stringify({ files }) };
}

test('a folder that only administrators can modify stays as it is', async () => {
  expect(await plan(openTo(administrators, bin, 'C:\\opt'))).toEqual({ steps: [], remarks: [] });
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
  });
});

test("a link's target is reported, and stays as it is: whoever made the link chose it", async () => {
  expect(await plan(openTo(users, 'D:\\shares'), [], 'D:\\shares')).toEqual({
    steps: [],
    remarks: [
      'D:\\shares can be replaced or modified by Users. Remove this right unless other software needs it.',
    ],
  });
});

test('a file that a user created in the folder is restricted, but not one that only inherits', async () => {
  const [planted, inheriting] = [`${bin}\\win-hcn.exe.previous`, `${bin}\\win-hcn.exe`];
  const rule = { sid: users, rights: 0x1f01ff, inherited: true, inheritOnly: false };
  const user = 'S-1-5-21-1-2-3-1001';
  const file = (path: string, owner: string) => ({ path, folder: false, product: '', owner, rules: [rule] });
  const files = [
    { ...file(bin, administrators), folder: true, rules: [{ ...rule, inherited: false }] },
    file(planted, user),
    file(inheriting, administrators),
  ];
  const { steps } = await plan({ stdout: JSON.stringify({ files }) }, [planted, inheriting]);
  expect(steps).toMatchObject([
    { path: bin },
    {
      path: planted,
      commands: [
        [planted, '/inheritance:r', '/grant', '*S-1-5-32-544:F', '/grant', '*S-1-5-18:F'],
        [planted, '/setowner', '*S-1-5-32-544'],
      ],
    },
  ]);
});

test('without PowerShell, nothing is restricted, and a sentence says so', async () => {
  expect(await plan({ problem: 'cannot run PowerShell: ENOENT' })).toEqual({
    steps: [],
    remarks: [
      `The access lists of ${bin} are not checked: cannot run PowerShell: ENOENT. Only administrators and SYSTEM may modify these folders.`,
    ],
  });
});
