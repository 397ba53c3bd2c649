import { expect, test } from 'vitest';
import type { Row } from '../../../../src/cli/probe/row.ts';
import { behaviors } from './behaviors.ts';
import {
  callText,
  folded,
  isOverlap,
  numbered,
  outcome,
  possible,
  type Run,
  runExperiment,
} from './experiment.ts';

/** The names of the calls in order, and those that are different from the usual ones, with their documents. */
function callsOf(run: Run, usual: Run): readonly string[] {
  const textsOf = ({ finding: { calls = [] } }: Run) =>
    numbered(calls.map(({ id, ...call }) => callText(call)).join('\n'))
      .replaceAll(/(win-hcn-probe)-\d+/g, '$1')
      .split('\n');
  const known = new Set(textsOf(usual));
  const others = textsOf(run).filter((text) => !known.has(text));
  const own = run.called.slice(0, run.finding.calls?.length);
  const waits = run.events.filter((event) => event.startsWith('waits'));
  return [folded([...own, ...waits]).join(', '), ...folded(others)].filter((text) => text !== '');
}

test('each experiment reports this on an HNS or a Windows that behaves so, after these calls', async () => {
  const usual = new Map<Row, Run>();
  const texts: string[] = [];
  for (const [id, what, circumstances] of behaviors) {
    const row = possible.find((one) => one.id === id);
    if (row === undefined) throw new Error(`no experiment ${id}`);
    const before = usual.get(row) ?? (await runExperiment(row));
    usual.set(row, before);
    const run = await runExperiment(row, circumstances);
    // The order of simultaneous calls means nothing.
    const calls = run.events.some(isOverlap) ? [] : callsOf(run, before);
    texts.push([`${id}: ${what}`, outcome(run), ...calls, ''].join('\n  ').trim());
  }
  await expect(`${texts.join('\n')}\n`).toMatchFileSnapshot('behaviors.txt');
});

test('each experiment reports this on an HNS that ignores requested IDs', async () => {
  const options = { switches: { callerIds: 'ignored' } } as const;
  const lines: string[] = [];
  for (const row of possible) {
    const [usual, run] = [await runExperiment(row), await runExperiment(row, { options })];
    if (outcome(run) !== outcome(usual)) lines.push(`${row.id}: ${outcome(run)}`);
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('ignored-ids.txt');
});
