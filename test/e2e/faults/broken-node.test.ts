import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { type Ended, type Running, startNode } from '../process.ts';
import { chooseFaults } from './faults.ts';

const seed = 3;
const main = 'test/e2e/faults/main.ts';

let node: Running | undefined;
afterEach(() => node?.kill());

/** Runs a program of the node. */
async function run(program: string, ...words: readonly string[]): Promise<Ended> {
  return promisify(execFile)(`build/broken-node/${seed}/${program}`, words).then(
    ({ stdout, stderr }) => ({ exitCode: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ exitCode: code, stdout, stderr }),
  );
}

/** Runs a command line of the node's programs in a shell. */
function runShell(command: string): Promise<{ readonly stdout: string }> {
  const PATH = `${resolve(`build/broken-node/${seed}`)}:${process.env['PATH']}`;
  return promisify(execFile)('sh', ['-c', `${command} || true`], { env: { ...process.env, PATH } });
}

test('npm run broken-node serves a node until Ctrl+C: win-hcn finds a fault, PowerShell fixes it', async () => {
  node = startNode([main, '--seed', String(seed)], {}, '');
  await node.answered;
  const { exitCode, stdout, stderr } = await run('win-hcn', 'doctor');
  const waits =
    'waiting for HNS to respond (HNSCall), up to 10 s...\n' +
    'waiting for HNS to list networks (HcnEnumerateNetworks), up to 10 s...\n';
  expect({ exitCode, stderr }).toEqual({ exitCode: 3, stderr: waits });
  expect(stdout).toContain('fix: Restart-Service hns -Force\n');
  expect((await runShell('win-hcn doctor 2>&1')).stdout).toBe(`${waits}${stdout}`);
  expect(await run('powershell', 'Get-Service hns')).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'not simulated: Get-Service hns\n',
  });
  expect(await run('powershell', 'Restart-Service hns -Force')).toMatchObject({ exitCode: 0 });
  expect((await run('win-hcn', 'ls', 'networks')).stdout).toContain('  l2bridge  ');
  node.interrupt();
  expect(await node.ended).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await run('win-hcn', 'doctor')).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'The node is not running: npm run broken-node\n',
  });
});

test('--reveal prints the faults of a seed', async () => {
  const { exitCode, stdout } = await startNode([main, '--seed', String(seed), '--reveal'], {}, '').ended;
  expect({ exitCode, names: [...stdout.matchAll(/^(\w.*): /gm)].map(([, name]) => name) }).toEqual({
    exitCode: 0,
    names: chooseFaults(seed),
  });
});
