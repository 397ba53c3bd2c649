import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Effect } from '../../simulator/faults.ts';
import { startBundle } from '../process.ts';
import { type InventoryNode, other, startInventoryNode } from './inventory-node.ts';
import { type CliEnvironment, failure, runCli, success } from './run-cli.ts';

let node: InventoryNode;
beforeEach(async () => {
  node = await startInventoryNode();
});
afterEach(() => node.stop());

/** Runs a watch with a view each second from 21:40:01, and `changes` between the views. */
function watch(words: string, happenings: readonly (() => unknown)[], more: CliEnvironment = {}) {
  let second = 1;
  const clock = () => new Date(2026, 0, 1, 21, 40, second);
  const pauses = happenings.map((happens) => () => {
    const result = happens();
    second += 1;
    return result;
  });
  return runCli([...words.split(' '), '--watch'], { system: { ...node.outside, clock }, pauses, ...more });
}

const nothing = () => undefined;
const inject = (name: string, effect: Effect) => () => node.hns.inject({ function: name, effect });
const table = [
  'load balancer  network   frontends   ports         backends                         owner',
  'd4e6032f       l2bridge  10.96.0.10  80->8080/tcp  10.244.1.2, 10.244.2.7 (remote)  unknown',
];

describe('--watch prints', () => {
  test('ls, then the lines that are new or gone, and each failure once', async () => {
    const stopHns = inject('HcnEnumerateNetworks', { hresult: 0x80070426 });
    const happenings = [
      nothing,
      () => node.hcn.deleteLoadBalancer('d4e6032f-bbf7-4b5a-880f-667bebc65504'),
      stopHns,
      stopHns,
      nothing,
    ];
    expect(await watch('ls loadbalancers', happenings)).toEqual(
      success(
        ...table,
        '21:40:03 - load balancer network frontends ports backends owner',
        '21:40:03 - d4e6032f l2bridge 10.96.0.10 80->8080/tcp 10.244.1.2, 10.244.2.7 (remote) unknown',
        '21:40:03 + HCN has no load balancers.',
        '21:40:04 ! HNS is not running. Run Start-Service hns. Listing networks failed with ERROR_SERVICE_NOT_ACTIVE (0x80070426): The service has not been started.',
        '21:40:06 + available again',
      ),
    );
  });

  test('that a call took more than five seconds, or an object cannot be read', async () => {
    const query = 'HcnQueryLoadBalancerProperties';
    const happenings = [inject(query, { hang: true }), inject(query, { answer: '[]' })];
    const { stdout } = await watch('ls loadbalancers', happenings);
    expect(stdout.split('\n').map((line) => line.slice(0, 80))).toEqual([
      ...table.map((line) => line.slice(0, 80)),
      '21:40:02 ! HcnQueryLoadBalancerProperties did not respond within 5 s: the Host N',
      '21:40:03 + available again',
      '21:40:03 - load balancer network frontends ports backends owner',
      '21:40:03 - d4e6032f l2bridge 10.96.0.10 80->8080/tcp 10.244.1.2, 10.244.2.7 (rem',
      '21:40:03 + HCN has no readable load balancers.',
      '21:40:03 + win-hcn: left out: querying load balancer d4e6032f-bbf7-4b5a-880f-667',
      '',
    ]);
  });

  test('show, and continues after its object is deleted', async () => {
    const happenings = [
      () => node.hcn.addEndpoint(node.newPod().netns, other),
      () => node.hcn.deleteEndpoint(other),
    ];
    const { stdout } = await watch('show endpoint by-hand', happenings);
    expect(
      stdout
        .replaceAll(/[\da-f-]{36}/g, 'ID')
        .split('\n')
        .slice(-5),
    ).toEqual([
      'ACLs: none (HNS allows all traffic)',
      '21:40:02 - namespace none',
      '21:40:02 + namespace ID',
      '21:40:03 ! HCN has no endpoint "by-hand". List all objects with win-hcn ls -o wide --remote.',
      '',
    ]);
  });

  test('colored and wrapped lines in a terminal', async () => {
    const { stdout } = await watch('ls endpoints', [() => node.hcn.deleteEndpoint(other)], { width: 40 });
    expect(stdout.split('\n').slice(-4)).toEqual([
      '\u001b[31m21:40:02 - c3e6032f - - l2bridge\u001b[39m',
      '\u001b[31m  10.244.1.40/24 00-15-5D-52-C0-03 -\u001b[39m',
      '\u001b[31m  Created ok unknown -\u001b[39m',
      '',
    ]);
  });
});

test('closes every object that a view opens', async () => {
  const calls = (verb: string) => node.hns.calls.filter((call) => call.function.startsWith(verb)).length;
  node.hns.clearCalls();
  await watch('ls', [nothing, nothing]);
  const opened = calls('HcnOpen');
  expect(opened).toBe(3 * 9);
  await expect.poll(() => calls('HcnClose')).toBe(opened);
});

describe('--watch exits with', () => {
  test('0 at Ctrl+C while HNS hangs', async () => {
    const { answered, ended, interrupt } = startBundle(node.hns.environment, '', [
      'ls',
      'networks',
      '--watch',
      '1',
    ]);
    await answered;
    node.hns.inject({ function: 'HcnEnumerateNetworks', effect: { hang: true } });
    await node.hns.nextStanding();
    interrupt();
    expect(await ended).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('3 on a machine without HCN', async () => {
    const { ended } = startBundle({}, '', ['ls', '--watch']);
    expect(await ended).toMatchObject({ exitCode: 3, stdout: '' });
  });

  test('1 if stdout is closed', async () => {
    const writeStdout = () => {
      throw Object.assign(new Error('EPIPE, write'), { code: 'EPIPE' });
    };
    const ended = await runCli(['ls', '--watch'], { system: { ...node.outside, writeStdout } });
    expect(ended).toEqual({ exitCode: 1, stdout: '', stderr: '' });
  });

  const invalidSeconds = (value: string) =>
    `option '-w, --watch [seconds]' argument '${value}' is invalid. expected seconds from 1 to 3600, such as --watch 5; put other arguments before --watch`;
  test.each([
    ['ls --watch endpoints', invalidSeconds('endpoints')],
    ['ls --watch 0', invalidSeconds('0')],
    ['ls --watch 3601', invalidSeconds('3601')],
    ['ls -o json -w', '--watch does not support -o json: run the command repeatedly without --watch'],
  ])('2 for %s', async (line, problem) => {
    const words = line.split(' ');
    expect(await runCli(words, { system: node.outside })).toEqual(
      failure(2, `win-hcn: ${problem}`, `Run 'win-hcn ${words[0]} --help' for usage.`),
    );
  });
});
