import { globSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { idleProgram, pathOf, problemOf, withSubcommands, wordsIn } from './parse-command-line.ts';

/** The examples in a command's help. */
function examplesOf(command: Command): readonly string[] {
  let help = '';
  const program = idleProgram((text) => {
    help += text;
  });
  withSubcommands(program)
    .find((other) => pathOf(other) === pathOf(command))
    ?.outputHelp();
  return (/\nExamples:\n((?: {2}.+\n)+)/.exec(help)?.[1] ?? '').trimEnd().split('\n');
}

describe('every example', () => {
  test.each(
    withSubcommands(idleProgram())
      .slice(1)
      .map((command) => [pathOf(command), command] as const),
  )('of %s is a valid command line', async (_, command) => {
    const examples = examplesOf(command);
    expect(examples).not.toEqual(['']);
    for (const words of examples.flatMap(wordsIn))
      await expect(idleProgram().parseAsync(words, { from: 'user' }), words.join(' ')).resolves.toBeDefined();
  });
});

describe('the help', () => {
  const commands = withSubcommands(idleProgram()).slice(1);

  test.each(commands.map((command) => [pathOf(command), command.summary()] as const))(
    'of %s has a summary of at most ten words: %s',
    (_, summary) => {
      expect(summary).toMatch(/^(?:[A-Z]+: )?[a-z].*[^.]$/);
      expect(summary.replace(/^[A-Z]+: /, '').split(' ').length).toBeLessThanOrEqual(10);
    },
  );

  test('describes an option in the same words for every command, except for these', () => {
    const descriptions = Map.groupBy(
      commands.flatMap(({ options }) => options),
      ({ flags }) => flags,
    );
    const different = [...descriptions].filter(
      ([, options]) => new Set(options.map(({ description }) => description)).size > 1,
    );
    expect(different.map(([flags]) => flags).toSorted()).toEqual([
      '--conf <file>',
      '--file <file>',
      '--force',
      '--netns <guid>',
      '--prev-result <file>',
      '--yes',
    ]);
  });
});

interface Mention {
  readonly file: string;
  /** From the program's name to the end of the clause, with TEXT for interpolated values. */
  readonly text: string;
}

const mentions: readonly Mention[] = globSync('src/**/*.ts', { exclude: ['**/generated/**'] }).flatMap(
  (file) => {
    const text = readFileSync(file, 'utf8')
      .replaceAll(/^ *(\/?\*\*? |\/\/).*$/gm, '')
      .replaceAll(/(['"`]) \+\n\s*['"`]/g, '')
      .replaceAll(/\$\{[^}]*\}/g, 'TEXT');
    return [...text.matchAll(/\bwin-hcn [a-z-][^'"`\\|<>;:,()\n]*/g)].map(([found]) => ({
      file,
      text: found,
    }));
  },
);

describe('every command line in a message', () => {
  test.each(mentions)('is valid: $text ($file)', ({ text }) => {
    expect(problemOf(text)).toBeUndefined();
  });

  test.each([
    ['win-hcn ls dns shows it', 'win-hcn ls does not accept dns'],
    ['win-hcn network remove NAME', 'win-hcn network has no command remove'],
    ['win-hcn debug endpoint delete ID --force', 'win-hcn debug endpoint delete has no option --force'],
    ['win-hcn ls -o xml', '-o does not accept xml'],
    ['win-hcn endpoints', 'win-hcn has no command endpoints'],
  ])('is detected if it is not: %s', (text, problem) => {
    expect(problemOf(text)).toBe(problem);
  });
});
