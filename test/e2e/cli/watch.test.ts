import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { wrapSentences } from '../../../src/cli/terminal/wrap.ts';
import { startBundle } from '../process.ts';
import { type InventoryNode, legacy, network, other, startInventoryNode } from './inventory-node.ts';
import { type CliEnvironment, failure, runCli, type Window } from './run-cli.ts';

const later = 'e5e6032f-bbf7-4b5a-880f-667bebc65505';
const SchemaVersion = { Major: 2, Minor: 0 };

let node: InventoryNode;
let own: string;
beforeEach(async () => {
  node = await startInventoryNode();
  own = node.pod.netns.slice(0, 8);
});
afterEach(() => node.stop());

/** Runs a watch with a view each second from 21:40:01, and `changes` between the views. */
function watch(
  words: readonly string[],
  happenings: readonly ((window: Window) => unknown)[],
  more: CliEnvironment = { width: 80, environment: { NO_COLOR: '1' } },
) {
  let second = 1;
  const clock = () => new Date(2026, 0, 1, 21, 40, second);
  const pauses = happenings.map((happens) => (window: Window) => {
    const result = happens(window);
    second += 1;
    return result;
  });
  return runCli([...words, '--watch'], { system: { ...node.outside, clock }, pauses, ...more });
}

const nothing = () => undefined;
const stopHns = () => node.hns.inject({ function: 'HcnEnumerateNetworks', effect: { hresult: 0x80070426 } });
const stopped =
  'HNS is not running. Run Start-Service hns. Listing networks failed with ERROR_SERVICE_NOT_ACTIVE (0x80070426): ' +
  'The service has not been started.';

/** What the terminal shows after each redraw. */
const screensOf = (stdout: string) =>
  stdout
    .split('\u001b[H')
    .slice(1)
    .map((screen) =>
      ['2J', 'K', 'J'].reduce((text, clear) => text.replaceAll(`\u001b[${clear}`, ''), screen),
    );

