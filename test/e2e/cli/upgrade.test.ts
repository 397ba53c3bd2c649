import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { failure, runCli } from './run-cli.ts';

/** A win-hcn.exe of a version; the name of an addon identifies it. */
const program = (version: string) => `#!/bin/sh\necho ${version} # win-hcn-koffi-0123456789abcdef.node\n`;

let [folder, source] = ['', ''];
const write = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o755 });
const content = () =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
const upgrade = (...words: readonly string[]) =>
  runCli(['upgrade', '--bin-dir', folder, ...words], { system: { executable: source } });

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'win-hcn-upgrade-')));
  source = `${folder}-new.exe`;
  writeFileSync(source, program('from its sources'), { mode: 0o755 });
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  rmSync(source);
});

test('replaces the installed version and its copies, keeps the old ones, and rolls back', async () => {
  write('win-hcn.exe', program('0.1.0'));
  write('sdnbridge.exe', program('0.1.0'));
  write('nat.exe', 'of another project');
  expect((await upgrade()).stdout).toMatch(
    /^1\. .+\n(?:.+\n)+No changes made\. Rerun with --yes to apply\.\n$/,
  );
  expect(await upgrade('--yes')).toEqual({
    exitCode: 0,
    stdout: `1. copy ${source} to ${folder}/win-hcn.exe.new and run it once
2. copy ${source} to ${folder}/sdnbridge.exe.new and run it once
3. replace ${folder}/win-hcn.exe and keep the old one as win-hcn.exe.previous
4. replace ${folder}/sdnbridge.exe and keep the old one as sdnbridge.exe.previous
win-hcn from its sources is now installed.
The old version is kept as ${folder}/win-hcn.exe.previous. To return to it, run win-hcn upgrade --rollback --yes.
`,
    stderr: '',
  });
  expect(content()).toEqual({
    'nat.exe': 'of another project',
    'sdnbridge.exe': program('from its sources'),
    'sdnbridge.exe.previous': program('0.1.0'),
    'win-hcn.exe': program('from its sources'),
    'win-hcn.exe.previous': program('0.1.0'),
  });
  expect(await upgrade('--yes')).toEqual({
    exitCode: 0,
    stdout: `win-hcn from its sources is already installed in ${folder}.\n`,
    stderr: '',
  });
  expect((await upgrade('--rollback', '--yes')).stdout).toContain('The previous version is now installed.\n');
  expect(content()).toEqual({
    'nat.exe': 'of another project',
    'sdnbridge.exe': program('0.1.0'),
    'sdnbridge.exe.previous': program('from its sources'),
    'win-hcn.exe': program('0.1.0'),
    'win-hcn.exe.previous': program('from its sources'),
  });
});

test.each([
  [
    'if nothing is installed',
    [],
    (where: string) =>
      `win-hcn: win-hcn is not installed in ${where}. Run win-hcn install, or specify another folder with --bin-dir.\n`,
  ],
  [
    'if there is no previous version',
    ['--rollback'],
    (where: string) =>
      `win-hcn: there is no previous version: ${where}/win-hcn.exe.previous is missing. Run win-hcn upgrade with the executable of that version.\n`,
  ],
])('fails %s, in one sentence with the fix', async (_, words, message) => {
  const answer = await upgrade(...words, '--yes');
  expect(answer).toMatchObject({ stdout: '', stderr: message(folder) });
  expect(answer.exitCode).not.toBe(0);
});

test('leaves the old version in force if the new one does not run', async () => {
  write('win-hcn.exe', program('0.1.0'));
  writeFileSync(source, '#!/bin/sh\nexit 3 # win-hcn-koffi-0123456789abcdef.node\n');
  const before = content();
  const answer = await upgrade('--yes');
  expect(answer).toMatchObject({
    exitCode: 1,
    stderr: `win-hcn: ${source} cannot be installed: its copy exits with code 3. Download win-hcn again, or allow it in your security software.\n`,
  });
  expect(content()).toEqual(before);
});

test('runs no program that a user could have modified, also in a dry run', async () => {
  const ran = join(folder, 'ran');
  const planted = `#!/bin/sh\ntouch ${ran}\n# win-hcn-koffi-0123456789abcdef.node\n`;
  write('win-hcn.exe', planted);
  write('win-hcn.exe.previous', planted);
  const [user, administrators] = ['S-1-5-21-1-2-3-1001', 'S-1-5-32-544'];
  const names = ['', 'win-hcn.exe', 'win-hcn.exe.previous'];
  const owned = names.map((name) => ({
    path: join(folder, name),
    folder: name === '',
    product: '',
    owner: name === '' ? administrators : user,
    rules: [],
  }));
  const onWindows = (...words: readonly string[]) =>
    runCli(['upgrade', '--bin-dir', folder, ...words], {
      system: { executable: source, windows: true },
      powershell: () => ({ stdout: JSON.stringify({ files: owned }) }),
    });
  expect(await onWindows()).toEqual({
    exitCode: 1,
    stdout: expect.stringContaining(`\n3. delete ${folder}/win-hcn.exe.previous\n`),
    stderr: '',
  });
  expect(await onWindows('--rollback', '--yes')).toEqual(
    failure(
      1,
      `win-hcn: the previous version ${folder}/win-hcn.exe.previous is not run, because accounts other than administrators could have modified it. Run win-hcn upgrade with the executable of that version.`,
    ),
  );
});
