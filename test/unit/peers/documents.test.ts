import { describe, expect, test } from 'vitest';
import { differences } from './differences.ts';
import { rows } from './rows.ts';

describe.each(rows)('$intent: $peer', ({ theirs, ours, reasons, source }) => {
  test('win-hcn sends the same, except for documented differences', async () => {
    expect(differences(theirs, await ours()).toSorted()).toEqual(Object.keys(reasons).toSorted());
  });

  test('every reason is a sentence, and every source names repository, file and function', () => {
    for (const reason of Object.values(reasons)) expect(reason).toMatch(/^\S.{20,}\.$/);
    expect(source).toMatch(/^[\w-]+\/[\w.-]+ \S+\.(go|psm1|ps1) \S/);
  });
});

test('each intent is compared once per peer', () => {
  const names = rows.map(({ intent, peer }) => `${intent}: ${peer}`);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});
