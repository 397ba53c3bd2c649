import type { EndpointRow } from './inventory/endpoint-row.ts';

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
  if (owner === 'host endpoint')
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
