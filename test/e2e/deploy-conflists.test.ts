import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fillPlaceholders } from '../../src/cli/conflist/placeholders.ts';
import { runCli } from './cli/run-cli.ts';
import { startNode } from './node.ts';

test.each([
  ['l2bridge', { address: '10.244.3.3/24', gateway: '10.244.3.2' }],
  ['overlay', { address: '10.244.3.2/24', gateway: '10.244.3.1' }],
  ['rke2', { address: '10.244.3.10/24', gateway: '10.244.3.1' }],
])('the conflist of deploy/%s gives a pod a network of its node', async (name, address) => {
  const node = await startNode();
  node.ipam.prefix = '10.244.3.';
  const conflist = fillPlaceholders(readFileSync(`deploy/${name}/10-win-hcn.conflist`, 'utf8'), [
    '10.244.3.0/24',
  ]);
  const files = { 'net.conflist': conflist };
  const plugins = ['--cni-path', '/opt/cni/bin'];
  const pod = [
    '--conf',
    'net.conflist',
    ...plugins,
    '--container',
    'pod1',
    '--netns',
    node.hns.createNamespace(),
  ];
  const added = await runCli(['debug', 'cni', 'add', ...pod], { system: node.outside, files });
  const hasEndpoint = () =>
    JSON.stringify(node.hns.dump().endpoints).includes(`"${address.address.split('/')[0]}"`);
  const during = hasEndpoint();
  const status = await runCli(['debug', 'cni', 'status', '--conf', 'net.conflist', ...plugins], {
    system: node.outside,
    files,
  });
  const deleted = await runCli(['debug', 'cni', 'del', ...pod], { system: node.outside, files });
  const after = hasEndpoint();
  await node.stop();
  expect([added.exitCode, status.exitCode, deleted.exitCode]).toEqual([0, 0, 0]);
  expect(JSON.parse(added.stdout).ips).toMatchObject([address]);
  expect({ during, after }).toEqual({ during: true, after: false });
});
