import type { EndpointRow } from './inventory/endpoint-row.ts';
import { printable } from './printable.ts';
import { exitCode, type Session } from './session.ts';

/** What a command takes away that nothing brings back. */
export interface DestructiveChange {
  /** In their order, each with the id of what it is about. */
  readonly steps: readonly string[];
  /** Who loses what, a sentence each. */
  readonly losses: readonly string[];
}

/** Prints what is about to be taken away, and answers whether it is to be: without `--yes` the command ends with 1. */
export function confirm({ steps, losses }: DestructiveChange, yes: boolean, session: Session): boolean {
  const numbered = steps.map((step, index) => `${index + 1}. ${step}`);
  session.print([...numbered, ...losses].map(printable).join('\n'));
  if (yes) return true;
  session.print(session.style('yellow', 'Nothing was changed: --yes does it.'));
  session.setExitCode(exitCode.problemFound);
  return false;
}

/** Of what is deleted and not ours: whoever made it need not notice that it is gone. */
export const foreignObjectWarning =
  'win-hcn did not make it: whoever did, such as kube-proxy, may not make it again by itself.';

/** Who loses what with an endpoint, a sentence each. */
export function describeImpact({
  owner,
  container,
  interface: ifname,
  addresses,
}: EndpointRow): readonly string[] {
  const what = addresses.join(', ') || 'no address';
  if (owner === 'node')
    return [`The node loses its own endpoint, ${what}, which pods may have as their gateway.`];
  if (container === undefined) return [];
  return [
    `Container ${container} loses ${ifname === undefined ? 'its interface' : `interface ${ifname}`}, ${what}.`,
  ];
}

/** That HNS lets no endpoint out of a namespace in which these containers run. */
export function refusalsWhileRunning(containers: readonly string[]): readonly string[] {
  return containers.map((container) => `Container ${container} runs: HNS refuses this until it is stopped.`);
}
