import { expect, test } from 'vitest';
import type { Row } from '../../../../src/cli/probe/row.ts';
import { rows, subjects } from '../../../../src/cli/probe/rows.ts';

/** As in `attachTwice on base: refused`, with the observations for which the claim holds. */
function line({ id, experiment }: Row): string {
  if ('impossible' in experiment) return `${id}: ${experiment.impossible}`;
  const { on, isAlone = false, expected } = experiment;
  return `${id} on ${on}${isAlone ? ', alone' : ''}: ${expected.join(', ')}`;
}

test('the rows of each subject have these grounds, and their claims hold for these observations', async () => {
  const texts = Object.entries(subjects).map(([subject, ofSubject]) =>
    [subject, ...ofSubject.map((row) => `  ${line(row)}`), ''].join('\n'),
  );
  await expect(texts.join('\n')).toMatchFileSnapshot('rows.txt');
  expect(rows).toEqual(Object.values(subjects).flat());
});
