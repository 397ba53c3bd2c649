// Every change to the disk by install and uninstall, in turn, is the last one before a kill, or fails.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createFolders, resolveFolder } from '../../../../src/cli/install/access.ts';
import {
  configurationChanges,
  configurationRemovals,
  repairConfigurations,
} from '../../../../src/cli/install/configurations.ts';
import {
  addonChanges,
  executableChanges,
  executableRemovals,
  removeLeftovers,
  repairExecutables,
} from '../../../../src/cli/install/executables.ts';
import { applyChanges } from '../../../../src/cli/install/file-changes.ts';
import type { InstallFiles } from '../../../../src/cli/install/files.ts';
import { contentOf, impatientFiles, newFolder, program } from './bin-folder.ts';
import { type Doomed, failedAt, killedAt, type Refusal, whileRunning } from './windows-files.ts';

const confOf = (type: string, name = 'l2bridge') =>
  JSON.stringify({ cniVersion: '1.0.0', name, plugins: [{ type, networkType: 'NAT' }] });
const ours = '10-win-hcn.conflist';
const [conflist, olderConflist, peerConflist] = [
  confOf('win-hcn'),
  confOf('win-hcn', 'old'),
  confOf('flannel'),
];
const addon = { name: 'win-hcn-koffi-0000000000000002.node', bytes: Buffer.from('the addon') };

interface Scenario {
  /** Undefined if the folders are missing. */
  readonly before: { readonly bin: Files; readonly conf: Files } | undefined;
  readonly replace?: readonly string[];
  /** Whether a configuration is installed. */
  readonly conf: boolean;
}
type Files = Readonly<Record<string, string>>;

const scenarios: Readonly<Record<string, Scenario>> = {
  'on a new node': { before: undefined, conf: true },
  'over an old version': {
    before: {
      bin: { 'win-hcn.exe': program('1'), 'win-hcn.exe.previous': program('0') },
      conf: { [ours]: olderConflist },
    },
    conf: true,
  },
  'in the place of a peer': {
    before: { bin: { 'sdnbridge.exe': 'its own' }, conf: { [ours]: peerConflist } },
    replace: ['sdnbridge.exe'],
    conf: false,
  },
  "with a peer's configurations": {
    before: { bin: { 'flannel.exe': 'its own' }, conf: { '05-a.conf': peerConflist, [ours]: peerConflist } },
    conf: true,
  },
};

const root = mkdtempSync(join(tmpdir(), 'win-hcn-install-'));
afterAll(() => rmSync(root, { recursive: true }));
const folders = { bin: join(root, 'cni', 'bin'), conf: join(root, 'cni', 'conf') };
const source = join(newFolder({ 'win-hcn.exe': program('2') }), 'win-hcn.exe');

const startingFiles: InstallFiles = {
  ...impatientFiles,
  run: async () => ({ exitCode: 0, stderr: '' }),
  // Without a flush, which takes most of the time.
  writeNew: (path, bytes) => writeFileSync(path, bytes, { flag: 'wx' }),
  copyNew: (from, path) => writeFileSync(path, readFileSync(from), { flag: 'wx' }),
};

function reset({ before }: Scenario): void {
  rmSync(join(root, 'cni'), { recursive: true, force: true });
  if (before === undefined) return;
  for (const [folder, content] of [
    [folders.bin, before.bin] as const,
    [folders.conf, before.conf] as const,
  ]) {
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of Object.entries(content)) writeFileSync(join(folder, name), text);
  }
}

function repair(files: InstallFiles): void {
  repairExecutables(folders.bin, files);
  repairConfigurations(folders.conf, files);
}

async function install({ replace = [], conf }: Scenario, files: InstallFiles): Promise<void> {
  repair(files);
  const { bin: folder } = folders;
  const given = { name: ours, bytes: Buffer.from(conflist) };
  const request = { folder: folders.conf, given, park: true, maxConfNum: 1 };
  const found = [folders.bin, folders.conf].map((path) => resolveFolder(path, files));
  await applyChanges(
    [
      ...createFolders(found, false),
      ...addonChanges(addon, { folder, distrusted: [] }, files),
      ...executableChanges({ source, folder, replace, distrusted: [] }, files),
      ...(conf ? configurationChanges(request, files) : []),
    ],
    files,
  );
  removeLeftovers(folder, files);
}

/** Returns to the version before. */
async function rollBack(_: Scenario, files: InstallFiles): Promise<void> {
  repair(files);
  const { bin: folder } = folders;
  const request = { source: join(folder, 'win-hcn.exe.previous'), folder, replace: [], distrusted: [] };
  await applyChanges(executableChanges(request, files), files);
  removeLeftovers(folder, files);
}

