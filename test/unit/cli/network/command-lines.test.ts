import { expect, test } from 'vitest';
import { newProgram } from '../../../../src/cli/main.ts';
import { newSession } from '../../../../src/cli/terminal/session.ts';
import { terminal } from '../../../../src/cli/terminal/terminal.ts';
import { system } from '../../../../src/system.ts';

test.each([
  ['network sync - --nodes -', 'only one of the two files can be read from stdin'],
  [
    'network describe --node-name Win_1',
    "option '--node-name <name>' argument 'Win_1' is invalid. expected the name of a Kubernetes node, such as win1",
  ],
])('%s is refused: %s', async (line, problem) => {
  let text = '';
  const writeStderr = (chunk: string) => {
    text += chunk;
  };
  const outside = { ...system, environment: {}, writeStdout: () => undefined, writeStderr };
  const program = newProgram(newSession(outside, terminal, () => undefined));
  await expect(program.parseAsync(line.split(' '), { from: 'user' })).rejects.toThrow(problem);
  expect(text.split('\n')[0]).toBe(`win-hcn: ${problem}`);
});
