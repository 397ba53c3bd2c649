// Every install, rollback and uninstall, ended before each of its changes to the disk.

import { mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configurationChanges, configurationRemovals } from '../../../../src/cli/install/configurations.ts';
import {
  addonChanges,
  executableChanges,
  executableRemovals,
  previousPath,
} from '../../../../src/cli/install/executable.ts';
import { applyChanges, deleteLeftovers, type FileChange } from '../../../../src/cli/install/file-changes.ts';
import { type InstallFiles, installFiles } from '../../../../src/cli/install/files.ts';
import { notUnderWine } from '../../../not-on-windows.ts';
import { contentOf, newFolder, program } from './bin-folder.ts';
import { failingAt, whileRunning } from './windows-files.ts';

const confOf = (name: string) =>
  JSON.stringify({ cniVersion: '1.0.0', name, plugins: [{ type: 'win-hcn', networkType: 'NAT' }] });
const addon = { name: 'win-hcn-koffi-0000000000000002.node', bytes: Buffer.from('the addon') };

const [bin, conf] = [newFolder(), newFolder()];
const source = join(newFolder({ 'win-hcn.exe': program('2') }), 'win-hcn.exe');

/** Without pauses, flushes, which take most of the time, and programs. */
const quickFiles: InstallFiles = {
  ...installFiles,
  run: async () => ({ exitCode: 0, stderr: '' }),
  writeNew: (path, bytes) => writeFileSync(path, bytes, { flag: 'wx' }),
  copyNew: (from, path) => writeFileSync(path, readFileSync(from), { flag: 'wx' }),
  pause: async () => undefined,
};

type Texts = Readonly<Record<string, string>>;
type State = readonly [bin: Texts, conf: Texts];
const state = (): State => [contentOf(bin), contentOf(conf)];

function reset(before: State): void {
  for (const [index, folder] of [bin, conf].entries()) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    for (const [name, text] of Object.entries(before[index] ?? {})) writeFileSync(join(folder, name), text);
  }
}

const inBin = { folder: bin, isOpen: false };
const commands = {
  install: (files: InstallFiles) => [
    ...addonChanges(addon, inBin, files),
    ...executableChanges({ source, ...inBin }, files),
    ...configurationChanges(
      {
        folder: conf,
        isOpen: false,
        given: { name: '10-nat.conflist', bytes: Buffer.from(confOf('new')) },
        maxConfNum: 1,
      },
      files,
    ),
  ],
  'roll back': (files: InstallFiles) => executableChanges({ source: previousPath(bin), ...inBin }, files),
  uninstall: (files: InstallFiles) => [
    ...configurationRemovals(conf, files),
    ...executableRemovals(bin, files),
  ],
} satisfies Record<string, (files: InstallFiles) => readonly FileChange[]>;
type Command = keyof typeof commands;

async function run(command: Command, files: InstallFiles): Promise<void> {
  await applyChanges(commands[command](files), files);
  for (const folder of [bin, conf]) deleteLeftovers(folder, files);
}

const old: State = [
  { 'win-hcn.exe': program('1'), 'win-hcn.exe.previous': program('0') },
  { '10-nat.conflist': confOf('old') },
];
const cells: readonly (readonly [Command, string, State])[] = [
  ['install', 'on a new node', [{}, {}]],
  ['install', 'over an old version', old],
  ['roll back', 'to the version before', old],
  ['uninstall', 'an installation', old],
];

/** What containerd finds: programs and configurations by their names. */
const inForce = ([programs, confs]: State) => [programs['win-hcn.exe'], confs['10-nat.conflist']];

/** The version before may be lost if a command was interrupted. */
const withoutPrevious = ([{ 'win-hcn.exe.previous': _, ...programs }, confs]: State): State => [
  programs,
  confs,
];

async function endOf(command: Command, before: State): Promise<State> {
  reset(before);
  await run(command, quickFiles);
  return state();
}

test.each(cells)(
  '%s %s, killed before each change, leaves no half of a file in force, and the next command completes it',
  async (command, _, before) => {
    const done = await endOf(command, before);
    for (let kill = 0; ; kill += 1) {
      reset(before);
      const running = whileRunning(quickFiles, join(bin, 'win-hcn.exe'));
      const { files, isOver } = failingAt(kill, 'killed', running);
      await run(command, files).catch(() => undefined);
      if (!isOver()) break;
      for (const [at, text] of inForce(state()).entries())
        expect([inForce(before)[at], inForce(done)[at], undefined], `kill ${kill}`).toContain(text);
      if (command === 'roll back') continue;
      await run(command, quickFiles);
      expect(withoutPrevious(state()), `kill ${kill}`).toEqual(withoutPrevious(done));
    }
  },
);

test.each(cells.filter(([command]) => command !== 'uninstall'))(
  '%s %s with a full disk at each change ends as before or is complete',
  async (command, _, before) => {
    const done = await endOf(command, before);
    for (let failure = 0; ; failure += 1) {
      reset(before);
      const { files, isOver } = failingAt(failure, 'full disk', quickFiles);
      const problem = await run(command, files).then(
        () => undefined,
        (error: unknown) => String(error),
      );
      if (!isOver()) break;
      const expected = problem === undefined ? done : before;
      expect(inForce(state()), `failure ${failure}: ${problem}`).toEqual(inForce(expected));
      if (problem !== undefined) expect(problem).toMatch(/^CniError: cannot .+\. [A-Z].+\.$/);
    }
  },
);

notUnderWine('Wine creates no symbolic links')(
  'uninstall that cannot change a configuration or a link to win-hcn ends as before',
  async () => {
    for (const failure of [0, 1, 2]) {
      reset([{ ...old[0], 'nat.exe.before-win-hcn': 'nat' }, old[1]]);
      const links = ['nat.exe', 'web.exe'].map((name) => join(bin, name));
      for (const link of links) symlinkSync(join(bin, 'win-hcn.exe'), link);
      const before = state();
      await expect(run('uninstall', failingAt(failure, 'full disk', quickFiles).files)).rejects.toThrow();
      expect(state()).toEqual(before);
      for (const link of links) expect(readlinkSync(link)).toBe(join(bin, 'win-hcn.exe'));
    }
  },
);

test('an upgrade fails while another one replaces win-hcn.exe, and keeps the version before', async () => {
  reset(old);
  const changes = executableChanges({ source, ...inBin }, quickFiles);
  quickFiles.rename(join(bin, 'win-hcn.exe'), previousPath(bin));
  await expect(applyChanges(changes, quickFiles)).rejects.toThrow(
    `${join(bin, 'win-hcn.exe')} is gone. Another install, upgrade or uninstall may run at the same time: wait until it ends, then run this command again.`,
  );
  expect(contentOf(bin)).toEqual({ 'win-hcn.exe.previous': program('1') });
});

test('a failed command undoes the newest change first', async () => {
  const undone: string[] = [];
  const change = (title: string) => ({ title, run: () => undefined, undo: () => undone.push(title) });
  const failing = { title: 'third', run: () => Promise.reject(new Error('full')) };
  await expect(applyChanges([change('first'), change('second'), failing], quickFiles)).rejects.toThrow(
    'full',
  );
  expect(undone).toEqual(['second', 'first']);
});
