import { expect, test } from 'vitest';
import type { Row } from '../../../../src/cli/probe/row.ts';
import { nodeWith, observedPositions } from '../../../e2e/probe/positions.ts';
import {
  at,
  callText,
  folded,
  isOverlap,
  numbered,
  outcome,
  possible,
  type Run,
  replacements,
  runExperiment,
  upperCase,
} from './experiment.ts';

/** The ground and the observations for which the claim holds, then what the experiment observed, and its calls. */
function transcript({ id, experiment }: Row, run: Run): string {
  const { calls = [] } = run.finding;
  const { on, expected } = 'run' in experiment ? experiment : { on: 'none', expected: [] };
  const lines = numbered(
    [...calls.map((call) => `${callText(call)}: ${call.hresult}`), ...run.events].join('\n'),
  ).split('\n');
  const alone = 'isAlone' in experiment && experiment.isAlone ? ', alone' : '';
  const header = [`${id} on ${on}${alone}`, `  expects ${expected.join(', ')}`, `  ${outcome(run)}`];
  const cleanup = `cleans up: ${folded(run.called.slice(calls.length)).join(', ') || 'nothing'}`;
  return [...header, ...[...folded(lines), cleanup].map((line) => `  ${line}`), ''].join('\n');
}

test('each experiment makes these calls', async () => {
  const texts: string[] = [];
  for (const row of possible) texts.push(transcript(row, await runExperiment(row)));
  await expect(texts.join('\n')).toMatchFileSnapshot('calls.txt');
});

test('each experiment reports this on a node that behaves otherwise', async () => {
  const lines: string[] = [];
  for (const one of observedPositions) {
    const row = possible.find(({ id }) => id === one.name);
    if (row === undefined) continue;
    lines.push(
      `${one.name} ${one.position}: ${outcome(await runExperiment(row, { options: nodeWith(one) }))}`,
    );
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('positions.txt');
});

/** Creates a network, an endpoint and a namespace that the endpoint is in. */
const withAttachment = possible.find(({ id }) => id === 'attachTwice');

test('after an experiment, these calls clean up if HCN returns something else for one of them', async () => {
  if (withAttachment === undefined) throw new Error('no experiment attachTwice');
  const usual = await runExperiment(withAttachment);
  const own = usual.finding.calls?.length ?? 0;
  const texts: string[] = [];
  for (const [what, replacement, isFor] of [...replacements, ['upper case', upperCase, /Query/] as const]) {
    for (let position = own; position < usual.called.length; position += 1) {
      const name = usual.called[position] ?? '';
      if (!isFor.test(name)) continue;
      const { asked, events, left } = await runExperiment(withAttachment, at(position, replacement));
      const rest = numbered(asked.join('\n'))
        .split('\n')
        .slice(position + 1);
      const overlap = events.some(isOverlap) ? '; calls overlap' : '';
      const calls = rest.join(', ') || 'no call';
      texts.push(`${what} ${name} ${position - own + 1}: ${calls}; leaves ${left.length}${overlap}`);
    }
  }
  await expect(`${texts.join('\n')}\n`).toMatchFileSnapshot('cleanup.txt');
});

test('a report has what HCN returned: JSON as a value, other text as it is', async () => {
  if (withAttachment === undefined) throw new Error('no experiment attachTwice');
  const returned = async (change: (text: string) => string) => {
    const { finding } = await runExperiment(withAttachment, at(1, { change }));
    return finding.calls?.[1]?.returned;
  };
  expect(await returned(() => '{"ID":"1"}')).toEqual({ ID: '1' });
  expect(await returned(() => 'null')).toBeNull();
  expect(await returned(() => 'no JSON')).toBe('no JSON');
  expect(await returned(() => '')).toBeUndefined();
});
