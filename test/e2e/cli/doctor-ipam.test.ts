// doctor runs VERSION of the configured IPAM plugin, and nothing else of it.

import { expect, test } from 'vitest';
import { startNode } from '../node.ts';
import { config, doctorEnvironment, file, files, healthy } from './doctor-node.ts';
import { runCli } from './run-cli.ts';

const program = 'C:\\opt\\cni\\bin\\host-local.exe';
const ipam = { type: 'host-local', subnet: '10.244.1.0/24', rangeStart: '10.244.1.9' };
const { cniVersion: _, name, ...plugin } = { ...config, ipam };

/** What doctor finds about the plugins, and the runs of programs. */
async function diagnose(
  versions: object,
  supportedVersions: unknown,
  rights: Readonly<Record<string, number>> = {},
) {
  const node = await startNode();
  const runs: unknown[] = [];
  const access = [file('C:\\opt\\cni\\bin', rights), file(program)];
  const conflist = JSON.stringify({ ...versions, name, plugins: [plugin] });
  const environment = doctorEnvironment(
    node,
    { ...healthy, files: { files: access } },
    { ...files, 'C:\\etc\\cni\\net.d\\10-win-hcn.conflist': conflist, [program]: '' },
  );
  const spawn = async (path: string, { CNI_COMMAND }: object & { readonly CNI_COMMAND?: string }) => {
    runs.push([path, CNI_COMMAND]);
    return { exitCode: 0, stdout: JSON.stringify({ cniVersion: '1.0.0', supportedVersions }) };
  };
  const { stdout } = await runCli(['doctor', '-o', 'json'], {
    ...environment,
    system: { ...environment.system, spawn },
  });
  await node.stop();
  const findings: readonly Readonly<Record<string, string>>[] = JSON.parse(stdout).findings;
  const plugins = findings.filter(({ check }) => check === 'plugins');
  return { runs, plugins: plugins.map(({ verdict, seen }) => `${verdict} ${seen}`) };
}

const old = ['0.3.1', '0.4.0', '1.0.0'];
const both = { cniVersion: '1.0.0', cniVersions: ['1.1.0'] };
const found = `PASS C:\\opt\\cni\\bin\\win-hcn.exe, ${program}`;
const lacks = (when: string) =>
  `${program} does not support CNI version 1.1.0: every ADD fails${when}; update it, or remove the version from the configuration`;

test.each([
  ['a list with a later version', both, old, `WARN ${lacks(' with containerd 2.0 or later')}`],
  [
    'a list with only later versions',
    { cniVersions: ['1.1.0'] },
    ['0.1.0', ...old],
    `WARN ${lacks(' with containerd 2.0 or later')}`,
  ],
  ['a list of that version', { cniVersion: '1.1.0' }, old, `FAIL ${lacks('')}`],
  ['a list that it supports', { cniVersion: '1.0.0' }, old, found],
  ['a plugin that reports none', { cniVersion: '1.1.0' }, 'none', found],
])(
  'the versions of the IPAM plugin are compared with those of %s',
  async (_, versions, supported, plugins) => {
    expect(await diagnose(versions, supported)).toEqual({ runs: [[program, 'VERSION']], plugins: [plugins] });
  },
);

test('an IPAM plugin in a folder that users can modify is not run', async () => {
  expect(await diagnose(both, old, { 'S-1-5-32-545': 6 })).toEqual({ runs: [], plugins: [found] });
});
