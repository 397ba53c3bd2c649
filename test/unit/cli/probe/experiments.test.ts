import { expect, test } from 'vitest';
import type { CallRecord } from '../../../../src/cli/probe/laboratory.ts';
import type { Finding } from '../../../../src/cli/probe/report.ts';
import type { Row } from '../../../../src/cli/probe/row.ts';
import { rows } from '../../../../src/cli/probe/rows.ts';
import { nodeWith, observedPositions } from '../../../e2e/probe/positions.ts';
import { hresultOf } from '../../../simulator/hresults.ts';
import { numbered, type Replacement, type Run, runExperiment } from './experiment.ts';

const possible = rows.filter(({ experiment }) => 'run' in experiment);

/** As in `holds: refused (HCN_E_INVALID_POLICY)`, or `not tried: creating an endpoint: …`. */
function outcome({ finding, events, left }: Run): string {
  const { verdict, observed, detail, reason }: Finding = finding;
  const seen = detail === undefined ? observed : `${observed} (${detail})`;
  const suspect = events.includes('is suspect') ? '; is suspect' : '';
  const remains = left.length === 0 ? '' : `; leaves ${left.length}`;
  return numbered(`${verdict}: ${reason ?? seen}${suspect}${remains}`);
}

/** Equal lines that follow each other, once, with their number. */
function folded(lines: readonly string[]): readonly string[] {
  const found: { readonly line: string; times: number }[] = [];
  for (const line of lines) {
    const last = found.at(-1);
    if (last?.line === line) last.times += 1;
    else found.push({ line, times: 1 });
  }
  return found.map(({ line, times }) => (times === 1 ? line : `${line}, ${times} times`));
}

function callText({ function: name, id, sent, hresult }: CallRecord): string {
  const words = [name, id, sent === undefined ? undefined : JSON.stringify(sent)];
  return `${words.filter((word) => word !== undefined).join(' ')}: ${hresult}`;
}

/** The ground and the observations for which the claim holds, then what the experiment observed, and its calls. */
function transcript({ id, experiment }: Row, run: Run): string {
  const { calls = [] } = run.finding;
  const { on, expected } = 'run' in experiment ? experiment : { on: 'none', expected: [] };
  const lines = numbered([...calls.map(callText), ...run.events].join('\n')).split('\n');
  const header = [`${id} on ${on}`, `  expects ${expected.join(', ')}`, `  ${outcome(run)}`];
  return [...header, ...folded(lines).map((line) => `  ${line}`), ''].join('\n');
}

test('each experiment makes these calls', async () => {
  const texts: string[] = [];
  for (const row of possible) texts.push(transcript(row, await runExperiment(row)));
  await expect(texts.join('\n')).toMatchFileSnapshot('calls.txt');
});

const replacements: readonly (readonly [what: string, replacement: Replacement, isFor: RegExp])[] = [
  ['refused', { hresult: hresultOf('E_ACCESSDENIED') }, /./],
  ['absent', { hresult: hresultOf('ERROR_NOT_FOUND') }, /Open|Query|Modify|Delete/],
  ['late', 'timeout', /./],
  ['null', { change: () => 'null' }, /Query|Enumerate/],
];

/** The calls of an experiment whose answer decides: not those that create the shared network, which every experiment has. */
function decisive({ called, finding }: Run): readonly number[] {
  const own = finding.calls?.length ?? 0;
  return [...called.keys()].filter((position) => position < own && (position >= 2 || own <= 2));
}

/** Collects positions by outcome. */
function newTable(): { add(outcome: string, where: string): void; lines(what: string): readonly string[] } {
  const found = new Map<string, string[]>();
  return {
    add: (text, where) => void found.set(text, [...(found.get(text) ?? []), where]),
    lines: (what) => [...found].map(([text, where]) => `  ${what} ${where.join(', ')}: ${text}`),
  };
}

const usualTimeout = /^not tried: Hcn\w+ did not respond within 30 s: .*; is suspect$/;

test('each experiment reports this if HCN answers one of its calls otherwise', async () => {
  const texts: string[] = [];
  for (const row of possible) {
    const usual = await runExperiment(row);
    const lines: string[] = [];
    for (const [what, replacement, isFor] of replacements) {
      const table = newTable();
      for (const position of decisive(usual)) {
        if (!isFor.test(usual.called[position] ?? '')) continue;
        const text = outcome(await runExperiment(row, { fault: [position, replacement] }));
        if (!usualTimeout.test(text)) table.add(text.replace(/ \(0x[^;]*/, ''), `${position + 1}`);
      }
      lines.push(...table.lines(what));
    }
    texts.push([row.id, ...lines, ''].join('\n'));
  }
  await expect(texts.join('\n')).toMatchFileSnapshot('outcomes.txt');
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
