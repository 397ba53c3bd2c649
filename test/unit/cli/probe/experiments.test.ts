import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CallRecord } from '../../../../src/cli/probe/laboratory.ts';
import type { Finding } from '../../../../src/cli/probe/report.ts';
import type { Row } from '../../../../src/cli/probe/row.ts';
import { rows } from '../../../../src/cli/probe/rows.ts';
import { isObject } from '../../../../src/json/members.ts';
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
  const cleanup = `cleans up: ${folded(run.called.slice(calls.length)).join(', ') || 'nothing'}`;
  return [...header, ...[...folded(lines), cleanup].map((line) => `  ${line}`), ''].join('\n');
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

/** Removes a member, as `-Policies`, or gives it another value, as `Policies.0.~Type`. */
function withChange(document: unknown, path: string): unknown {
  const [first = '', ...others] = path.split('.');
  const rest = others.join('.');
  if (Array.isArray(document)) return document.with(Number(first), withChange(document[Number(first)], rest));
  if (!isObject(document)) throw new Error(`no member ${path}`);
  if (rest !== '') return { ...document, [first]: withChange(document[first], rest) };
  const { [first.slice(1)]: value, ...without } = document;
  return first.startsWith('-') ? without : { ...document, [first.slice(1)]: otherThan(value) };
}

/** Strings in the other case; those of digits, or in upper case, `other`. */
function otherThan(value: unknown): unknown {
  if (typeof value === 'string') return value === value.toUpperCase() ? 'other' : value.toUpperCase();
  if (typeof value === 'number') return value + 1;
  return typeof value === 'boolean' ? !value : [];
}

const documents = join(import.meta.dirname, 'documents.txt');

test('each experiment reports this if HCN returns a document with such a change', async () => {
  const lines: string[] = [];
  for (const line of readFileSync(documents, 'utf8').trim().split('\n')) {
    const [words = ''] = line.split(': ');
    const [id, position, path = ''] = words.split(' ');
    const row = possible.find((one) => one.id === id);
    if (row === undefined) throw new Error(`no experiment ${id}`);
    const change = (text: string) => JSON.stringify(withChange(JSON.parse(text), path));
    lines.push(
      `${words}: ${outcome(await runExperiment(row, { fault: [Number(position) - 1, { change }] }))}`,
    );
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('documents.txt');
});

/** Creates a network, an endpoint and a namespace that the endpoint is in. */
const withAttachment = possible.find(({ id }) => id === 'attachTwice');

test('after an experiment, these calls clean up if HCN answers one of them otherwise', async () => {
  if (withAttachment === undefined) throw new Error('no experiment attachTwice');
  const usual = await runExperiment(withAttachment);
  const own = usual.finding.calls?.length ?? 0;
  const texts: string[] = [];
  for (const [what, replacement, isFor] of replacements) {
    for (let position = own; position < usual.called.length; position += 1) {
      const name = usual.called[position] ?? '';
      if (!isFor.test(name)) continue;
      const { called, left } = await runExperiment(withAttachment, { fault: [position, replacement] });
      const rest = called.slice(position + 1);
      texts.push(
        `${what} ${name} ${position - own + 1}: ${rest.join(', ') || 'no call'}; leaves ${left.length}`,
      );
    }
  }
  await expect(`${texts.join('\n')}\n`).toMatchFileSnapshot('cleanup.txt');
});
