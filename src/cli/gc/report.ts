import { endpointColumns } from '../inventory/columns.ts';
import type { EndpointRow } from '../inventory/endpoint-row.ts';
import type { Session } from '../terminal/session.ts';
import { countText, shortContainer } from '../terminal/short-text.ts';
import { rowsTable } from '../terminal/table.ts';
import { wrapSentences } from '../terminal/wrap.ts';
import type { Done } from './deletions.ts';
import type { Leftovers, Stale } from './find-leftovers.ts';
import { quietSeconds, type Reservation } from './reservations.ts';

/** A leftover and what becomes of it; `problem` is the reason of a failure. */
type Reported<T> = Stale<T> & {
  readonly outcome: Done['outcome'] | 'would be deleted' | 'would be released' | 'kept';
  readonly problem?: string;
};

/** The output of `gc`, in the shape that `-o json` prints. */
export interface Report {
  readonly endpoints: readonly Reported<EndpointRow>[];
  readonly reservations: readonly (Reported<Reservation> & { readonly command: string })[];
}

/** Returns the report before the deletions. With `ipam`, host-local releases the reservations. */
export function expectedReport(
  { endpoints, ofOtherPlugins, reservations }: Leftovers,
  ipam: boolean,
): Report {
  return {
    endpoints: [
      ...endpoints.map((row) => ({ ...row, outcome: 'would be deleted' as const })),
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
  const withResult = <T extends { readonly outcome: string }>(one: T) => {
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
  const it = recent === 1 ? 'it' : 'them';
  return [
    ...(recent === 0
      ? []
      : [
          `${countText(recent, 'leftover')} kept: an ADD of the last ${quietSeconds / 60} minutes may need ${it}`,
        ]),
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
