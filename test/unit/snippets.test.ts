import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { ajvValidator } from '../../packaging/ajv-validator.mjs';
import { openConfig } from '../../src/config/open-config.ts';
import { readNetworkConfig } from '../../src/config/read-config.ts';
import { isObject } from '../../src/json/members.ts';
import { type Block, pages } from '../markdown/page.ts';
import { notOnWindows } from '../not-on-windows.ts';
import { idleProgram, problemOf, wordsIn } from './cli/parse-command-line.ts';
import { commandTexts, syntaxProblems } from './powershell/parse.ts';

const blocks = pages.flatMap((page) => page.blocks);

function shellProblems(text: string): readonly string[] {
  const { stderr } = spawnSync('sh', ['-n'], { input: text, encoding: 'utf8' });
  return stderr === '' ? [] : [stderr.trim()];
}

/** The check of each language that a block can have, except sh. Returns problems. */
const checks: Readonly<Record<string, (text: string) => readonly string[] | Promise<readonly string[]>>> = {
  powershell: async (given) => {
    const text = withinGrammar(given);
    return [...syntaxProblems(text), ...(await commandProblems(commandTexts(text)))];
  },
  json: jsonProblems,
  yaml: (text) =>
    parseAllDocuments(text).flatMap((document) => ('errors' in document ? document.errors.map(String) : [])),
  console: async (text) => {
    const lines = sessionsIn(text).map(({ command }) => withinGrammar(command));
    return [
      ...lines.flatMap(syntaxProblems),
      ...(await commandProblems(lines.flatMap(commandTexts))),
      ...sessionsIn(text).flatMap(sessionProblems),
    ];
  },
  mermaid: () => [],
  text: () => [],
};

/** PowerShell that tree-sitter's grammar lacks, in other words: a lone dash, brackets or quotes inside an argument, and a list of paths. */
function withinGrammar(script: string): string {
  return script
    .replaceAll(/ -$/gm, " '-'")
    .replaceAll(/ (\[[\da-f:]+\]\S*)/g, " '$1'")
    .replaceAll(/(?<= )\w+=("[^"]*")/g, '$1')
    .replaceAll(/, (?=[A-Z]:\\)/g, ' ');
}

/** A typed command and the lines that it prints. */
interface ConsoleSession {
  readonly command: string;
  readonly output: readonly string[];
}

function sessionsIn(text: string): readonly ConsoleSession[] {
  return text.split(/^PS> /m).flatMap((part) => {
    const [command = '', ...output] = part.trimEnd().split('\n');
    return command === '' ? [] : [{ command, output }];
  });
}

/** The commands that debugging-page.test.ts runs on simulated nodes, with their whole output. */
const runSessions = pages
  .filter(({ path }) => path === 'docs/debugging.md')
  .flatMap((page) => page.blocks)
  .flatMap(({ text }) => sessionsIn(text));

/** The output may be shortened by whole lines. */
function sessionProblems({ command, output }: ConsoleSession): readonly string[] {
  const run = runSessions.filter((one) => one.command === command);
  if (run.length === 0) return [`docs/debugging.md, which a test runs, has no such command: ${command}`];
  const isPartOf = (whole: readonly string[]) => {
    let from = 0;
    return output.every((line) => {
      from = whole.indexOf(line, from) + 1;
      return from > 0;
    });
  };
  return run.some((one) => isPartOf(one.output))
    ? []
    : [`docs/debugging.md has another output of ${command}`];
}

function jsonProblems(text: string): readonly string[] {
  const json: unknown = JSON.parse(text);
  if (!isObject(json)) return ['is no object'];
  if (Array.isArray(json['plugins'])) {
    const { plugins, ...list } = json;
    return json['plugins'].flatMap((plugin) => configProblems({ ...list, ...Object(plugin) }));
  }
  if (typeof json['type'] === 'string') return configProblems(json);
  if (typeof json['Type'] === 'string') return policyProblems(json);
  if (typeof json['code'] === 'number' && typeof json['msg'] === 'string') return [];
  return ['is neither a configuration nor a policy nor an error'];
}

function configProblems(json: Readonly<Record<string, unknown>>): readonly string[] {
  try {
    const opened = openConfig(json, 'win-hcn.exe', '');
    readNetworkConfig(opened.json, {}, opened);
    return [];
  } catch (error) {
    return [String(error)];
  }
}

const validate = ajvValidator('win-hcn.schema.json');

function policyProblems(policy: unknown): readonly string[] {
  const accepted = ['endpointPolicies', 'networkPolicies'].some((key) =>
    validate({ networkType: 'NAT', defaultAction: 'Allow', [key]: [policy] }),
  );
  return accepted ? [] : ['is no policy'];
}

/** The problems of whole commands. Those of other programs have none. */
async function commandProblems(commands: readonly string[]): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const words of commands.flatMap((command) => winHcnWords(command))) {
    try {
      await idleProgram().parseAsync(words, { from: 'user' });
    } catch (error) {
      const { code, message } = Object(error);
      if (!['commander.help', 'commander.helpDisplayed', 'commander.version'].includes(code))
        problems.push(`win-hcn ${words.join(' ')}: ${message}`);
    }
  }
  return problems;
}

/** The arguments of a command that runs win-hcn by its name or its path. */
function winHcnWords(command: string): readonly (readonly string[])[] {
  return wordsIn(command.replace(/^(?:& )?['"]?(?:\S*[\\/])?win-hcn(?:\.exe)?['"]?(?= |$)/, 'win-hcn'));
}

describe('every block of a page is what its language states', () => {
  const [shell = [], others = []] = [true, false].map((isShell) =>
    blocks.filter(({ language }) => (language === 'sh') === isShell),
  );

  notOnWindows('Windows has no sh')('sh', () => {
    expect(shell.length).toBeGreaterThan(10);
    expect(shell.filter(({ text }) => shellProblems(text).length > 0)).toEqual([]);
    expect(shellProblems('echo "a').join('\n')).toMatch(/Unterminated|unexpected EOF/);
  });

  test.each(others.map((block) => [block.place, block.language, block] as const))(
    '%s: %s',
    async (_, language, { text }: Block) => {
      expect(Object.keys(checks)).toContain(language);
      expect(await checks[language]?.(text)).toEqual([]);
    },
  );
});

test('every command line of win-hcn in inline code is valid', async () => {
  const lines = pages.flatMap(({ codes }) => codes).filter(({ text }) => /^win-hcn [a-z-]/.test(text));
  expect(lines.length).toBeGreaterThan(20);
  const problems: string[] = [];
  for (const { place, text } of lines) {
    const problem = (await commandProblems([text])).length === 0 ? undefined : problemOf(text);
    if (problem !== undefined) problems.push(`${place}: ${problem}`);
  }
  expect(problems).toEqual([]);
});
