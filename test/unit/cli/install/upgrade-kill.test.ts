import { createHash } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { InstallFiles } from '../../../../src/cli/install/files.ts';
import { previousName, stagedName } from '../../../../src/cli/install/layout.ts';
import { removeLeftovers, repairExecutables, restorePrograms } from '../../../../src/cli/install/repair.ts';
import { replaceExecutable } from '../../../../src/cli/install/replace-executable.ts';
import { stageExecutable } from '../../../../src/cli/install/stage-executable.ts';
import { contentOf, impatientFiles, newFolder, program } from './bin-folder.ts';
import { Killed, killedAt, type Refusal, whileRunning } from './windows-files.ts';

const target = 'win-hcn.exe';
const previous = previousName(target);
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** The folder before, with versions 1 and 0; the source of the new version; and the folder afterwards. */
const changes = {
  upgrade: { version: '2', after: { [target]: program('2'), [previous]: program('1') } },
  rollback: { version: '0', after: { [target]: program('0'), [previous]: program('1') } },
} as const;
const before = { [target]: program('1'), [previous]: program('0') };
type Change = keyof typeof changes;

/** Each program starts; `stageExecutable` has tests of its own. */
const startingFiles: InstallFiles = {
  ...impatientFiles,
  run: async () => ({ exitCode: 0, stdout: '', stderr: '' }),
};

const source = join(newFolder({ 'new.exe': program('2') }), 'new.exe');
const folder = newFolder();
afterAll(() => rmSync(folder, { recursive: true }));

async function run(change: Change, files: InstallFiles): Promise<void> {
  const { version } = changes[change];
  const sha256 = hashOf(program(version));
  repairExecutables(folder, files);
  const from = change === 'upgrade' ? source : join(folder, previous);
  await stageExecutable({ source: from, folder, target, sha256 }, files);
  await replaceExecutable({ folder, target, staged: stagedName(target, sha256), keepAs: previous }, files);
  removeLeftovers(folder, files);
}

function reset(): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  for (const [name, text] of Object.entries(before)) writeFileSync(join(folder, name), text, { mode: 0o755 });
}

/** The files without those that a running program keeps from being deleted. */
function lasting(): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(contentOf(folder)).filter(([name]) => !name.includes('.old-')));
}

/** Kills a change before its k-th operation; returns whether it came that far. */
async function isKilled(change: Change, kill: number, files: InstallFiles): Promise<boolean> {
  try {
    await run(change, killedAt(kill, files));
    return false;
  } catch (error) {
    if (error instanceof Killed) return true;
    if (error instanceof Error && error.cause instanceof Killed) return true;
    throw error;
  }
}

const cells = (['upgrade', 'rollback'] as const).flatMap((change) =>
  (['nothing', 'last name', 'any name'] as const).map((refusal) => [change, refusal] as const),
);

describe.each(cells)('%s, while Windows refuses to replace %s of a running program', (change, refusal) => {
  const { after } = changes[change];
  const start = (): InstallFiles => {
    reset();
    return whileRunning(startingFiles, folder, [target], refusal);
  };

  test('ends with the new version, and keeps the old one', async () => {
    await run(change, start());
    expect(lasting()).toEqual(after);
    repairExecutables(folder, impatientFiles);
    expect(contentOf(folder)).toEqual(after);
  });

  test('killed before each of its operations, leaves the old or the new state after a repair', async () => {
    let gaps = 0;
    for (let kill = 0; ; kill += 1) {
      const files = start();
      if (!(await isKilled(change, kill, files))) break;
      const killed = contentOf(folder);
      if (killed[target] === undefined) gaps += 1;
      repairExecutables(folder, files);
      const isNew = killed[target] === after[target];
      expect(lasting(), `kill ${kill}: ${JSON.stringify(killed)}`).toEqual(isNew ? after : before);
      repairExecutables(folder, impatientFiles);
      expect(contentOf(folder)).toEqual(isNew ? after : before);
    }
    expect(gaps).toBe(refusal === 'any name' ? 1 : 0);
  });

  test('killed before each of its operations, is completed by the next run', async () => {
    for (let kill = 0; ; kill += 1) {
      const files = start();
      if (!(await isKilled(change, kill, files))) break;
      if (change === 'rollback' && readFileAt(target) === after[target]) continue;
      await run(change, files);
      expect(lasting(), `kill ${kill}`).toEqual(after);
    }
  });

  test('killed in the gap, has its guard restore the old version at once', async () => {
    for (let kill = 0; ; kill += 1) {
      const files = start();
      if (!(await isKilled(change, kill, files))) break;
      restorePrograms(folder, impatientFiles);
      expect([before[target], after[target]], `kill ${kill}`).toContain(readFileAt(target));
      repairExecutables(folder, impatientFiles);
      expect(contentOf(folder)).toEqual(readFileAt(target) === after[target] ? after : before);
    }
  });
});

function readFileAt(name: string): string | undefined {
  return contentOf(folder)[name];
}

test.each<Refusal>(['nothing', 'any name'])(
  'a failed upgrade keeps the same versions: %s refused',
  async (refusal) => {
    reset();
    const files = whileRunning(startingFiles, folder, [target], refusal);
    const rename = (from: string, to: string) => {
      if (from.includes('.new-')) throw Object.assign(new Error('EBUSY'), { code: 'EBUSY' });
      files.rename(from, to);
    };
    await expect(run('upgrade', { ...files, rename })).rejects.toThrow(
      `cannot replace ${join(folder, target)}: `,
    );
    repairExecutables(folder, impatientFiles);
    expect(contentOf(folder)).toEqual(before);
  },
);
