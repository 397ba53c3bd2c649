/**
 * The columns that a narrow terminal hides, the least important first. A table shows each column that fits beside the more important
 * ones. All others, and the first column of a table, are always shown.
 */
const hideable: readonly string[] = [
  'file',
  'source VIP',
  'options',
  'provider address',
  'compartment',
  'component',
  'other',
  'MAC',
  'interface',
  'gateways',
  'ready',
  'health',
  'state',
  'endpoints',
  'type',
  'owner',
  'adapter',
  'matches',
  'priority',
  'namespace',
  'network',
  'container',
  'protocols',
  'ports',
  'addresses',
];

/** How a column shrinks: a list ends with the number of its other items, prose wraps, all other cells stay whole. */
export type Kind = 'list' | 'prose' | 'whole';

const kinds: Readonly<Record<string, Kind>> = {
  subnets: 'list',
  gateways: 'list',
  addresses: 'list',
  containers: 'list',
  pods: 'list',
  endpoints: 'list',
  frontends: 'list',
  ports: 'list',
  backends: 'list',
  options: 'list',
  local: 'prose',
  remote: 'prose',
  settings: 'prose',
  rule: 'prose',
  reason: 'prose',
  observed: 'prose',
  claim: 'prose',
  leftover: 'prose',
};

/** Returns the kind of a column. */
export function kindOf(title: string): Kind {
  return kinds[title] ?? 'whole';
}

/** The cells of these columns that indicate no problem. */
const healthy: Readonly<Record<string, string>> = { leftover: '-', health: 'ok', ready: 'yes' };

/** Returns how important a column is, by its title and cells. Columns with infinity are never hidden, such as those with a problem. */
export function importanceOf(title: string, cells: readonly string[]): number {
  const rank = hideable.indexOf(title);
  if (cells.some((cell) => isProblem(title, cell))) return Number.POSITIVE_INFINITY;
  if (healthy[title] === undefined && cells.every((cell) => cell === '-')) return -1;
  return rank < 0 ? Number.POSITIVE_INFINITY : rank;
}

/** Whether a cell shows a problem. */
export function isProblem(title: string, cell: string): boolean {
  return (healthy[title] ?? cell) !== cell;
}
