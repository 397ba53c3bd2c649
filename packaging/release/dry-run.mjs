/**
 * npm run release:dry-run: cuts a release of the newest commit in a clone, up to the draft. It runs the release workflow's own steps, except
 * those that need GitHub, dates the changelog first if it is not, and starts win-hcn.exe under Wine instead of on Windows. It stops at the first step that fails.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { parse } from 'yaml';
import { Prefix } from '../wine/prefix.ts';
import { findWine } from '../wine/wine.ts';

const root = join(import.meta.dirname, '../..');

/** Where the jobs of the workflow run: the last one has what the first one uploads, the contents of dist. */
const folders = { build: '.', publish: 'dist' };
/** Steps that the dry run leaves out, and why. */
const skipped = {
  'Install git and certificates': 'installs programs',
  'Let root read the checkout': 'changes the configuration of git',
  'Refuse a commit that is not in main': 'a dry run may be of any commit',
  'Install Wine, for the code caches, and osslsigncode': 'installs programs',
  'Require a successful run of the Windows workflow for this commit': 'needs GitHub',
  'Create a draft release': 'needs GitHub',
};

/**
 * The steps of the workflow's jobs in their order, as this program runs or skips them.
 * @param {{ jobs: Record<string, { steps: readonly { name?: string, run?: string, uses?: string }[] }> }} workflow
 * @returns {readonly { name: string, folder: string, run?: string, skipped?: string }[]}
 */
export function planOf({ jobs }) {
  return Object.entries(folders).flatMap(([job, folder]) =>
    jobs[job].steps.map(({ name, run, uses }) => {
      const title = name ?? run ?? uses.replace(/@.*/, '');
      const reason = run === undefined ? 'needs GitHub' : skipped[title];
      return { name: title, folder, ...(reason === undefined ? { run } : { skipped: reason }) };
    }),
  );
}

/**
 * A changelog with a date for a version, as a maintainer writes it before the tag. Returns the same text if it has one.
 * @param {string} changelog
 * @param {string} version
 * @param {string} date
 */
export function dated(changelog, version, date) {
  const title = `## ${version} (`;
  if (!changelog.includes(`\n${title}`)) return changelog.replace('\n## Unreleased', `\n${title}${date})`);
  return changelog.replace(`\n${title}unreleased)`, `\n${title}${date})`);
}

/**
 * Runs steps in their order, up to the first that fails.
 * @template Step
 * @param {readonly Step[]} steps
 * @param {(step: Step) => boolean} run returns whether the step succeeded
 * @returns {Step | undefined} the step that failed; undefined if all succeeded
 */
export function firstFailure(steps, run) {
  return steps.find((step) => !run(step));
}

async function main() {
  const wine = findWine();
  if ('missing' in wine) throw new Error(`a release requires Wine: ${wine.missing}`);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const folder = mkdtempSync(join(tmpdir(), 'win-hcn-release-'));
  const checkout = join(folder, 'win-hcn');
  const git = (...words) => execFileSync('git', words, { encoding: 'utf8' }).trim();
  git('clone', '--quiet', root, checkout);
  say(`release v${version} of commit ${git('-C', root, 'rev-parse', '--short', 'HEAD')}, in ${checkout}`);
  dateChangelog(join(checkout, 'CHANGELOG.md'), version);
  const env = {
    ...process.env,
    GITHUB_REF_NAME: `v${version}`,
    GITHUB_OUTPUT: join(folder, 'outputs'),
    WIN_HCN_WINE_ROOT: process.env.WIN_HCN_WINE_ROOT ?? join(root, 'build/wine-root'),
  };
  const steps = planOf(parse(readFileSync(join(checkout, '.github/workflows/release.yml'), 'utf8')));
  const failed = firstFailure(steps, (step) => {
    if (step.skipped === undefined) return runStep(step, checkout, env);
    say(`skipped  ${step.name}: ${step.skipped}`);
    return true;
  });
  if (failed !== undefined) throw new Error(`failed: ${failed.name}. The checkout stays in ${checkout}`);
  if (!(await timed('Start win-hcn.exe under Wine', () => startUnderWine(wine, checkout, version))))
    throw new Error(`win-hcn.exe did not start. The checkout stays in ${checkout}`);
  listFiles(join(checkout, 'dist/release'));
  cpSync(join(checkout, 'dist'), join(root, 'dist'), { recursive: true });
  rmSync(folder, { recursive: true });
  say(`all steps succeeded; the files are in ${join(root, 'dist/release')}`);
}

function dateChangelog(path, version) {
  const changelog = readFileSync(path, 'utf8');
  const text = dated(changelog, version, new Date().toISOString().slice(0, 10));
  if (text === changelog) return;
  writeFileSync(path, text);
  say(`CHANGELOG.md: dated the section of ${version}, which a maintainer does before the tag`);
}

/** Runs a step as GitHub does, and returns whether it succeeded. */
function runStep({ name, folder, run }, checkout, env) {
  return timed(name.split('\n')[0], () => {
    const options = { cwd: join(checkout, folder), env, encoding: 'utf8', maxBuffer: 1e8 };
    const { status, stdout, stderr } = spawnSync('bash', ['-e', '-c', run], options);
    if (status !== 0) say(`${stdout}${stderr}`.trim().split('\n').slice(-20).join('\n'));
    return status === 0;
  });
}

/** The version that the executable of the zip for x64 prints. */
async function startUnderWine(wine, checkout, version) {
  const zip = join(checkout, 'dist/release', `win-hcn-${version}-windows-amd64.zip`);
  const filter = ({ name }) => /\.(exe|node)$/.test(name);
  const prefix = new Prefix(wine, 'release');
  await prefix.prepare([]);
  try {
    for (const [name, bytes] of Object.entries(unzipSync(readFileSync(zip), { filter }))) {
      const file = join(checkout, 'dist', name);
      writeFileSync(file, bytes);
      prefix.install(file, 'C:\\release');
    }
    const { exitCode, stdout } = await prefix.run('C:\\release\\win-hcn.exe', ['version']);
    say(stdout.trim());
    return exitCode === 0 && stdout.includes(version);
  } finally {
    await prefix.stop();
  }
}

/** Prints how long an action took, and returns its result: whether it succeeded. */
function timed(name, action) {
  const start = Date.now();
  const print = (succeeded) => {
    say(`${succeeded ? 'passed' : 'FAILED'}   ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
    return succeeded;
  };
  const result = action();
  return result instanceof Promise ? result.then(print) : print(result);
}

function listFiles(folder) {
  for (const name of readdirSync(folder))
    say(`${(statSync(join(folder, name)).size / 1e6).toFixed(1).padStart(8)} MB  ${name}`);
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
