import type { EndpointId } from '../../hcn/guid.ts';
import { endpointColumns } from '../inventory/columns.ts';
import type { EndpointRow } from '../inventory/endpoint-row.ts';
import type { Session } from '../terminal/session.ts';
import { countText, shortContainer } from '../terminal/short-text.ts';
import { rowsTable } from '../terminal/table.ts';
import { wrapSentences } from '../terminal/wrap.ts';
import type { Done } from './done.ts';
import type { Leftovers, Stale } from './find-leftovers.ts';
import { quietSeconds, type Reservation } from './reservations.ts';

/** What becomes of a leftover: the outcome of its deletion, or the expected one. */
type Outcome = Done['outcome'] | 'would be deleted' | 'would be released' | 'kept';

/** A leftover and its outcome; `problem` is the reason of a failure. */
type Reported<T> = Stale<T> & { readonly outcome: Outcome; readonly problem?: string };

/** The output of `gc`, in the shape that `-o json` prints. */
export interface Report {
  readonly endpoints: readonly Reported<EndpointRow>[];
  readonly reservations: readonly (Reported<Reservation> & { readonly command: string })[];
}

/** Returns the report before the deletions, of which `deleted` are the expected ones. With `ipam`, host-local releases the reservations. */
export function expectedReport(
  { endpoints, ofOtherPlugins, reservations }: Leftovers,
  deleted: ReadonlySet<EndpointId>,
  ipam: boolean,
): Report {
  return {
    endpoints: [
      ...endpoints.map((row) => ({
        ...row,
        outcome: deleted.has(row.id) ? ('would be deleted' as const) : ('in use' as const),
      })),
      ...ofOtherPlugins.map((row) => ({ ...row, outcome: 'kept' as const })),
    ],
    reservations: reservations.map((one) => ({
      ...one,
      command: `Remove-Item -LiteralPath '${one.file.replaceAll("'", "''")}'`,
      outcome: ipam && one.container !== undefined ? ('would be released' as const) : ('kept' as const),
    })),
  };
}

/** Returns the report with the results of its deletions, which are in its order. */
export function withResults({ endpoints, reservations }: Report, results: readonly Done[]): Report {
  const rest = [...results];
  const withResult = <T extends { readonly outcome: Outcome }>(one: T) => {
    const done = one.outcome === 'kept' ? undefined : rest.shift();
    if (done === undefined) return one;
    const { outcome } = done;
    return { ...one, outcome, ...(outcome === 'failed' && { problem: done.problem }) };
  };
  return { endpoints: endpoints.map(withResult), reservations: reservations.map(withResult) };
}

/** Returns the text of a dry run. */
export function reportText({ endpoints, reservations }: Report, wide: boolean, session: Session): string {
  const parts = [
    ...(endpoints.length === 0 ? [] : [endpointsTable(endpoints, wide, session)]),
    ...(reservations.length === 0 ? [] : [reservationsText(reservations, wide, session)]),
  ];
  if (parts.length === 0) return 'No leftovers found.';
  const hasDeletions = [...endpoints, ...reservations].some(({ outcome }) => outcome.startsWith('would'));
  const hint = hasDeletions ? 'No changes made. Rerun with --yes to apply.' : 'No changes made.';
  return [...parts, hint].join('\n\n');
}

/** Returns notices about leftovers that this run does not delete. */
export function notices({ ofOtherPlugins, foreignRemotes, recent }: Leftovers): readonly string[] {
  const [plugins, remotes] = [ofOtherPlugins.length, foreignRemotes.length];
  return [
    ...recentNotice(recent.endpoints + recent.reservations),
    ...(plugins === 0
      ? []
      : [`${countText(plugins, 'endpoint')} of other plugins kept: include with --other-plugins`]),
    ...(remotes === 0
      ? []
      : [
          `${countText(remotes, 'remote endpoint')} of other programs kept, without load balancer: list with win-hcn ls endpoints --remote`,
        ]),
  ];
}

function recentNotice(count: number): readonly string[] {
  if (count === 0) return [];
  const minutes = quietSeconds / 60;
  return [
    `${countText(count, 'leftover')} kept: an ADD of the last ${minutes} minutes may need ${count === 1 ? 'it' : 'them'}`,
  ];
}

/** The columns of `ls` that identify an endpoint and its owner. */
const columns = [
  'endpoint',
  'name',
  'pod',
  'container',
  'interface',
  'network',
  'addresses',
  'owner',
  'leftover',
];

function endpointsTable(endpoints: Report['endpoints'], wide: boolean, session: Session): string {
  const rows = endpoints.map((row) => ({
    ...Object.fromEntries(
      Object.entries(endpointColumns(row, wide)).filter(([title]) => columns.includes(title)),
    ),
    'with --yes': row.outcome === 'would be deleted' ? 'deleted' : 'kept',
  }));
  return rowsTable(rows, session);
}

/** Returns the unused reservations, and how to release those that gc keeps. */
export function reservationsText(
  reservations: Report['reservations'],
  wide: boolean,
  session: Session,
): string {
  const rows = reservations.map(({ address, network, container, interface: ifname, stale, ...rest }) => ({
    address,
    container: container === undefined ? '-' : wide ? container : shortContainer(container),
    interface: ifname ?? '-',
    network,
    leftover: stale,
    'with --yes': rest.outcome === 'kept' ? 'kept' : 'released',
    ...(wide && { file: rest.file }),
  }));
  const kept = reservations.filter(({ outcome }) => outcome === 'kept');
  return [
    'Unused reservations of host-local:',
    rowsTable(rows, session),
    ...(kept.length === 0 ? [] : ['', wrapSentences(remedy, session.width)]),
    ...kept.map(({ command }) => `  ${command}`),
  ].join('\n');
}

const remedy =
  'gc does not delete files of host-local. Run gc with --conf FILE --ipam to release addresses through host-local, or delete the files while no pod is starting:';

/** Returns the line of an endpoint's deletion. */
export function deletionTitle(row: Stale<EndpointRow>): string {
  const holder = row.container === undefined ? row.name : holderText(row);
  const where = [`${holder} on ${row.network}`, ...row.addresses].join(', ');
  return `delete ${row.remote ? 'remote endpoint' : 'endpoint'} ${row.id} (${where}): ${row.stale}`;
}

/** Returns the line of a reservation's release. */
export function releaseTitle(reservation: Stale<Reservation>): string {
  const { address, network, stale } = reservation;
  return `release ${address} through host-local (${holderText(reservation)} on ${network}): ${stale}`;
}

function holderText(one: {
  readonly pod?: string;
  readonly container?: string;
  readonly interface?: string;
}): string {
  if (one.pod !== undefined) return `pod ${one.pod}`;
  const container = shortContainer(one.container ?? '');
  return one.interface === undefined ? container : `${container}/${one.interface}`;
}

/** Returns the line of an outcome. */
export function outcomeText(done: Done, { style }: Session): string {
  switch (done.outcome) {
    case 'deleted':
    case 'released':
      return style('green', done.outcome);
    case 'already gone':
      return done.outcome;
    case 'in use':
      return 'in use: kept';
    case 'skipped':
      return style('yellow', 'skipped: the Host Network Service does not respond');
    case 'failed':
      return style('red', `failed: ${done.problem}`);
  }
}

/** Returns the numbers of the outcomes, such as `2 deleted, 1 failed`. */
export function summary(results: readonly Done[]): string {
  const groups = Map.groupBy(results, ({ outcome }) => outcome);
  return [...groups].map(([outcome, { length }]) => `${length} ${outcome}`).join(', ');
}
