import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { newProgram } from '../../../src/cli/main.ts';
import { newSession } from '../../../src/cli/terminal/session.ts';
import { terminal } from '../../../src/cli/terminal/terminal.ts';
import { system } from '../../../src/system.ts';
import { runBundle } from '../process.ts';
import { runCli, success } from './run-cli.ts';

/** The words of every command, subcommands included; none for win-hcn itself. */
function commandLines(command: Command, words: readonly string[] = []): readonly (readonly string[])[] {
  return [words, ...command.commands.flatMap((one) => commandLines(one, [...words, one.name()]))];
}

const program = newProgram(newSession(system, terminal, () => undefined));

describe('help', () => {
  test('of win-hcn is the text in help.txt (vitest -u rewrites it); docs/commands.md has the others', async () => {
    const { stdout } = await runCli(['--help']);
    await expect(stdout).toMatchFileSnapshot('help.txt');
  });

  test.each([undefined, 80])('of win-hcn fits 24 lines of 80 columns: width %s', async (width) => {
    const lines = (
      await runCli(['--help'], { ...(width && { width }), environment: { NO_COLOR: '1' } })
    ).stdout
      .trimEnd()
      .split('\n');
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  test.each(
    commandLines(program)
      .slice(1)
      .map((words) => [['win-hcn', ...words].join(' '), words] as const),
  )('of %s has examples', async (_, words) => {
    expect(await runCli([...words, '--help'])).toEqual({
      exitCode: 0,
      stdout: expect.stringContaining('\nExamples:\n'),
      stderr: '',
    });
  });

  test.each(
    [[], ['ls'], ['debug'], ['debug', 'cni', 'add']].map((words) => [words.join(' '), words] as const),
  )('is the same with -h and with the help command: %s', async (_, words) => {
    const { stdout } = await runCli([...words, '--help']);
    expect(await runCli([...words, '-h'])).toEqual(success(stdout.trimEnd()));
    expect(await runCli(words.length === 0 ? ['help'] : words.toSpliced(-1, 0, 'help'))).toEqual(
      success(stdout.trimEnd()),
    );
  });

  test('has bold titles and the width of the terminal', async () => {
    const { stdout } = await runCli(['--help'], { width: 60 });
    expect(stdout).toContain('\u001b[1mUsage:\u001b[22m win-hcn [options] [command]\n');
    expect((await runCli(['ls', '--help'], { width: 60 })).stdout).toContain(
      '\u001b[1mExamples:\u001b[22m\n',
    );
    for (const line of stdout.split('\n'))
      expect(line.length, line).toBeLessThanOrEqual(60 + '\u001b[1m\u001b[22m'.length);
  });
});

test('help on stderr has colors only on a terminal', async () => {
  const { stderr } = await runCli([], { width: 80 });
  expect(stderr).toContain('Usage: win-hcn [options] [command]\n');
  const { stderr: colored } = await runCli([], { width: 80, stderrWidth: 80 });
  expect(colored).toContain('\u001b[1mUsage:\u001b[22m win-hcn [options] [command]\n');
});

const listHint = 'For lists, run win-hcn ls; for details of an object, win-hcn show.';

describe('invalid usage exits with 2 and refers to the help', () => {
  test.each([
    [
      ['explode'],
      "win-hcn: unknown command 'explode'\n(Did you mean explain?)\nRun 'win-hcn --help' for usage.\n",
    ],
    [
      ['explain'],
      "win-hcn: missing required argument 'code-or-text'\nRun 'win-hcn explain --help' for usage.\n",
    ],
    [
      ['ls', '--json'],
      "win-hcn: unknown option '--json'\nFor JSON, use -o json.\nRun 'win-hcn ls --help' for usage.\n",
    ],
    [
      ['network', 'ls'],
      `win-hcn: unknown command 'ls'\n${listHint}\nRun 'win-hcn network --help' for usage.\n`,
    ],
    [['pods'], `win-hcn: unknown command 'pods'\n${listHint}\nRun 'win-hcn --help' for usage.\n`],
  ])('%j', async (words, stderr) => {
    expect(await runCli(words)).toEqual({ exitCode: 2, stdout: '', stderr });
  });
});

describe('the process', () => {
  test('runs a command if CNI_COMMAND is not set', async () => {
    const { exitCode, stdout, stderr } = await runBundle({}, '', ['explain', '77']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
    expect(stdout).toContain('CNI code 77: unknown\n');
  });

  test.each([
    ['EPIPE', ''],
    ['EOF', ''],
    ['ENOSPC', 'win-hcn: cannot print: the disk is full\n'],
  ])('exits with 1 if it cannot print: %s', async (code, stderr) => {
    const writeStdout = () => {
      throw Object.assign(new Error(`${code}, write`), { code });
    };
    expect(await runCli(['explain', '77'], { system: { writeStdout } })).toEqual({
      exitCode: 1,
      stdout: '',
      stderr,
    });
    expect(await runCli(['--help'], { system: { writeStdout } })).toMatchObject({ exitCode: 1, stderr });
  });

  test('is the plugin if CNI_COMMAND is set, with any arguments', async () => {
    const ended = await runBundle({ CNI_COMMAND: 'VERSION' }, '', ['explain', '77']);
    expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(ended.stdout)).toMatchObject({ cniVersion: '1.1.0' });
  });
});
