import { fitColumns } from '../fit-columns.ts';
import { shortContainer } from '../inventory/short-text.ts';
import type { Session } from '../session.ts';
import { table } from '../table.ts';
import type { PodComparison } from './compare-pods.ts';
import { type Difference, none } from './differences.ts';

const noDifferences = 'No unexpected differences.';

/** A comparison as text, with the expected differences last. */
export function comparisonText(comparison: PodComparison, session: Session): string {
  const { equal, endpoints, onlyLeft, onlyRight } = comparison;
  const titles = podTitles(comparison);
  const unpaired = [
    ...onlyLeft.map((left) => ({ what: 'endpoint', left, right: none })),
    ...onlyRight.map((right) => ({ what: 'endpoint', left: none, right })),
  ];
  const several = endpoints.length > 1;
  return [
    ...(equal ? [noDifferences] : []),
    ...(unpaired.length > 0 ? [differencesTable(unpaired, titles, 'yellow', session)] : []),
    ...endpoints.flatMap(({ left, right, differences, asItShould }) => [
      ...(several ? [session.style('bold', `endpoints ${left} and ${right}`)] : []),
      ...(differences.length > 0
        ? [differencesTable(differences, titles, 'yellow', session)]
        : several && !equal
          ? [noDifferences]
          : []),
      `${session.style('bold', 'Expected differences')}\n${differencesTable(asItShould, titles, 'dim', session)}`,
    ]),
  ].join('\n\n');
}

/** Short container ids if they differ. */
function podTitles({ left, right }: PodComparison): readonly [string, string] {
  const [shortLeft, shortRight] = [shortContainer(left), shortContainer(right)];
  return shortLeft === shortRight ? [left, right] : [shortLeft, shortRight];
}

function differencesTable(
  differences: readonly Difference[],
  pods: readonly [string, string],
  style: 'yellow' | 'dim',
  session: Session,
): string {
  const { titles, rows } = fitColumns(
    ['property', ...pods],
    differences.map(({ what, left, right }) => [what, left, right]),
    session.width,
  );
  const styled = rows.map(([property = '', ...values]) => [
    property,
    ...values.map((value) => session.style(style, value)),
  ]);
  return table(titles, styled, session);
}
