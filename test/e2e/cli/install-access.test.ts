// install and upgrade in folders that other accounts can modify: with a program that records its arguments instead of icacls.

import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ScriptResult } from '../../../src/cli/terminal/run-program.ts';
import { contentOf, newFolder, program } from '../../unit/cli/install/bin-folder.ts';
import { runCli } from './run-cli.ts';

const [users, administrators] = ['S-1-5-32-545', 'S-1-5-32-544'];
const conflist = JSON.stringify({
  cniVersion: '1.0.0',
  name: 'nat',
  plugins: [{ type: 'win-hcn', networkType: 'NAT', subnets: [{ subnet: '172.28.0.0/20' }] }],
});

let [bin, conf, source, ran] = ['', '', '', ''];
/** The folders that users can modify. */
let open: readonly string[] = [];
beforeEach(() => {
  bin = newFolder({ 'win-hcn.exe': program('2'), 'win-hcn.exe.previous': program('planted') });
  conf = newFolder({ '10-nat.conflist': conflist });
  source = join(newFolder({ 'win-hcn.exe': program('2') }), 'win-hcn.exe');
  open = [bin, conf];
  icacls('exit 0');
});
afterEach(() => vi.unstubAllEnvs());

/** Installs a program in the place of icacls.exe. */
function icacls(end: string): void {
  const windows = newFolder();
  ran = join(windows, 'ran');
  const text = `#!/bin/sh\necho "$@" >> ${ran}\necho "Access is denied." >&2\n${end}\n`;
  writeFileSync(`${windows}\\System32\\icacls.exe`, text, { mode: 0o755 });
  vi.stubEnv('SystemRoot', windows);
}

/** Runs a command as on Windows. */
function run(words: string, powershell: ScriptResult = accessOf(bin, conf)) {
  return runCli([...words.split(' '), '--bin-dir', bin], {
    system: { executable: source, windows: true, logFile: '' },
    powershell: () => powershell,
    files: { '10-nat.conflist': conflist },
  });
}

/** What PowerShell prints for the folders. */
function accessOf(...paths: readonly string[]): ScriptResult {
  const files = paths.map((path) => {
    const sid = open.includes(path) ? users : administrators;
    const rules = [{ sid, rights: 0x1f01ff, inherited: false, inheritOnly: false }];
    return { path, folder: true, product: '', owner: administrators, rules };
  });
  return { stdout: JSON.stringify({ files }) };
}

const commandsFor = (folder: string) => [
  `${folder} /setowner *S-1-5-32-544`,
  `${folder} /reset`,
  `${folder} /inheritance:r /grant *S-1-5-32-544:(OI)(CI)F /grant *S-1-5-18:(OI)(CI)F`,
];

test('a folder that users can modify is restricted, and its files are replaced', async () => {
  const { exitCode, stdout } = await run(`install --conf 10-nat.conflist --conf-dir ${conf} --yes`);
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout: `plugin folder         ${bin}
configuration folder  ${conf}
1. restrict access to administrators and SYSTEM: ${bin}
2. restrict access to administrators and SYSTEM: ${conf}
3. delete ${bin}/win-hcn.exe.previous
4. copy ${source} to ${bin} and run it once
5. replace ${bin}/win-hcn.exe
6. replace ${conf}/10-nat.conflist
win-hcn is installed.
Next: run win-hcn doctor, and create a pod on this node.
`,
  });
  expect(readFileSync(ran, 'utf8').trim().split('\n')).toEqual([...commandsFor(bin), ...commandsFor(conf)]);
  expect([contentOf(bin), contentOf(conf)]).toEqual([
    { 'win-hcn.exe': program('2') },
    { '10-nat.conflist': conflist },
  ]);
});

test('a folder that only administrators can modify stays as it is', async () => {
  open = [];
  expect((await run(`install --conf-dir ${conf} --yes`)).stdout).toMatch(/\. Nothing to change\.\n$/);
});

test('the topmost folder that install creates is restricted', async () => {
  open = [];
  const parent = newFolder();
  expect((await run(`install --conf-dir ${parent}/cni/net.d --yes`)).exitCode).toBe(0);
  expect(readFileSync(ran, 'utf8').trim().split('\n')).toEqual(commandsFor(`${parent}/cni`));
});

test('a rollback in a folder that users can modify is refused, and runs nothing', async () => {
  const planted = join(bin, 'planted');
  writeFileSync(join(bin, 'win-hcn.exe.previous'), `#!/bin/sh\ntouch ${planted}\n`, { mode: 0o755 });
  expect((await run('upgrade --rollback --yes')).stderr).toBe(
    `win-hcn: the previous version ${bin}/win-hcn.exe.previous could have been modified by accounts other than administrators. Run win-hcn upgrade with the executable of that version.\n`,
  );
  expect(existsSync(planted)).toBe(false);
});

test('a folder behind a link is refused: its maker would choose whose access changes', async () => {
  const link = join(newFolder(), 'link');
  symlinkSync(bin, link);
  bin = link;
  open = [link];
  const { exitCode, stderr } = await run('upgrade --yes', accessOf(link));
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/ leads to .+, and Users can modify one of them\. Specify .+ instead, /);
});

test.each([
  [
    'a failure of icacls',
    () => icacls('exit 5'),
    undefined,
    /cannot restrict access to .+: icacls failed with exit code 5: Access is denied\.\. Run this command as an administrator\.\n$/,
  ],
  [
    'a machine without PowerShell',
    () => undefined,
    { problem: 'cannot run PowerShell: ENOENT' },
    /^Access to \S+ is not checked: cannot run PowerShell: ENOENT\. Only administrators and SYSTEM may modify these folders\.$/m,
  ],
])('%s is reported', async (_, change, powershell, message) => {
  change();
  const { stdout, stderr } = await run('upgrade --yes', powershell);
  expect(stdout + stderr).toMatch(message);
});
