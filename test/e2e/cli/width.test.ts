import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type InventoryNode, startInventoryNode } from './inventory-node.ts';
import { runCli, success } from './run-cli.ts';

let node: InventoryNode;
let own: string;
beforeEach(async () => {
  node = await startInventoryNode();
  own = node.pod.netns.slice(0, 8);
});
afterEach(() => node.stop());

const plain = (width: number, ...words: readonly string[]) =>
  runCli(words, { system: node.outside, width, environment: { NO_COLOR: '1' } });

describe('ls endpoints on a terminal of', () => {
  test.each<[number, string, () => readonly string[]]>([
    [
      120,
      'hides MAC addresses and interfaces',
      () => [
        'endpoint  pod            network   addresses       namespace  state     health  owner           leftover',
        `5efcf8b5  0e12d1d5a8cfb  l2bridge  10.244.1.2/24   ${own}   Attached  ok      win-hcn         -`,
        'f472cb12  gone           l2bridge  10.244.1.3/24   -          Detached  ok      win-hcn         in no namespace',
        'a1e6032f  c0ffee         l2bridge  10.244.1.30/24  -          Created   ok      another plugin  in no namespace',
        'c3e6032f  -              l2bridge  10.244.1.40/24  -          Created   ok      unknown         -',
        'hidden columns: interface, MAC (show all: -o wide)',
      ],
    ],
    [
      100,
      'also hides states and health if there are no problems',
      () => [
        'endpoint  pod            network   addresses       namespace  owner           leftover',
        `5efcf8b5  0e12d1d5a8cfb  l2bridge  10.244.1.2/24   ${own}   win-hcn         -`,
        'f472cb12  gone           l2bridge  10.244.1.3/24   -          win-hcn         in no namespace',
        'a1e6032f  c0ffee         l2bridge  10.244.1.30/24  -          another plugin  in no namespace',
        'c3e6032f  -              l2bridge  10.244.1.40/24  -          unknown         -',
        'hidden columns: interface, MAC, state, health (show all: -o wide)',
      ],
    ],
    [
      80,
      'also hides owners',
      () => [
        'endpoint  pod            network   addresses       namespace  leftover',
        `5efcf8b5  0e12d1d5a8cfb  l2bridge  10.244.1.2/24   ${own}   -`,
        'f472cb12  gone           l2bridge  10.244.1.3/24   -          in no namespace',
        'a1e6032f  c0ffee         l2bridge  10.244.1.30/24  -          in no namespace',
        'c3e6032f  -              l2bridge  10.244.1.40/24  -          -',
        'hidden columns: interface, MAC, state, health, owner (show all: -o wide)',
      ],
    ],
  ])('%i columns %s', async (width, _, lines) => {
    const stderr = '1 remote endpoint is hidden: show it with --remote\n';
    expect(await plain(width, 'ls', 'endpoints')).toEqual({ ...success(...lines()), stderr });
  });
});

test.each([80, 100, 120])('no line is wider than a terminal of %i columns', async (width) => {
  const { stdout } = await runCli(['ls'], { system: node.outside, width });
  expect(stdout).toContain('\u001b[33m');
  const lines = stripVTControlCharacters(stdout).split('\n');
  expect(lines.filter((line) => line.length > width)).toEqual([]);
});

test('-o wide shows all columns on any terminal', async () => {
  const whole = await runCli(['ls', '-o', 'wide'], { system: node.outside });
  expect(await plain(80, 'ls', '-o', 'wide')).toEqual(whole);
});

test('ACLs keep all columns and wrap', async () => {
  const { stdout } = await plain(74, 'show', 'ip', '10.244.1.2');
  expect(stdout.slice(stdout.indexOf('ACLs'))).toBe(`ACLs, the first match decides
direction  priority  action  protocols  local     remote       type
In         200       Block   any        any       10.9.0.0/16  Switch
In         300       Allow   tcp        any port  any          Switch
                                        80
In         65500     Allow   any        any       any          Switch
In         -         Block   any        any       any          HNS
                                                               default
Out        65500     Allow   any        any       any          Switch
Out        -         Block   any        any       any          HNS
                                                               default
`);
});

describe('a narrow terminal shows whole tables of', () => {
  const tableOf = (stdout: string) => stdout.split('\n').slice(3, -3);

  test('explain-acl', async () => {
    const { stdout } = await plain(80, 'explain-acl', '0e12d1', 'in', '10.9.0.7:80');
    expect(tableOf(stdout)).toEqual([
      'priority  action  protocols  local  remote       type     matches  applied  reason',
      '200       Block   any        any    10.9.0.0/16  Switch   yes      yes',
      '300       Allow   tcp        any    any          Switch   yes      -',
      '                             port',
      '                             80',
      '65500     Allow   any        any    any          Switch   yes      -',
      '-         Block   any        any    any          HNS      yes      -',
      '                                                 default',
    ]);
  });

  test('diff', async () => {
    const { stdout } = await plain(80, 'diff', '0e12d1', 'gone');
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(stdout).toContain(
      [
        'container  0e12d1d5a8cfb5cbc1a91a9b4dd33b6fb  gone',
        '           8b0ee5d1c7f4a2f6f1f1e9e5c3a7b21',
      ].join('\n'),
    );
  });
});