describe('ls --watch in a terminal', () => {
  test('shows each view in the place of the last one, with the changes below', async () => {
    const { exitCode, stdout, stderr } = await watch(
      ['ls', 'endpoints'],
      [() => node.hcn.deleteEndpoint(legacy)],
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout.replaceAll(own, 'aaaaaaaa')).toBe(
      '\u001b[H\u001b[2J' +
        `Every 2 s: win-hcn ls endpoints, at 21:40:01 (Ctrl+C to exit)

endpoint  pod            network   addresses       namespace  leftover
5efcf8b5  0e12d1d5a8cfb  l2bridge  10.244.1.2/24   aaaaaaaa   -
f472cb12  gone           l2bridge  10.244.1.3/24   -          in no namespace
a1e6032f  c0ffee         l2bridge  10.244.1.30/24  -          in no namespace
c3e6032f  -              l2bridge  10.244.1.40/24  -          -
hidden columns: interface, MAC, state, health, owner (show all: -o wide)

1 remote endpoint is hidden: show it with --remote`.replaceAll('\n', '\u001b[K\n') +
        '\u001b[K\u001b[J\u001b[H' +
        `Every 2 s: win-hcn ls endpoints, at 21:40:02 (Ctrl+C to exit)

endpoint  pod            network   addresses       namespace  leftover
5efcf8b5  0e12d1d5a8cfb  l2bridge  10.244.1.2/24   aaaaaaaa   -
f472cb12  gone           l2bridge  10.244.1.3/24   -          in no namespace
c3e6032f  -              l2bridge  10.244.1.40/24  -          -
hidden columns: interface, MAC, state, health, owner (show all: -o wide)

1 remote endpoint is hidden: show it with --remote

changes
21:40:02 - endpoint a1e6032f c0ffee l2bridge 10.244.1.30/24 00-15-5D-52-C0-02
  Created ok another plugin in no namespace`.replaceAll('\n', '\u001b[K\n') +
        '\u001b[K\u001b[J\n',
    );
  });

  test('fits the height of the terminal, also after a resize, and says how many rows are hidden', async () => {
    const { stdout } = await watch(
      ['ls', 'endpoints'],
      [(window) => window.resize(60, 8), (window) => window.resize(80, 40)],
      { width: 80, height: 9, environment: { NO_COLOR: '1' } },
    );
    const screens = screensOf(stdout).map((screen) => screen.replaceAll(own, 'aaaaaaaa').trimEnd());
    expect(screens).toEqual([
      `Every 2 s: win-hcn ls endpoints, at 21:40:01 (Ctrl+C to exit)

endpoint  pod            network   addresses       namespace  leftover
5efcf8b5  0e12d1d5a8cfb  l2bridge  10.244.1.2/24   aaaaaaaa   -
f472cb12  gone           l2bridge  10.244.1.3/24   -          in no namespace
a1e6032f  c0ffee         l2bridge  10.244.1.30/24  -          in no namespace
c3e6032f  -              l2bridge  10.244.1.40/24  -          -

1 remote endpoint is hidden: show it with --remote`,
      `Every 2 s: win-hcn ls endpoints, at 21:40:01 (Ctrl+C to
exit)

endpoint  pod            addresses       leftover
5efcf8b5  0e12d1d5a8cfb  10.244.1.2/24   -
3 rows hidden: enlarge the window

1 remote endpoint is hidden: show it with --remote`,
      `Every 2 s: win-hcn ls endpoints, at 21:40:02 (Ctrl+C to
exit)

endpoint  pod            addresses       leftover
5efcf8b5  0e12d1d5a8cfb  10.244.1.2/24   -
3 rows hidden: enlarge the window

1 remote endpoint is hidden: show it with --remote`,
      ...['21:40:02', '21:40:03'].map(
        (time) => `Every 2 s: win-hcn ls endpoints, at ${time} (Ctrl+C to exit)

endpoint  pod            network   addresses       namespace  leftover
5efcf8b5  0e12d1d5a8cfb  l2bridge  10.244.1.2/24   aaaaaaaa   -
f472cb12  gone           l2bridge  10.244.1.3/24   -          in no namespace
a1e6032f  c0ffee         l2bridge  10.244.1.30/24  -          in no namespace
c3e6032f  -              l2bridge  10.244.1.40/24  -          -
hidden columns: interface, MAC, state, health, owner (show all: -o wide)

1 remote endpoint is hidden: show it with --remote`,
      ),
    ]);
  });

  test('shows the last result while HNS does not respond', async () => {
    await node.hcn.deleteEndpoint(legacy);
    const { exitCode, stdout } = await watch(['ls', 'loadbalancers'], [stopHns, nothing]);
    const table = `load balancer  name  network   frontends   ports         backends       owner
d4e6032f       -     l2bridge  10.96.0.10  80->8080/tcp  10.244.1.2 +1  unknown
shortened columns: backends (show all: -o wide)`;
    expect({ exitCode, screens: screensOf(stdout) }).toEqual({
      exitCode: 0,
      screens: [
        `Every 2 s: win-hcn ls loadbalancers, at 21:40:01 (Ctrl+C to exit)\n\n${table}`,
        `Every 2 s: win-hcn ls loadbalancers, at 21:40:02 (Ctrl+C to exit)

${wrapSentences(stopped, 80)}

Last result, from 21:40:01:

${table}

changes
${wrapSentences(`21:40:02 ! ${stopped}`, 80, 2)}`,
        `Every 2 s: win-hcn ls loadbalancers, at 21:40:03 (Ctrl+C to exit)

${table}

changes
${wrapSentences(`21:40:02 ! ${stopped}`, 80, 2)}
21:40:03 + available again
`,
      ],
    });
  });

  test('colors new, removed and changed objects', async () => {
    const makeLater = () =>
      node.hcn.createEndpoint(network, later, { Name: 'later', HostComputeNetwork: network, SchemaVersion });
    const happens = async () => {
      await makeLater();
      await node.hcn.deleteEndpoint(other);
      await node.hcn.addEndpoint(node.newPod().netns, legacy);
    };
    const { stdout } = await watch(['ls', 'endpoints'], [happens], { width: 120 });
    const [, screen = ''] = screensOf(stdout);
    expect(screen.slice(screen.indexOf('changes')).replace(/namespace [\da-f]{8}/, 'namespace ID')).toBe(
      `changes\u001b[22m
\u001b[31m21:40:02 - endpoint c3e6032f l2bridge 10.244.1.40/24 00-15-5D-52-C0-03 Created ok unknown\u001b[39m
\u001b[33m21:40:02 ~ endpoint a1e6032f: namespace ID (was -), leftover - (was in no namespace)\u001b[39m
\u001b[32m21:40:02 + endpoint e5e6032f l2bridge 10.244.1.4/24 00-15-5D-52-C0-04 Created ok unknown\u001b[39m
`,
    );
  });

  test('keeps the last ten changes', async () => {
    const toggle = [0, 1, 2, 3, 4, 5].flatMap(() => [stopHns, nothing]);
    const { stdout } = await watch(['ls', 'loadbalancers'], toggle);
    const screen = screensOf(stdout).at(-1) ?? '';
    const last = screen.slice(screen.lastIndexOf('changes\n')).trimEnd().split('\n').slice(1);
    const starts = last.map((line) => line.slice(0, 10)).filter((start) => start.startsWith('21:'));
    expect(starts).toEqual([
      '21:40:04 !',
      '21:40:05 +',
      '21:40:06 !',
      '21:40:07 +',
      '21:40:08 !',
      '21:40:09 +',
      '21:40:10 !',
      '21:40:11 +',
      '21:40:12 !',
      '21:40:13 +',
    ]);
  });
});

