import { describe, expect, test } from 'vitest';
import { access } from '../../../../src/cli/doctor/checks/access.ts';
import type { FileAccess } from '../../../../src/cli/doctor/collectors/files.ts';
import { facts } from './facts.ts';

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

const judge = (one: FileAccess, above: readonly string[] = [], places: readonly string[] = []) =>
  access.judge(facts({ files: { known: [one] }, above, log: { path: '', places, answers: { known: [] } } }));

describe('access', () => {
  test.each([
    ['SYSTEM with all rights', system, 0x1f01ff],
    [
      'TrustedInstaller with all rights',
      'S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464',
      0x1f01ff,
    ],
    ['whoever creates a file, with all rights', 'S-1-3-0', 0x10000000],
    ["a domain's administrators with all rights", 'S-1-5-21-1-2-3-512', 0x1f01ff],
    ['users who may read and run', users, 0x1200a9],
    ['users with the generic rights to read and run', users, -1610612736],
    ['users who may write attributes', users, 0x110],
  ])('passes %s', (_, sid, rights) => {
    expect(judge(withRule(sid, rights))).toEqual([
      {
        verdict: 'PASS',
        seen: 'only administrators and SYSTEM can change win-hcn, its configuration and its log (1 places)',
      },
    ]);
  });

  test.each([
    ['create files', users, 0x2, 'Users'],
    ['create folders', users, 0x4, 'Users'],
    ['delete what is inside', everyone, 0x40, 'Everyone'],
    ['delete', 'S-1-5-11', 0x10000, 'Authenticated Users'],
    ['change permissions', users, 0x40000, 'Users'],
    ['take ownership', 'S-1-5-21-1-2-3-1001', 0x80000, 'S-1-5-21-1-2-3-1001'],
    ['write, by the generic right', users, 0x40000000, 'Users'],
    ['do everything, by the generic right', users, 0x10000000, 'Users'],
  ])('fails for one who may %s', (_, sid, rights, name) => {
    expect(judge(withRule(sid, rights))).toEqual([
      {
        verdict: 'FAIL',
        seen: `C:\\opt\\cni\\bin can be changed by ${name}`,
        fix: "icacls C:\\opt\\cni\\bin /inheritance:r /grant '*S-1-5-32-544:(OI)(CI)F' /grant '*S-1-5-18:(OI)(CI)F'",
      },
    ]);
  });

  test('takes a right away that is not inherited, of a file whose name has a quote', () => {
    const one = { ...withRule(users, 0x2, false), path: "C:\\it's\\win-hcn.exe", isFolder: false };
    expect(judge(one)).toMatchObject([
      {
        fix: "icacls 'C:\\it''s\\win-hcn.exe' /inheritance:r /grant '*S-1-5-32-544:F' /grant '*S-1-5-18:F' /remove:g '*S-1-5-32-545'",
      },
    ]);
  });

  test('is unknown where none of the places is there', () => {
    expect(access.judge(facts({ files: { known: [] } }))).toEqual([
      { verdict: 'UNKNOWN', seen: 'none of the places of win-hcn is there' },
    ]);
  });

  test('fails for an owner who is no administrator', () => {
    expect(judge({ ...file, owner: 'S-1-5-21-1-2-3-1001' })).toEqual([
      {
        verdict: 'FAIL',
        seen: 'C:\\opt\\cni\\bin can be changed by S-1-5-21-1-2-3-1001',
        fix: "icacls C:\\opt\\cni\\bin /inheritance:r /grant '*S-1-5-32-544:(OI)(CI)F' /grant '*S-1-5-18:(OI)(CI)F'; icacls C:\\opt\\cni\\bin /setowner '*S-1-5-32-544'",
      },
    ]);
  });

  test('warns where it is the log only', () => {
    expect(judge(withRule(users, 0x2), [], [path])).toMatchObject([{ verdict: 'WARN' }]);
  });

  test.each([
    ['create what is beside it', 0x6, 'PASS'],
    ['rename it', 0x10000, 'FAIL'],
    ['delete what is inside', 0x40, 'FAIL'],
  ])('of a folder further up who may %s: %s', (_, rights, verdict) => {
    expect(judge(withRule(users, rights), [path])).toMatchObject([{ verdict }]);
  });

  test('says once what is inherited, where it can be mended', () => {
    const below = ['C:\\opt\\cni\\bin', 'C:\\OPT\\cni\\bin\\win-hcn.exe'];
    const [folder, exe] = below.map((one) => ({
      ...withRule(users, 0x1301bf),
      path: one,
      isFolder: one === path,
    }));
    const conf = { ...withRule(everyone, 0x1301bf, false), path: 'C:\\etc\\cni\\net.d' };
    expect(
      access.judge(facts({ files: { known: [folder, exe, conf].flatMap((one) => one ?? []) } })),
    ).toEqual([
      {
        verdict: 'FAIL',
        seen: 'C:\\opt\\cni\\bin can be changed by Users, and so can 1 place below it',
        fix: "icacls C:\\opt\\cni\\bin /inheritance:r /grant '*S-1-5-32-544:(OI)(CI)F' /grant '*S-1-5-18:(OI)(CI)F'",
      },
      {
        verdict: 'FAIL',
        seen: 'C:\\etc\\cni\\net.d can be changed by Everyone',
        fix: "icacls C:\\etc\\cni\\net.d /inheritance:r /grant '*S-1-5-32-544:(OI)(CI)F' /grant '*S-1-5-18:(OI)(CI)F' /remove:g '*S-1-1-0'",
      },
    ]);
  });

  test('mends its own place only, where a folder that others may need is open', () => {
    const open = ['C:\\opt\\cni\\bin', 'C:\\opt\\cni', 'C:\\opt'].map((one) => ({
      ...withRule(users, 0x1301bf),
      path: one,
    }));
    expect(access.judge(facts({ files: { known: open }, above: ['C:\\opt\\cni', 'C:\\opt'] }))).toEqual([
      {
        verdict: 'FAIL',
        seen: 'C:\\opt\\cni\\bin can be changed by Users',
        fix: "icacls C:\\opt\\cni\\bin /inheritance:r /grant '*S-1-5-32-544:(OI)(CI)F' /grant '*S-1-5-18:(OI)(CI)F'",
      },
      {
        verdict: 'FAIL',
        seen: 'C:\\opt can be replaced, with all that is in it, by Users, and so can 1 place below it; take that right from them unless something else there needs it',
        see: 'icacls C:\\opt',
      },
    ]);
  });

  test.each([
    ['C:\\k\\logs', true, 'see'],
    ['C:\\k\\logs\\win-hcn.log', false, 'fix'],
    ['C:\\ProgramData\\win-hcn\\logs', true, 'fix'],
  ])('of the log in %s', (place, isFolder, command) => {
    const [judgement] = judge({ ...withRule(users, 0x2), path: place, isFolder }, [], [place]);
    expect(judgement).toMatchObject({
      verdict: 'WARN',
      [command]: expect.stringContaining(`icacls ${place}`),
    });
  });

  test('passes a folder further up with rights for what is created inside only', () => {
    const one = {
      ...file,
      allowed: [{ sid: users, rights: 0x1301bf, isInherited: true, isInheritOnly: true }],
    };
    expect(judge(one, [path])).toMatchObject([{ verdict: 'PASS' }]);
  });

  test.each([
    'C:\\',
    'C:\\ProgramData',
    'c:\\program files',
    'C:\\Windows\\Temp',
    'C:\\Users\\operator\\Desktop',
  ])('shows who may change %s, which others need as it is', (folder) => {
    expect(judge({ ...withRule(users, 0x1301bf), path: folder })).toEqual([
      {
        verdict: 'FAIL',
        seen: `${folder} can be changed by Users`,
        see: `icacls ${folder.includes(' ') ? `'${folder}'` : folder}`,
      },
    ]);
  });
});
