import { expect, test } from 'vitest';
import { hresultOf } from '../../../simulator/hresults.ts';
import { at, from, outcome, possible, type Run, replacements, runExperiment } from './experiment.ts';

/** The calls of an experiment whose answer decides: not those that create the shared network, which every experiment has. */
function decisive({ called, finding: { calls = [] } }: Run): readonly number[] {
  const isShared = calls[0]?.function === 'HcnCreateNetwork' && !isPrivate(calls[0].sent);
  return [...called.keys()].slice(isShared && calls.length > 2 ? 2 : 0, calls.length);
}

/** With --adapter, the shared network is not of this type. */
function isPrivate(sent: unknown): boolean {
  return JSON.stringify(sent).toLowerCase().includes('"type":"private"');
}

/** Collects positions by outcome. */
function newTable(): { add(outcome: string, where: string): void; lines(what: string): readonly string[] } {
  const found = new Map<string, string[]>();
  return {
    add: (text, where) => void found.set(text, [...(found.get(text) ?? []), where]),
    lines: (what) => [...found].map(([text, where]) => `  ${what} ${where.join(', ')}: ${text}`),
  };
}

/** What experiments may observe as late: other timeouts end each experiment in the same way. */
const observedLate = /Delete|Enumerate|CreateLoadBalancer/;
const usualTimeout = /^not tried: Hcn\w+ did not respond within 30 s: .*; is suspect/;

/** What experiments may try again. */
const lasting = /Create|Open|Modify|Enumerate/;

const refused = { hresult: hresultOf('E_ACCESSDENIED') };

test('each experiment reports this if HCN returns something else for one of its calls', async () => {
  const texts: string[] = [];
  for (const row of possible) {
    const usual = await runExperiment(row);
    const lines: string[] = [];
    const refusals = new Map<number, string>();
    for (const [what, replacement, isFor] of replacements) {
      const table = newTable();
      for (const position of decisive(usual)) {
        const name = usual.called[position] ?? '';
        if (!isFor.test(name) || (what === 'late' && !observedLate.test(name))) continue;
        const text = withoutText(outcome(await runExperiment(row, at(position, replacement))));
        if (what === 'refused') refusals.set(position, text);
        if (!usualTimeout.test(text)) table.add(text, `${position + 1}`);
      }
      lines.push(...table.lines(what));
    }
    const table = newTable();
    for (const [position, refusal] of refusals) {
      const name = usual.called[position] ?? '';
      if (!lasting.test(name)) continue;
      const text = withoutText(outcome(await runExperiment(row, from(position, name, refused))));
      if (text !== refusal) table.add(text, `${position + 1}`);
    }
    lines.push(...table.lines('refused from'));
    const accepted = newTable();
    for (const [position, { hresult }] of (usual.finding.calls ?? []).entries()) {
      if (hresult === 'S_OK') continue;
      accepted.add(
        withoutText(outcome(await runExperiment(row, at(position, 'accepted')))),
        `${position + 1}`,
      );
    }
    lines.push(...accepted.lines('accepted'));
    texts.push([row.id, ...lines, ''].join('\n'));
  }
  await expect(texts.join('\n')).toMatchFileSnapshot('outcomes.txt');
});

/** An outcome without the number and Windows' text of an HRESULT. */
function withoutText(outcome: string): string {
  return outcome.replace(/ \(0x[^;]*/, '');
}
