import { expect, test } from 'vitest';
import { planAccess } from '../../../../src/cli/install/plan-access.ts';
import type { ScriptResult } from '../../../../src/cli/powershell.ts';
import { terminal } from '../../../../src/cli/terminal.ts';
import { system } from '../../../../src/system.ts';

const [users, administrators] = ['S-1-5-32-545', 'S-1-5-32-544'];
const bin = 'C:\\opt\\cni\\bin';

function plan(result: ScriptResult) {
  return planAccess([bin], {
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

test('without PowerShell, nothing is restricted, and a sentence says so', async () => {
  expect(await plan({ problem: 'cannot run PowerShell: ENOENT' })).toEqual({
    steps: [],
    remarks: [
      `The access lists of ${bin} are not checked: cannot run PowerShell: ENOENT. Only administrators and SYSTEM may modify these folders.`,
    ],
  });
});
