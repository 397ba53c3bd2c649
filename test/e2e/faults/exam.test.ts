import { afterEach, describe, expect, test } from 'vitest';
import { type ExamFault, exam } from './exam.ts';
import { type FaultyNode, startHealthyNode } from './faulty-node.ts';

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

test('the exam has thirty faults', () => expect(Object.keys(exam)).toHaveLength(30));

describe('doctor names a fault, with exit code 1 if it stops pods, unless the exam marks it as missed:', () => {
  test.each(Object.entries(exam))('%s', async (_, { plant, words, stops, missed = false }) => {
    node = await startHealthyNode();
    await plant(node);
    const { exitCode, stdout } = await node.run(['doctor']);
    expect(isNamed(stdout, words) && (exitCode === 1 || !stops), stdout).toBe(!missed);
  });
});
