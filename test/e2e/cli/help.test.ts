import { describe, expect, test } from 'vitest';
import { runBundle } from '../process.ts';
import { byHand, fine } from './by-hand.ts';

const help = `Usage: win-hcn [options] [command]

A CNI plugin for the Windows Host Compute Network, and what helps when it is run by hand.

Options:
  -V, --version  show the version
  -h, --help     show this help

Commands:
  explain        what an HRESULT, a CNI error code or an error text means, and what to do
  validate       what is wrong with a conflist or a plugin configuration, with line and column
  help           show the help of a command

Examples:
  win-hcn explain 0x803b002f
  win-hcn validate C:\\etc\\cni\\net.d\\10-win-hcn.conflist

Exit codes: 0 fine, 1 a problem was found, 2 wrong usage, 3 the Host Network Service does not answer.
Colours are for terminals only, and none with NO_COLOR set.
A container runtime sets CNI_COMMAND, and then none of this is looked at.`;

const explainHelp = `Usage: win-hcn explain [options] <code-or-text...>

Explains an HRESULT in hex or decimal, its symbol, a code of a CNI error object, or every code in a pasted
text. Needs no Windows.

Arguments:
  code-or-text  a code, or words of an error; - reads the text from stdin

Options:
  --json        print JSON
  -h, --help    show this help

Examples:
  win-hcn explain 0x803b002f
  win-hcn explain -2143616977
  win-hcn explain HCN_E_INVALID_IP
  win-hcn explain "HNS failed with error : The parameter is incorrect"
  kubectl describe pod web | win-hcn explain -`;

const validateHelp = `Usage: win-hcn validate [options] <file>

Reads a conflist, or the configuration of one plugin, as a runtime and win-hcn do, and says what is wrong with
it, where. Configurations of the plugins that win-hcn stands in for are read in their own vocabulary. Needs no
Windows.

Arguments:
  file        a .conflist or .conf file; - is stdin

Options:
  --json      print JSON
  -h, --help  show this help

Examples:
  win-hcn validate C:\\etc\\cni\\net.d\\10-win-hcn.conflist
  win-hcn validate --json 10-win-hcn.conflist
  kubectl get configmap cni -o jsonpath="{.data.conflist}" | win-hcn validate -`;

describe('help', () => {
  test.each([[['--help']], [['-h']], [['help']]])('names the commands: %j', async (words) => {
    expect(await byHand(words)).toEqual(fine(help));
  });

  test.each<[string, string]>([
    ['explain', explainHelp],
    ['validate', validateHelp],
  ])('of %s has examples', async (name, text) => {
    expect(await byHand([name, '--help'])).toEqual(fine(text));
    expect(await byHand(['help', name])).toEqual(fine(text));
  });

  test('has bold titles on a terminal, as wide as it is', async () => {
    const { stdout } = await byHand(['--help'], { width: 60 });
    expect(stdout).toContain('\u001b[1mUsage:\u001b[22m win-hcn [options] [command]\n');
    expect(stdout).toContain('\u001b[1mExamples:\u001b[22m\n');
    const described = stdout.slice(0, stdout.indexOf('Examples:'));
    for (const line of described.split('\n'))
      expect(line.length, line).toBeLessThanOrEqual(60 + '\u001b[1m\u001b[22m'.length);
  });
});

describe('wrong usage ends with 2, and says where the help is', () => {
  test.each([
    [['explode'], "win-hcn: unknown command 'explode'\n(Did you mean explain?)\n(win-hcn --help says how)\n"],
    [['explain'], "win-hcn: missing required argument 'code-or-text'\n(win-hcn explain --help says how)\n"],
    [['explain', '--yaml', '5'], "win-hcn: unknown option '--yaml'\n(win-hcn explain --help says how)\n"],
  ])('%j', async (words, stderr) => {
    expect(await byHand(words)).toEqual({ exitCode: 2, stdout: '', stderr });
  });
});

describe('the process', () => {
  test('runs a command when CNI_COMMAND is not set', async () => {
    const { exitCode, stdout, stderr } = await runBundle({}, '', ['explain', '77']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
    expect(stdout).toContain('CNI code 77, which win-hcn does not know\n');
  });

  test('tells its version', async () => {
    const ended = await runBundle({}, '', ['--version']);
    expect(ended).toEqual({ exitCode: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' });
  });

  test('is the plugin when CNI_COMMAND is set, whatever its arguments are', async () => {
    const ended = await runBundle({ CNI_COMMAND: 'VERSION' }, '', ['explain', '77']);
    expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(ended.stdout)).toMatchObject({ cniVersion: '1.1.0' });
  });
});