describe('--watch in a pipe', () => {
  test('prints ls after a change, and each failure once', async () => {
    const happenings = [
      nothing,
      () => node.hcn.deleteLoadBalancer('d4e6032f-bbf7-4b5a-880f-667bebc65504'),
      stopHns,
      stopHns,
      nothing,
    ];
    expect(await watch(['ls', 'loadbalancers'], happenings, {})).toEqual({
      exitCode: 0,
      stdout: `21:40:01

load balancer  name  network   frontends   ports         backends                         owner
d4e6032f       -     l2bridge  10.96.0.10  80->8080/tcp  10.244.1.2, 10.244.2.7 (remote)  unknown

21:40:03
- load balancer d4e6032f l2bridge 10.96.0.10 80->8080/tcp 10.244.1.2, 10.244.2.7 (remote) unknown

HCN has no load balancers.

21:40:04
! ${stopped}

21:40:06
+ available again

HCN has no load balancers.
`,
      stderr: '',
    });
  });

  test('limits each call to five seconds', async () => {
    const hang = () =>
      node.hns.inject({ function: 'HcnQueryLoadBalancerProperties', effect: { hang: true } });
    const { stdout } = await watch(['ls', 'loadbalancers'], [hang], {});
    expect(stdout).toContain('\n21:40:02\n! HcnQueryLoadBalancerProperties did not respond within 5 s: ');
  });

  test('does not report an object as removed if one query fails', async () => {
    const injure = () =>
      node.hns.inject({ function: 'HcnQueryLoadBalancerProperties', effect: { answer: '[]' } });
    const { stdout } = await watch(['ls', 'loadbalancers'], [injure, nothing], {});
    expect(stdout.split('\n').filter((line) => /^[-+~!] /.test(line))).toEqual([
      '~ load balancer d4e6032f cannot be read',
      '~ load balancer d4e6032f l2bridge 10.96.0.10 80->8080/tcp 10.244.1.2, 10.244.2.7 (remote) unknown',
    ]);
  });

  test('prints the changed lines of show, and continues after its object is deleted', async () => {
    const happenings = [
      () => node.hcn.addEndpoint(node.newPod().netns, other),
      () => node.hcn.deleteEndpoint(other),
    ];
    const { exitCode, stdout } = await watch(['show', 'endpoint', 'by-hand'], happenings, {});
    const [first, ...rest] = stdout
      .replaceAll(/namespace [\da-f-]{36}/g, 'namespace ID')
      .split(/\n(?=21:40)/);
    expect(first).toMatch(
      /^21:40:01\n\nendpoint c3e6032f-bbf7-4b5a-880f-667bebc65503\n {2}name {7}by-hand\n/,
    );
    expect({ exitCode, rest: rest.map((view) => view.split('\n\n')[0]) }).toEqual({
      exitCode: 0,
      rest: [
        '21:40:02\n- namespace none\n+ namespace ID',
        '21:40:03\n! HCN has no endpoint "by-hand". List all objects with win-hcn ls -o wide --remote.\n',
      ],
    });
  });
});

