import type { Command } from 'commander';
import { readInventory } from '../inventory/read-inventory.ts';
import { reportNotFound } from '../inventory/resolve-object.ts';
import { findPod } from '../show/find-container.ts';
import { newCommand } from '../terminal/new-command.ts';
import { type FormatFlags, formatOption, podText } from '../terminal/options.ts';
import { formatted } from '../terminal/output.ts';
import { exitCode, type Session, sessionFor } from '../terminal/session.ts';
import { shortContainer, shortGuid } from '../terminal/short-text.ts';
import { cellsTable } from '../terminal/table.ts';
import { comparePods, type PodComparison, sharedEndpoint } from './compare-pods.ts';
import { type Difference, none } from './differences.ts';

/** `diff`: compares the HCN objects of two pods. */
export function diffCommand(session: Session): Command {
  return newCommand('diff', session, {
    summary: 'compare the HCN endpoints of two pods',
    description:
      'Compares the HCN endpoints of two pods and lists the most important differences first: network, state, health, ' +
      "addresses, routes, DNS, ACLs, other policies, namespace, load balancers. Policies that differ only in the pod's " +
      'IP address are treated as equal. Exit code: 0 if there are no unexpected differences, otherwise 1.',
    examples: ['win-hcn diff shop/web shop/api', 'win-hcn diff 0e12d1d5a8cfb 41c0b2f1 -o json'],
  })
    .argument('<pod>', podText)
    .argument('<other>', 'the other pod')
    .addOption(formatOption())
    .action(async (key: string, otherKey: string, { output }: FormatFlags, command: Command) => {
      const inventory = await readInventory(session);
      const [left, right] = [findPod(key, inventory), findPod(otherKey, inventory)];
      if ('problem' in left) return reportNotFound(left, inventory, session);
      if ('problem' in right) return reportNotFound(right, inventory, session);
      const shared = sharedEndpoint(left.found, right.found);
      if (shared !== undefined)
        return command.error(
          `win-hcn: "${key}" and "${otherKey}" share endpoint ${shortGuid(shared)}: name two different pods`,
        );
      const comparison = comparePods(left.found, right.found, inventory);
      if (!comparison.equal) session.setExitCode(exitCode.problemFound);
      session.print(
        formatted(comparison, output, (shown) =>
          comparisonText(shown, output === 'wide', sessionFor(session, output)),
        ),
      );
    });
}

const noDifferences = 'No unexpected differences.';

/** A comparison as text, with the expected differences last. Unless `wide`, names of endpoints have short container IDs. */
function comparisonText(comparison: PodComparison, wide: boolean, session: Session): string {
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
      `${session.style('bold', 'Expected differences')}\n${differencesTable(wide ? asItShould : asItShould.map(shortNames), titles, 'dim', session)}`,
    ]),
  ].join('\n\n');
}

/** The names of the pods if they differ, or else their short container ids if these differ. */
function podTitles({ left, right, leftPod, rightPod }: PodComparison): readonly [string, string] {
  const [nameLeft, nameRight] = [leftPod ?? shortContainer(left), rightPod ?? shortContainer(right)];
  if (nameLeft !== nameRight) return [nameLeft, nameRight];
  const [shortLeft, shortRight] = [shortContainer(left), shortContainer(right)];
  return shortLeft === shortRight ? [left, right] : [shortLeft, shortRight];
}

/** Shortens the container IDs in the names of endpoints: the difference in containers has the IDs. */
function shortNames(difference: Difference): Difference {
  const shorten = (name: string) => name.replace(/^[0-9a-f]{64}(?=_)/i, (id) => `${shortContainer(id)}...`);
  const [left, right] = [shorten(difference.left), shorten(difference.right)];
  return difference.what === 'name' && left !== right ? { ...difference, left, right } : difference;
}

function differencesTable(
  differences: readonly Difference[],
  pods: readonly [string, string],
  style: 'yellow' | 'dim',
  session: Session,
): string {
  return cellsTable(
    ['property', ...pods],
    differences.map(({ what, left, right }) => [what, left, right]),
    session,
    { prose: pods, styleOf: (title) => (title === 'property' ? undefined : style) },
  );
}
