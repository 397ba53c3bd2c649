import type { EndpointRow } from './inventory/endpoint-row.ts';
import { printable } from './printable.ts';
import { exitCode, type Session } from './session.ts';

/** A change that win-hcn cannot undo. */
export interface DestructiveChange {
  /** In order, each with the id of its object. */
  readonly steps: readonly string[];
  /** What containers and the node lose, in sentences. */
  readonly impact: readonly string[];
}

/** Prints the change; returns whether to make it. Without `--yes` the exit code is 1. */
export function confirm({ steps, impact }: DestructiveChange, yes: boolean, session: Session): boolean {
  const numbered = steps.map((step, index) => `${index + 1}. ${step}`);
  session.print([...numbered, ...impact].map(printable).join('\n'));
  if (yes) return true;
  session.print(session.style('yellow', 'No changes made. Rerun with --yes to apply.'));
  session.setExitCode(exitCode.problemFound);
  return false;
}

/** Warns about deleting an object of another program. */
export const foreignObjectWarning =
  'Not created by win-hcn: its owner, such as kube-proxy, may not recreate it.';

/** What a container or the node loses with an endpoint, in sentences. */
export function describeImpact({
  owner,
  container,
  interface: ifname,
  addresses,
}: EndpointRow): readonly string[] {
  const what = addresses.join(', ') || 'no address';
  if (owner === 'node')
    return [`The node loses its own endpoint (${what}), which may be the gateway of pods.`];
  if (container === undefined) return [];
  return [
    `Container ${container} loses ${ifname === undefined ? 'its interface' : `interface ${ifname}`} (${what}).`,
  ];
}

/** Warns that HNS refuses to change a namespace with running containers. */
export function refusalsWhileRunning(containers: readonly string[]): readonly string[] {
  return containers.map((container) => `Container ${container} is running: HNS refuses this until it stops.`);
}
