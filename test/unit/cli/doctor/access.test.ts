import { describe, expect, test } from 'vitest';
import { access } from '../../../../src/cli/doctor/checks/access.ts';
import { elevation } from '../../../../src/cli/doctor/checks/windows.ts';
import type { FileAccess } from '../../../../src/cli/terminal/access.ts';
import { diagnosed, snapshot } from './snapshot.ts';

const users = 'S-1-5-32-545';
const everyone = 'S-1-1-0';
const system = 'S-1-5-18';
const administrators = 'S-1-5-32-544';

const path = 'C:\\opt\\cni\\bin';
const file: FileAccess = {
  path,
  isFolder: true,
  product: '',
  owner: administrators,
  allowed: [{ sid: administrators, rights: 0x1f01ff, isInherited: true, isInheritOnly: false }],
};

function withRule(sid: string, rights: number, isInherited = true): FileAccess {
  return { ...file, allowed: [...file.allowed, { sid, rights, isInherited, isInheritOnly: false }] };
}

/** The commands that restrict access to a folder. */
const restricting = (folder: string) =>
  [
    `icacls ${folder} /setowner '*S-1-5-32-544'`,
    `icacls ${folder} /reset`,
    `icacls ${folder} /inheritance:r /grant '*S-1-5-32-544:(OI)(CI)F' /grant '*S-1-5-18:(OI)(CI)F'`,
  ].join('; ');

const given = (one: FileAccess, parents: readonly string[] = [], paths: readonly string[] = []) =>
  snapshot({ files: { value: [one] }, parents, log: { ...snapshot().log, paths } });

describe('elevation', () => {
  test.each([
    ['passes an elevated account', true, 'PASS WIN-3\\operator is elevated'],
    [
      'fails for any other account',
      false,
      'FAIL WIN-3\\operator is not elevated, and HCN requires administrator rights | fix: Start-Process powershell -Verb RunAs',
    ],
  ])('%s', (_, isElevated, expected) => {
    const value = { name: 'WIN-3\\operator', isElevated };
    expect(diagnosed(elevation, snapshot({ windows: { account: { value } } }))).toEqual([expected]);
  });
});

describe('access', () => {
  test.each([
    ['SYSTEM with all rights', system, 0x1f01ff],
    ['users with read and execute rights', users, 0x1200a9],
  ])('passes %s', (_, sid, rights) => {
    expect(diagnosed(access, given(withRule(sid, rights)))).toEqual([
      'PASS only administrators and SYSTEM can modify the CNI plugins and configurations (1 path checked)',
    ]);
  });

  test.each([
    ['create files', users, 0x2, 'Users'],
    ['take ownership', 'S-1-5-21-1-2-3-1001', 0x80000, 'S-1-5-21-1-2-3-1001'],
  ])('fails if another account may %s', (_, sid, rights, name) => {
    expect(diagnosed(access, given(withRule(sid, rights)))).toEqual([
      `FAIL C:\\opt\\cni\\bin can be modified by ${name} | fix: ${restricting('C:\\opt\\cni\\bin')}`,
    ]);
  });

  test('is unknown if no file or folder exists', () => {
    expect(diagnosed(access, snapshot({ files: { value: [] } }))).toEqual([
      'UNKNOWN found no file or folder of win-hcn',
    ]);
  });

  test('fails for an owner who is not an administrator', () => {
    expect(diagnosed(access, given({ ...file, owner: 'S-1-5-21-1-2-3-1001' }))).toEqual([
      `FAIL C:\\opt\\cni\\bin can be modified by S-1-5-21-1-2-3-1001 | fix: ${restricting('C:\\opt\\cni\\bin')}`,
    ]);
  });

  test('only warns about the log', () => {
    expect(access.diagnose(given(withRule(users, 0x2), [], [path]))).toMatchObject([{ verdict: 'WARN' }]);
  });

  test.each([
    ['create files and folders in it', 0x6, 'PASS'],
    ['delete or rename it', 0x10000, 'FAIL'],
  ])('if another account may %s in a parent folder: %s', (_, rights, verdict) => {
    expect(access.diagnose(given(withRule(users, rights), [path]))).toMatchObject([{ verdict }]);
  });

  test('reports an inherited right once, where it can be fixed', () => {
    const below = ['C:\\opt\\cni\\bin', 'C:\\OPT\\cni\\bin\\win-hcn.exe'];
    const [folder, exe] = below.map((one) => ({
      ...withRule(users, 0x1301bf),
      path: one,
      isFolder: one === path,
    }));
    const conf = { ...withRule(everyone, 0x1301bf, false), path: 'C:\\etc\\cni\\net.d' };
    expect(
      diagnosed(access, snapshot({ files: { value: [folder, exe, conf].flatMap((one) => one ?? []) } })),
    ).toEqual([
      `FAIL C:\\opt\\cni\\bin can be modified by Users | fix: ${restricting('C:\\opt\\cni\\bin')}`,
      `FAIL C:\\etc\\cni\\net.d can be modified by Everyone | fix: ${restricting('C:\\etc\\cni\\net.d')}`,
    ]);
  });

  test.each([
    ['a rule of its own', withRule(users, 0x1301bf, false)],
    ['an owner who is not an administrator', { ...withRule(users, 0x1301bf), owner: 'S-1-5-21-1-2-3-1001' }],
  ])('reports a file in an open folder if it has %s', (_, one) => {
    const files = [withRule(users, 0x1301bf), { ...one, path: `${path}\\win-hcn.exe`, isFolder: false }];
    expect(access.diagnose(snapshot({ files: { value: files } }))).toHaveLength(2);
  });

  test('fixes only its own folder if a folder that other software may need is open', () => {
    const open = ['C:\\opt\\cni\\bin', 'C:\\opt\\cni', 'C:\\opt'].map((one) => ({
      ...withRule(users, 0x1301bf),
      path: one,
    }));
    expect(
      diagnosed(access, snapshot({ files: { value: open }, parents: ['C:\\opt\\cni', 'C:\\opt'] })),
    ).toEqual([
      `FAIL C:\\opt\\cni\\bin can be modified by Users | fix: ${restricting('C:\\opt\\cni\\bin')}`,
      'FAIL C:\\opt can be replaced with its contents by Users; remove this right unless other software needs it | see: icacls C:\\opt',
    ]);
  });

  test.each([
    ['C:\\k\\logs', true, 'see'],
    ['C:\\k\\logs\\win-hcn.log', false, 'fix'],
    ['C:\\ProgramData\\win-hcn\\logs', true, 'fix'],
  ])('warns about the log path %s', (logPath, isFolder, command) => {
    const [diagnosis] = access.diagnose(
      given({ ...withRule(users, 0x2), path: logPath, isFolder }, [], [logPath]),
    );
    expect(diagnosis).toMatchObject({
      verdict: 'WARN',
      [command]: expect.stringContaining(`icacls ${logPath}`),
    });
  });

  test('passes a parent folder with rights that apply only to what is created inside', () => {
    const one = {
      ...file,
      allowed: [{ sid: users, rights: 0x1301bf, isInherited: true, isInheritOnly: true }],
    };
    expect(access.diagnose(given(one, [path]))).toMatchObject([{ verdict: 'PASS' }]);
  });

  test.each(['C:\\', 'C:\\ProgramData'])('offers no fix for the Windows folder %s', (folder) => {
    expect(diagnosed(access, given({ ...withRule(users, 0x1301bf), path: folder }))).toEqual([
      `FAIL ${folder} can be modified by Users | see: icacls ${folder.includes(' ') ? `'${folder}'` : folder}`,
    ]);
  });
});
