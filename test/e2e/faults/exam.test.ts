import { afterEach, describe, expect, test } from 'vitest';
import { type ExamFault, exam } from './exam.ts';
import { type FaultyNode, startHealthyNode } from './faulty-node.ts';
import { wordsOf } from './read-output.ts';

let node: FaultyNode | undefined;
afterEach(async () => {
  await node?.stop();
  node = undefined;
});

/** Whether one failure or warning contains all words. */
function isNamed(output: string, words: ExamFault['words']): boolean {
  return output
    .split('\n')
    .filter((line) => /^(FAIL|WARN) /.test(line))
    .some((line) =>
      words.every((word) => (typeof word === 'string' ? line.includes(word) : word.test(line))),
    );
}

/** The commands of win-hcn that show details of a problem. */
function proposedCommands(output: string): readonly (readonly string[])[] {
  return [...output.matchAll(/see: win-hcn (.+)/g)].map(([, words = '']) => wordsOf(words));
}

test('the exam has thirty faults', () => expect(Object.keys(exam)).toHaveLength(30));

describe('doctor names a fault, with commands that show it, and exit code 1 if it stops pods:', () => {
  test.each(Object.entries(exam))('%s', async (_, { plant, words, stops }) => {
    node = await startHealthyNode();
    await plant(node);
    const { exitCode, stdout } = await node.run(['doctor']);
    expect(isNamed(stdout, words) && (exitCode === 1 || !stops), stdout).toBe(true);
    for (const command of proposedCommands(stdout)) {
      const shown = await node.run(command);
      expect([0, 1], command.join(' ')).toContain(shown.exitCode);
      expect(`${shown.stdout}${shown.stderr}`, command.join(' ')).not.toMatch(/^$|HCN has no|^No /);
    }
  });
});
