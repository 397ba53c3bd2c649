// What an operator sees while HNS hangs, and what Ctrl+C does.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Node, startNode } from '../node.ts';
import { startBundle } from '../process.ts';
import { type CliEnvironment, runCli } from './run-cli.ts';

let node: Node;
beforeEach(async () => {
  node = await startNode();
});
afterEach(() => node.stop());

const conf = 'net.conflist';
const config = {
  cniVersion: '1.1.0',
  name: 'l2bridge',
  plugins: [{ type: 'win-hcn', networkType: 'L2Bridge', subnets: [{ subnet: '10.244.1.0/24' }] }],
};

const run = (words: string, more: CliEnvironment = {}) =>
  runCli(words.split(' '), { system: node.outside, files: { [conf]: JSON.stringify(config) }, ...more });

const hangs = (name: string, ordinal: number | 'every' = 1) =>
  node.hns.inject({ function: name, ordinal, effect: { hang: true } });

const late = (call: string) =>
  `win-hcn: ${call} did not respond within 30 s: the Host Network Service hangs or is overloaded. Run Get-Service hns to check it. If ` +
  'the next attempt times out too, drain the node and run Restart-Service hns.\n';

describe('after 2 s, stderr shows the pending call and its time limit', () => {
  test.each([
    ['ls', 'HcnEnumerateEndpoints'],
    ['debug namespace create', 'HcnCreateNamespace'],
  ])('by %s', async (words, name) => {
    hangs(name);
    expect(await run(words)).toEqual({
      exitCode: 3,
      stdout: '',
      stderr: `waiting for ${name}, up to 30 s...\n${late(name)}`,
    });
  });
});

test('many slow calls are reported every 10 s', async () => {
  await Promise.all(
    [1, 2, 3, 4].map((pod) => node.add({ ...config, ...config.plugins[0] }, node.newPod(`pod${pod}`))),
  );
  for (const ordinal of [1, 2, 3, 4]) hangs('HcnQueryEndpointProperties', ordinal);
  const { stderr } = await run('ls');
  expect(stderr.split('\n').filter((line) => line.startsWith('waiting'))).toEqual([
    expect.stringMatching(/^waiting for HcnQueryEndpointProperties, up to 30 s\.\.\.$/),
  ]);
});

/** Starts a command as a process, and waits until it reports that HNS is slow. */
async function startSlow(words: string, stdin = '') {
  const started = performance.now();
  const process = startBundle(node.hns.environment, stdin, words.split(' '));
  await process.reported('waiting for ');
  return { ...process, waited: performance.now() - started };
}

describe('Ctrl+C during a hanging call', () => {
  test('ends the process at once with exit code 130', async () => {
    hangs('HcnEnumerateEndpoints', 'every');
    const { waited, interrupt, ended } = await startSlow('ls');
    const pressed = performance.now();
    interrupt();
    expect(await ended).toEqual({
      exitCode: 130,
      stdout: '',
      stderr: 'waiting for HcnEnumerateEndpoints, up to 30 s...\n',
    });
    expect(performance.now() - pressed).toBeLessThan(waited / 2);
  });

  test('first reports that a rollback is in progress', async () => {
    expect(await run(`network ensure ${conf} --yes`)).toMatchObject({ exitCode: 0 });
    node.hns.inject({ function: 'HcnQueryEndpointProperties', effect: { hresult: 0x80004005 } });
    hangs('HcnDeleteEndpoint');
    const words = `debug cni add --conf - --container pod1 --netns ${node.newPod().netns}`;
    const process = await startSlow(words, JSON.stringify(config));
    const rollingBack =
      'win-hcn: rolling back the changes. Press Ctrl+C again to exit before the rollback is complete.\n';
    process.interrupt();
    await process.reported(rollingBack);
    process.interrupt();
    expect(await process.ended).toMatchObject({
      exitCode: 130,
      stderr: expect.stringMatching(/complete\.\n$/),
    });
  });
});
