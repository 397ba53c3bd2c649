import { fitColumns } from '../fit-columns.ts';
import { shortContainer } from '../inventory/short-text.ts';
import type { Session } from '../session.ts';
import { table } from '../table.ts';
import type { Comparison } from './compare-endpoints.ts';
import type { PodComparison } from './compare-pods.ts';
import { type Difference, none } from './difference.ts';

/** What differs between two pods, as people read it. What differs as it should comes last. */
export function comparisonText(comparison: PodComparison, session: Session): string {
  const { equal, endpoints, onlyLeft, onlyRight } = comparison;
  const heads = headsOf(comparison);
  const lonely = [
    ...onlyLeft.map((left) => ({ what: 'endpoint', left, right: none })),
    ...onlyRight.map((right) => ({ what: 'endpoint', left: none, right })),
  ];
  const several = endpoints.length > 1;
  return [
    ...(equal ? ['HCN has both alike, but for what always differs.'] : []),
    ...(lonely.length > 0 ? [differencesTable(lonely, heads, 'yellow', session)] : []),
    ...endpoints.flatMap(({ differences, ...one }) => [
      ...(several ? [session.style('bold', `endpoints ${one.left} and ${one.right}`)] : []),
      ...(differences.length > 0
        ? [differencesTable(differences, heads, 'yellow', session)]
        : several && !equal
          ? ['These are alike.']
          : []),
      asItShould(one, heads, session),
    ]),
  ].join('\n\n');
}

function asItShould(
  { asItShould: rows }: Pick<Comparison, 'asItShould'>,
  heads: Heads,
  session: Session,
): string {
  return `${session.style('bold', 'What always differs')}\n${differencesTable(rows, heads, 'dim', session)}`;
}

type Heads = readonly [string, string];

/** Short ids where they tell the pods apart. */
function headsOf({ left, right }: PodComparison): Heads {
  const short: Heads = [shortContainer(left), shortContainer(right)];
  return short[0] === short[1] ? [left, right] : short;
}

function differencesTable(
  differences: readonly Difference[],
  heads: Heads,
  style: 'yellow' | 'dim',
  session: Session,
): string {
  const { titles, rows } = fitColumns(
    ['what', ...heads],
    differences.map(({ what, left, right }) => [what, left, right]),
    session.width,
  );
  const coloured = rows.map(([what = '', ...values]) => [
    what,
    ...values.map((value) => session.style(style, value)),
  ]);
  return table(titles, coloured, session);
}