test('closes every object that a view opens', async () => {
  const calls = (verb: string) => node.hns.calls.filter((call) => call.function.startsWith(verb)).length;
  node.hns.clearCalls();
  await watch(['ls'], [nothing, nothing]);
  const opened = calls('HcnOpen');
  expect(opened).toBe(3 * 9);
  await expect.poll(() => calls('HcnClose')).toBe(opened);
});

describe('--watch exits with', () => {
  /** Starts a process, and waits for its first view. */
  const startWatch = async (seconds: string) => {
    const running = startBundle(node.hns.environment, '', ['ls', 'networks', '--watch', seconds]);
    await running.answered;
    return running;
  };
  const invalidSeconds = (value: string) =>
    `option '-w, --watch [seconds]' argument '${value}' is invalid. expected seconds from 1 to 3600, such as --watch 5; put other arguments before --watch`;
  const unsupported = (format: string) =>
    `--watch does not support -o ${format}: run the command repeatedly without --watch`;

  test('0 at Ctrl+C, and ends the process', async () => {
    const { ended, interrupt } = await startWatch('3600');
    interrupt();
    expect(await ended).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('0 at Ctrl+C while HNS hangs', async () => {
    const { ended, interrupt } = await startWatch('1');
    node.hns.inject({ function: 'HcnEnumerateNetworks', effect: { hang: true } });
    await node.hns.nextStanding();
    interrupt();
    expect(await ended).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('3 on a machine without HCN', async () => {
    const { ended } = startBundle({}, '', ['ls', '--watch']);
    expect(await ended).toMatchObject({ exitCode: 3, stdout: '' });
  });

  test.each([
    ['show endpoint A1E6 --watch', undefined],
    ['show endpoint a1e6 --watch', { width: 80, height: 24 }],
    ['show pod c --watch', undefined],
  ])('1 for a key that several objects match: %s', async (line, size) => {
    await node.hcn.createEndpoint(network, 'a1e6032f-bbf7-4b5a-880f-667bebc65599', {
      Name: 'cafe_l2bridge',
      HostComputeNetwork: network,
      SchemaVersion,
    });
    const [, kind, key] = line.split(' ');
    const ids =
      kind === 'pod'
        ? 'c0ffee, cafe); the pods of 4 containers are unknown'
        : 'a1e6032f-bbf7-4b5a-880f-667bebc65501, a1e6032f-bbf7-4b5a-880f-667bebc65599)';
    expect(await runCli(line.split(' '), { system: node.outside, ...size })).toEqual(
      failure(
        1,
        `win-hcn: "${key}" matches 2 ${kind}s: use a longer part of the id (${ids}. List all objects with win-hcn ls -o wide --remote.`,
      ),
    );
  });

  test('0 at Ctrl+C for a key that several objects match only later', async () => {
    const join = () =>
      node.hcn.createEndpoint(network, 'a1e6032f-bbf7-4b5a-880f-667bebc65599', {
        Name: 'later',
        HostComputeNetwork: network,
        SchemaVersion,
      });
    const { exitCode, stdout } = await watch(['show', 'endpoint', 'a1e6'], [join], {});
    expect(exitCode).toBe(0);
    expect(stdout).toContain('\n21:40:02\n! "a1e6" matches 2 endpoints: ');
  });

  test('1 if stdout is closed', async () => {
    const writeStdout = () => {
      throw Object.assign(new Error('EPIPE, write'), { code: 'EPIPE' });
    };
    const ended = await runCli(['ls', '--watch'], { system: { ...node.outside, writeStdout } });
    expect(ended).toEqual({ exitCode: 1, stdout: '', stderr: '' });
  });

  test.each([
    [['ls', '--watch', 'endpoints'], invalidSeconds('endpoints')],
    [['ls', '--watch', '0'], invalidSeconds('0')],
    [['ls', '-o', 'json', '-w'], unsupported('json')],
    [['show', 'ip', '::1', '-w', '-o', 'yaml'], unsupported('yaml')],
  ])('2 for %j', async (words, problem) => {
    expect(await runCli(words, { system: node.outside })).toEqual(
      failure(2, `win-hcn: ${problem}`, `Run 'win-hcn ${words[0]} --help' for usage.`),
    );
  });
});
