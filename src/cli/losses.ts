import type { EndpointRow } from './inventory/endpoint-row.ts';

/** Who loses what with an endpoint, a sentence each. */
export function lossesOf({ owner, container, interface: ifname, addresses }: EndpointRow): readonly string[] {
  const what = addresses.join(', ') || 'no address';
  if (owner === 'host endpoint')
    return [`The node loses its own endpoint, ${what}, which pods may have as their gateway.`];
  if (container === undefined) return [];
  return [
    `Container ${container} loses ${ifname === undefined ? 'its interface' : `interface ${ifname}`}, ${what}.`,
  ];
}

/** That HNS lets no endpoint out of a namespace in which these containers run. */
export function refusalsFor(containers: readonly string[]): readonly string[] {
  return containers.map((container) => `Container ${container} runs: HNS refuses this until it is stopped.`);
}
