import { expect, test } from 'vitest';
import { outcome, possible, type Run, replacements, runExperiment } from './experiment.ts';

/** The calls of an experiment whose answer decides: not those that create the shared network, which every experiment has. */
function decisive({ called, finding }: Run): readonly number[] {
  const own = finding.calls?.length ?? 0;
  const first = called[0] === 'HcnCreateNetwork' && own > 2 ? 2 : 0;
  return [...called.keys()].slice(first, own);
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
const usualTimeout = /^not tried: Hcn\w+ did not respond within 30 s: .*; is suspect$/;

test('each experiment reports this if HCN answers one of its calls otherwise', async () => {
  const texts: string[] = [];
  for (const row of possible) {
    const usual = await runExperiment(row);
    const lines: string[] = [];
    for (const [what, replacement, isFor] of replacements) {
      const table = newTable();
      for (const position of decisive(usual)) {
        const name = usual.called[position] ?? '';
        if (!isFor.test(name) || (what === 'late' && !observedLate.test(name))) continue;
        const text = outcome(await runExperiment(row, { fault: [position, replacement] }));
        if (!usualTimeout.test(text)) table.add(text.replace(/ \(0x[^;]*/, ''), `${position + 1}`);
      }
      lines.push(...table.lines(what));
    }
    texts.push([row.id, ...lines, ''].join('\n'));
  }
  await expect(texts.join('\n')).toMatchFileSnapshot('outcomes.txt');
});
