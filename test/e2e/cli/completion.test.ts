import { afterEach, describe, expect, test } from 'vitest';
import type { Node } from '../node.ts';
import { runBundle } from '../process.ts';
import { startInventoryNode } from './inventory-node.ts';
import { type Printed, runCli, success } from './run-cli.ts';

const script = `# Completes command lines of win-hcn with Tab. Made by: win-hcn completion powershell
Register-ArgumentCompleter -Native -CommandName 'win-hcn', 'win-hcn.exe' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $before = @($commandAst.CommandElements |
        Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
        ForEach-Object { $_.Extent.Text.Trim('"', "'") })
    $exitCode = $global:LASTEXITCODE
    & $commandAst.GetCommandName() __complete "=$wordToComplete" @before 2>$null | ForEach-Object {
        $word, $about = $_ -split "\`t", 2
        $text = if ($word -match '^[\\w.:/-]+$') { $word } else { "'" + $word.Replace("'", "''") + "'" }
        [System.Management.Automation.CompletionResult]::new($text, $word, 'ParameterValue', $about)
    }
    $global:LASTEXITCODE = $exitCode
}`;

/** What may come in the place of the last word, each with what it is. */
const complete = (words: readonly string[], more: Parameters<typeof runCli>[1] = {}): Promise<Printed> =>
  runCli(['__complete', `=${words.at(-1)}`, ...words.slice(0, -1)], more);

/** The words only. */
async function wordsFor(...words: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await complete(words);
  return stdout.split('\n').flatMap((line) => line.split('\t', 1)[0] || []);
}

describe('completion', () => {
  test('prints the script for PowerShell', async () => {
    expect(await runCli(['completion', 'powershell'])).toEqual(success(script));
  });

  test('is for no other shell', async () => {
    expect(await runCli(['completion', 'bash'])).toEqual({
      exitCode: 2,
      stdout: '',
      stderr:
        "win-hcn: command-argument value 'bash' is invalid for argument 'shell'. Allowed choices are powershell.\n" +
        "Run 'win-hcn completion --help' for usage.\n",
    });
  });
});

describe('the words that may come next are', () => {
  test('the commands, with what they do', async () => {
    expect(await complete(['val'])).toEqual(
      success('validate\twhat is wrong with a conflist or a plugin configuration, with line and column'),
    );
  });

  test('all that the help names', async () => {
    const { stdout } = await runCli(['--help']);
    const named = [...stdout.matchAll(/^ {2}([a-z-]+) {2,}\S/gm)].map(([, name]) => name);
    expect(named).toContain('completion');
    expect(await wordsFor('')).toEqual(named);
  });

  test.each<[string, readonly string[]]>([
    ['-', ['--version', '--help']],
    ['cni ', ['add', 'check', 'del', 'gc', 'status', 'version', 'help']],
    ['help s', ['show']],
    ['cni help g', ['gc']],
    ['ls ', ['networks', 'endpoints', 'namespaces', 'loadbalancers']],
    ['ls EN', ['endpoints']],
    ['ls endpoints ', ['--output', '--remote', '--watch', '--help']],
    ['ls endpoints --r', ['--remote']],
    ['ls -o ', ['wide', 'json', 'yaml']],
    ['ls --output j', ['json']],
    ['ls -o json ', ['networks', 'endpoints', 'namespaces', 'loadbalancers']],
    ['ls --watch ', ['networks', 'endpoints', 'namespaces', 'loadbalancers']],
    ['ls --watch 5 n', ['networks', 'namespaces']],
    ['ls --remote e', ['endpoints']],
    ['show n', ['namespace', 'network']],
    [
      'cni del --',
      ['--conf', '--plugin', '--cni-path', '--json', '--container', '--ifname', '--netns', '--help'],
    ],
  ])('"win-hcn %s"', async (line, words) => {
    expect(await wordsFor(...line.split(' '))).toEqual(words);
  });

  test.each(['validate ', 'plan --address ', 'cni add --conf ', 'explain '])(
    'none after "win-hcn %s", so that PowerShell completes names of files',
    async (line) => {
      expect(await complete(line.split(' '))).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    },
  );
});

describe('names come from HCN', () => {
  let node: Node;
  afterEach(() => node.stop());

  test.each([
    ['show network ', ['l2bridge\tnetwork of type L2Bridge']],
    [
      'show pod ',
      [
        '0e12d1d5a8cfb5cbc1a91a9b4dd33b6fb8b0ee5d1c7f4a2f6f1f1e9e5c3a7b21\tcontainer',
        'gone\tcontainer',
        'c0ffee\tcontainer',
      ],
    ],
    ['diff 0e12d1 g', ['gone\tcontainer']],
    ['show endpoint c3', ['c3e6032f-bbf7-4b5a-880f-667bebc65503\tendpoint by-hand']],
    ['show ip 10.244.1.4', ['10.244.1.40\taddress of endpoint by-hand']],
    ['cni del --container g', ['gone\tcontainer']],
  ])('for "win-hcn %s"', async (line, lines) => {
    node = await startInventoryNode();
    expect(await complete(line.split(' '), { system: node.outside })).toEqual(success(...lines));
  });

  test('for a namespace', async () => {
    const started = await startInventoryNode();
    node = started;
    const { pod, hostNamespace, outside } = started;
    const namespaces = [
      `${hostNamespace}\tnamespace of type HostDefault`,
      `${pod.netns}\tnamespace of type Host`,
    ];
    expect(await complete(['show', 'namespace', ''], { system: outside })).toEqual(success(...namespaces));
    expect(await complete(['plan', '--netns', ''], { system: outside })).toEqual(success(...namespaces));
    expect(await complete(['namespace', 'delete', ''], { system: outside })).toEqual(success(...namespaces));
  });

  test.each([{ hang: true } as const, { hresult: 0x80070426 }])('and are left out on %j', async (effect) => {
    node = await startInventoryNode();
    node.hns.inject({ function: 'HcnEnumerateNetworks', effect });
    const ended = await complete(['show', 'network', ''], { system: node.outside });
    expect(ended).toEqual({ exitCode: 3, stdout: '', stderr: '' });
  });

  test('and the process ends with 3 though a call still hangs', async () => {
    node = await startInventoryNode();
    node.hns.inject({ function: 'HcnEnumerateNetworks', effect: { hang: true } });
    const ended = await runBundle(node.hns.environment, '', ['__complete', '=', 'show', 'network']);
    expect(ended).toEqual({ exitCode: 3, stdout: '', stderr: '' });
  });
});
