/**
 * The columns that a narrow terminal hides, the least important first. A table shows each column that fits beside the more important
 * ones. All others, and the first column of a table, are always shown.
 */
const hideable = (
  'file, source VIP, options, provider address, compartment, component, other, MAC, interface, gateways, ready, health, state, ' +
  'endpoints, type, owner, adapter, matches, priority, namespace, network, container, protocols, ports, addresses'
).split(', ');

/** How a column shrinks: a list ends with the number of its other items, prose wraps, all other cells stay whole. */
export type Kind = 'list' | 'prose' | 'whole';

const lists =
  'subnets, gateways, addresses, containers, pods, endpoints, frontends, ports, backends, options'.split(
    ', ',
  );
const prose = 'local, remote, settings, rule, reason, observed, claim, leftover'.split(', ');

/** How a column shrinks. */
export function kindOf(title: string): Kind {
  if (lists.includes(title)) return 'list';
  return prose.includes(title) ? 'prose' : 'whole';
}

/** The cells of these columns that indicate no problem. */
const healthy: Readonly<Record<string, string>> = { leftover: '-', health: 'ok', ready: 'yes' };

/** Whether a cell shows a problem. */
export function isProblem(title: string, cell: string): boolean {
  return (healthy[title] ?? cell) !== cell;
}

/** How important a column is. Those with infinity are never hidden, such as those with a problem. */
export function importanceOf(title: string, cells: readonly string[]): number {
  if (cells.some((cell) => isProblem(title, cell))) return Number.POSITIVE_INFINITY;
  if (healthy[title] === undefined && cells.every((cell) => cell === '-')) return -1;
  const rank = hideable.indexOf(title);
  return rank < 0 ? Number.POSITIVE_INFINITY : rank;
}
