import { endpointColumns } from '../inventory/columns.ts';
import type { Session } from '../terminal/session.ts';
import { shortContainer } from '../terminal/short-text.ts';
import { rowsTable } from '../terminal/table.ts';
import { wrapSentences } from '../terminal/wrap.ts';
import { kept, type Report } from './find-leftovers.ts';

/** Returns the text of a dry run. */
export function reportText({ endpoints, reservations }: Report, wide: boolean, session: Session): string {
  const parts = [
    ...(endpoints.length === 0 ? [] : [endpointsTable(endpoints, wide, session)]),
    ...(reservations.length === 0 ? [] : [reservationsText(reservations, wide, session)]),
  ];
  if (parts.length === 0) return 'No leftovers found.';
  const hasDeletions = endpoints.some(({ outcome }) => outcome !== kept);
  return [...parts, ...(hasDeletions ? ['No changes made. Rerun with --yes to apply.'] : [])].join('\n\n');
}

/** The columns of `ls` that a deletion does not need. */
const omitted = ['MAC', 'namespace', 'state', 'health'];

function endpointsTable(endpoints: Report['endpoints'], wide: boolean, session: Session): string {
  const rows = endpoints.map((row) => ({
    ...Object.fromEntries(
      Object.entries(endpointColumns(row, wide)).filter(([title]) => !omitted.includes(title)),
    ),
    'with --yes': row.outcome === kept ? kept : 'deleted',
  }));
  return rowsTable(rows, session);
}

/** Returns the unused reservations, and how to release them. */
export function reservationsText(
  reservations: Report['reservations'],
  wide: boolean,
  session: Session,
): string {
  const rows = reservations.map(({ address, network, container, interface: ifname, leftover, file }) => ({
    address,
    container: container === undefined ? '-' : wide ? container : shortContainer(container),
    interface: ifname ?? '-',
    network,
    leftover,
    ...(wide && { file }),
  }));
  return [
    'Unused reservations of host-local:',
    rowsTable(rows, session),
    '',
    wrapSentences(remedy, session.width),
  ].join('\n');
}

const remedy =
  'To release an address, run win-hcn debug cni del --conf FILE --container ID --ifname INTERFACE, which runs host-local. While no pod is starting, you can also delete the files. -o wide shows IDs and files.';
