import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Node, startNode } from '../node.ts';
import { runCli } from './run-cli.ts';

let node: Node;
beforeEach(async () => {
  node = await startNode();
});
afterEach(() => node.stop());

test('a line on stderr has at most 4 kB, and tells that it was cut', async () => {
  const { stderr } = await runCli(['show', 'x'.repeat(10_000)], { system: node.outside });
  const lines = stderr.split('\n').map((line) => line.length);
  expect(Math.max(...lines)).toBeGreaterThan(4000);
  expect(Math.max(...lines)).toBeLessThanOrEqual(4096);
  expect(stderr).toMatch(/x\.\.\.\n/);
});
