// Every change to the disk by install and uninstall, in turn, is the last one before a kill, or fails.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { InstallFiles } from '../../../../src/cli/install/files.ts';
import { planInstall, repairInstallation } from '../../../../src/cli/install/plan-install.ts';
import { planUninstall } from '../../../../src/cli/install/plan-uninstall.ts';
import { removeLeftovers, restorePrograms } from '../../../../src/cli/install/repair.ts';
import { runSteps } from '../../../../src/cli/install/run-steps.ts';
import { contentOf, impatientFiles, newFolder, program } from './bin-folder.ts';
import { failedAt, isKill, killedAt, type Refusal, whileRunning } from './windows-files.ts';

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
    replace: ['sdnbridge'],
    conf: false,
  },
  "with a peer's configurations": {
    before: { bin: { 'flannel.exe': 'its own' }, conf: { '05-a.conf': peerConflist, [ours]: peerConflist } },
    conf: true,
  },
};

const root = mkdtempSync(join(tmpdir(), 'win-hcn-install-'));
afterAll(() => rmSync(root, { recursive: true }));
const folders = { bin: join(root, 'cni', 'bin'), conf: join(root, 'cni', 'conf'), maxConfNum: 1 };
const source = join(newFolder({ 'win-hcn.exe': program('2') }), 'win-hcn.exe');

const startingFiles: InstallFiles = {
  ...impatientFiles,
  run: async () => ({ exitCode: 0, stdout: '', stderr: '' }),
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

async function install({ replace = [], conf }: Scenario, files: InstallFiles): Promise<void> {
  repairInstallation(folders, ['unfinished', 'removed'], files);
  const given = conf ? { name: ours, bytes: Buffer.from(conflist) } : undefined;
  const request = { source, addon, folders, given, replace, park: true, windows: false };
  const { steps } = planInstall(
    { ...request, logHome: undefined, access: { steps: [], distrusted: [] } },
    files,
  );
  await runSteps(steps, files);
  removeLeftovers(folders.bin, files);
}

async function uninstall(_: Scenario, files: InstallFiles): Promise<void> {
  repairInstallation(folders, ['unfinished'], files);
  const { withdraw, remove } = planUninstall(folders, files);
  await runSteps(withdraw, files);
  await runSteps(remove, files);
}

const read = (folder: string): Files =>
  impatientFiles.status(folder) === undefined ? {} : contentOf(folder);
const state = () => ({ bin: read(folders.bin), conf: read(folders.conf) });
type State = ReturnType<typeof state>;

/** The state after both commands were never interrupted. */
async function outcomes(
  scenario: Scenario,
): Promise<Readonly<Record<'before' | 'installed' | 'removed', State>>> {
  reset(scenario);
  const before = state();
  await install(scenario, startingFiles);
  const installed = state();
  await uninstall(scenario, startingFiles);
  return { before, installed, removed: state() };
}

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
async function isKilled(work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return false;
  } catch (error) {
    if (isKill(error)) return true;
    throw error;
  }
}

const commands = { install, uninstall } as const;
const cells = Object.keys(scenarios).flatMap((name) =>
  (['install', 'uninstall'] as const).map((command) => [command, name] as const),
);

describe.each(cells)('%s %s', (command, name) => {
  const scenario = scenarios[name] as Scenario;

  /** Brings the folders to the state before the command. */
  const prepare = async (): Promise<void> => {
    reset(scenario);
    if (command === 'uninstall') await install(scenario, startingFiles);
  };

  /** An interrupted uninstallation may have deleted the previous version, which the next installation cannot keep then. */
  const comparable = ({ bin, conf }: State): State => {
    const lasting = Object.entries(bin).filter(([file]) => !file.endsWith('.previous'));
    return command === 'uninstall' ? { bin: Object.fromEntries(lasting), conf } : { bin, conf };
  };

  const isRunning = command === 'uninstall' || scenario.before?.bin['win-hcn.exe'] !== undefined;
  test.each<Refusal>(isRunning ? ['nothing', 'any name'] : ['nothing'])(
    'killed before each change leaves a working state, which the next command completes (Windows refuses: %s)',
    async (refusal) => {
      const { before, installed, removed } = await outcomes(scenario);
      const [from, to] = command === 'install' ? [before, installed] : [installed, removed];
      for (const next of ['install', 'uninstall'] as const)
        for (let kill = 0; ; kill += 1) {
          await prepare();
          const running = ['win-hcn.exe'].filter((exe) => exe in state().bin);
          const files = whileRunning(startingFiles, folders.bin, running, refusal);
          if (!(await isKilled(commands[command](scenario, killedAt(kill, files))))) break;
          if (refusal !== 'nothing' && impatientFiles.status(folders.bin) !== undefined)
            restorePrograms(folders.bin, impatientFiles);
          expectWorking(inForce(state()), inForce(from), inForce(to), `kill ${kill}`);
          await commands[next](scenario, startingFiles);
          const expected = next === 'install' ? installed : removed;
          expect(comparable(state()), `kill ${kill}, then ${next}`).toEqual(comparable(expected));
        }
    },
  );

  test.each(['ENOSPC', 'EACCES'])('with %s at each change ends as before or is complete', async (code) => {
    const { before, installed, removed } = await outcomes(scenario);
    const [from, to] = command === 'install' ? [before, installed] : [installed, removed];
    for (let failure = 0; ; failure += 1) {
      await prepare();
      const files = failedAt(failure, code, startingFiles);
      const problem = await commands[command](scenario, files).then(
        () => undefined,
        (error: unknown) => String(error),
      );
      if (files.changes() !== Number.POSITIVE_INFINITY) break;
      expectWorking(inForce(state()), inForce(from), inForce(to), `failure ${failure}: ${problem}`);
      if (problem !== undefined) expect(problem).toMatch(/^CniError: cannot .+\. [A-Z].+\.$/);
      await commands[command](scenario, startingFiles);
      expect(state(), `failure ${failure}: ${problem}`).toEqual(to);
    }
  });
});
