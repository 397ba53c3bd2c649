import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isObject } from '../../../../src/json/members.ts';
import { at, outcome, possible, runExperiment } from './experiment.ts';

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
    if (row === undefined) continue;
    const change = (text: string) => JSON.stringify(withChange(JSON.parse(text), path));
    lines.push(`${words}: ${outcome(await runExperiment(row, at(Number(position) - 1, { change })))}`);
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('documents.txt');
});