async function uninstall(_: Scenario, files: InstallFiles): Promise<void> {
  repair(files);
  const { restorations, deletions } = executableRemovals(folders.bin, files);
  await applyChanges([...restorations, ...configurationRemovals(folders.conf, files)], files);
  await applyChanges(deletions, files);
}

const read = (folder: string): Files =>
  impatientFiles.kindOf(folder) === undefined ? {} : contentOf(folder);
const state = () => ({ bin: read(folders.bin), conf: read(folders.conf) });
type State = ReturnType<typeof state>;

/** What containerd finds: programs by their names, and configurations that it reads. */
function inForce({ bin, conf }: State): State {
  const only = (files: Files, pattern: RegExp) =>
    Object.fromEntries(Object.entries(files).filter(([name]) => pattern.test(name)));
  return { bin: only(bin, /\.exe$/), conf: only(conf, /\.(conf|conflist|json)$/) };
}

/** Each file that containerd finds has its content before or after, and is missing only if it is before or after. */
function expectWorking(found: State, before: State, after: State, message: string): void {
  for (const folder of ['bin', 'conf'] as const)
    for (const name of new Set([...Object.keys(before[folder]), ...Object.keys(after[folder])]))
      expect([before[folder][name], after[folder][name]], `${message}: ${name}`).toContain(
        found[folder][name],
      );
}

/** Runs a command that may be killed; returns whether it was. */
async function isKilled(run: Command, scenario: Scenario, files: Doomed): Promise<boolean> {
  await run(scenario, files).catch((error: unknown) => {
    if (!files.isOver()) throw error;
  });
  return files.isOver();
}

const commands = { install, uninstall, rollBack } as const;
type Command = (scenario: Scenario, files: InstallFiles) => Promise<void>;
const cells = [
  ...Object.keys(scenarios).flatMap((name) => [['install', name] as const, ['uninstall', name] as const]),
  ['rollBack', 'over an old version'] as const,
];

describe.each(cells)('%s %s', (command, name) => {
  const scenario = scenarios[name] as Scenario;
  const run = commands[command];

  /** Brings the folders to the state before the command. */
  const prepare = async (): Promise<State> => {
    reset(scenario);
    if (command !== 'install') await install(scenario, startingFiles);
    return state();
  };
  /** The state after commands that are not interrupted. */
  const stateAfter = async (next: Command): Promise<State> => {
    await next(scenario, startingFiles);
    return state();
  };

  /** An interrupted command may have lost the version before, or have left a copy of a configuration that uninstall removes. */
  const comparable = ({ bin, conf }: State): State => ({
    bin: Object.fromEntries(Object.entries(bin).filter(([file]) => !file.endsWith('.previous'))),
    conf: Object.fromEntries(Object.entries(conf).filter(([file]) => !file.endsWith('.win-hcn-removed'))),
  });

  const isRunning = name === 'over an old version';
  test.each<Refusal>(isRunning ? ['nothing', 'any name'] : ['nothing'])(
    'killed before each change leaves a working state, which the next command completes (Windows refuses: %s)',
    async (refusal) => {
      const before = await prepare();
      const done = await stateAfter(run);
      await prepare();
      const removed = await stateAfter(uninstall);
      // A rollback that was interrupted may have lost the version before.
      for (const next of command === 'rollBack' ? [uninstall] : new Set([run, uninstall]))
        for (let kill = 0; ; kill += 1) {
          await prepare();
          const running = ['win-hcn.exe'].filter((exe) => exe in before.bin);
          const files = whileRunning(startingFiles, folders.bin, running, refusal);
          if (!(await isKilled(run, scenario, killedAt(kill, files)))) break;
          repair(files);
          expectWorking(inForce(state()), inForce(before), inForce(done), `kill ${kill}`);
          await next(scenario, startingFiles);
          const expected = next === run ? done : removed;
          expect(comparable(state()), `kill ${kill}`).toEqual(comparable(expected));
        }
    },
  );

  test('with a full disk at each change ends as before or is complete', async () => {
    const before = await prepare();
    const done = await stateAfter(run);
    for (let failure = 0; ; failure += 1) {
      await prepare();
      const files = failedAt(failure, 'ENOSPC', startingFiles);
      const problem = await run(scenario, files).then(
        () => undefined,
        (error: unknown) => String(error),
      );
      if (!files.isOver()) break;
      expectWorking(inForce(state()), inForce(before), inForce(done), `failure ${failure}: ${problem}`);
      if (problem === undefined) continue;
      expect(problem).toMatch(/^CniError: cannot .+\. [A-Z].+\.$/);
      if (command === 'rollBack') continue;
      await run(scenario, startingFiles);
      expect(comparable(state()), `failure ${failure}: ${problem}`).toEqual(comparable(done));
    }
  });
});
