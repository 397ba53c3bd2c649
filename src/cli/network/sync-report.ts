import type { CurrentSubnet, SubnetChange } from '../../commands/sync-remote-subnets.ts';
import type { PlannedSync } from './plan-sync.ts';

/** What a sync changed or would change, for programs. */
export interface SyncReport {
  readonly network: { readonly name: string; readonly id: string; readonly type: string };
  readonly applied: boolean;
  readonly added: readonly CurrentSubnet[];
  readonly changed: readonly (CurrentSubnet & { readonly was: readonly string[] })[];
  readonly removed: readonly CurrentSubnet[];
  readonly kept: readonly (CurrentSubnet & { readonly reason: string })[];
  readonly skipped: readonly { readonly node: string; readonly reason: string }[];
  /** Routes of other programs, which stay: the next hop that the configuration or a node has is `via`. */
  readonly conflicts: readonly (CurrentSubnet & { readonly nextHop: string })[];
  /** What differs again after the sync. */
  readonly remaining: readonly string[];
  readonly warnings: readonly string[];
  /** Whether the list has other nodes, and all of them are skipped and not in the configuration file. */
  readonly unconnected: boolean;
}

/** The report of a planned sync; `applied`: it was executed, and `remaining` differs again afterwards. */
export function reportOf(
  { state: { network }, goal, changes, kept }: PlannedSync,
  applied: boolean,
  remaining: readonly SubnetChange[] = [],
): SyncReport {
  const effective = changes.filter(({ steps }) => steps.length > 0);
  return {
    network: { name: network.Name, id: network.ID, type: network.Type },
    applied,
    added: effective.flatMap(({ from, to }) => (to !== undefined && from.length === 0 ? to : [])),
    changed: effective.flatMap(({ from, to }) =>
      to !== undefined && from.length > 0 ? { ...to, was: from.map(({ via }) => via ?? 'unknown') } : [],
    ),
    removed: effective.flatMap(({ from, to }) => (to === undefined ? from : [])),
    kept,
    skipped: goal.skipped.map(({ name: node, reason }) => ({ node, reason })),
    conflicts: changes.flatMap(({ to, conflicts }) =>
      to === undefined ? [] : conflicts.map(({ nextHop }) => ({ ...to, nextHop })),
    ),
    remaining: remaining.map(({ subnet }) => subnet),
    warnings: goal.warnings,
    unconnected: goal.isUnconnected,
  };
}

/** Whether a remote subnet is not as it should be. */
export function isIncomplete(report: SyncReport): boolean {
  const { applied, added, changed, removed, conflicts, remaining, unconnected } = report;
  if (unconnected) return true;
  const planned = applied ? 0 : added.length + changed.length + removed.length;
  return planned + conflicts.length + remaining.length > 0;
}

/** Lines about changes: `+` for a new remote subnet, `-` for a removed one, `~` for a changed one. */
export function changeLines({ added, changed, removed }: SyncReport): readonly string[] {
  return [
    ...removed.map((one) => `- ${textOf(one)}`),
    ...changed.map((one) => `~ ${textOf(one)} (was ${one.was.join(', ')})`),
    ...added.map((one) => `+ ${textOf(one)}`),
  ];
}

/** Lines about what a sync leaves alone, and why. */
export function remarkLines({
  skipped,
  kept,
  conflicts,
  warnings,
  unconnected,
}: SyncReport): readonly string[] {
  return [
    ...warnings,
    ...skipped.map(({ node, reason }) => `node "${node}" is skipped: it ${reason}`),
    ...(unconnected ? ['all other nodes are skipped'] : []),
    ...kept.map((one) => `${textOf(one)} is kept: ${one.reason}`),
    ...conflicts.map(
      ({ subnet, via, nextHop }) =>
        `${subnet} is not changed: another program has a route to it through ${nextHop}, expected ${via}`,
    ),
  ];
}

/** What differs again after a sync. */
export function remainingText({ network, remaining }: SyncReport): string {
  return (
    `network "${network.name}" differs again after the sync: ${remaining.join(', ')}. Another program changes its remote subnets at ` +
    'the same time, or HNS accepted changes without effect.'
  );
}

/** `2 added, 1 removed`; empty without changes. */
export function countChanges({ added, changed, removed }: SyncReport): string {
  return Object.entries({ added, changed, removed })
    .filter(([, { length }]) => length > 0)
    .map(([name, { length }]) => `${length} ${name}`)
    .join(', ');
}

function textOf({ subnet, via }: CurrentSubnet): string {
  return via === undefined ? subnet : `${subnet} via ${via}`;
}
