import { endpointColumns } from '../inventory/columns.ts';
import type { EndpointRow } from '../inventory/endpoint-row.ts';
import { shortContainer } from '../inventory/short-text.ts';
import type { Session } from '../session.ts';
import { rowsTable } from '../table.ts';
import type { Leftovers, Stale } from './leftovers.ts';
import type { Done } from './outcome.ts';
import type { Report } from './report.ts';
import type { Reservation } from './reservations.ts';

/** What is stale, and what to do next. */
export function foreseenText({ endpoints, reservations }: Report, wide: boolean, session: Session): string {
  const parts = [
    ...(endpoints.length === 0 ? [] : [endpointsTable(endpoints, wide, session)]),
    ...(reservations.length === 0 ? [] : [reservationsText(reservations, wide, session)]),
  ];
  if (parts.length === 0) return 'Nothing is stale.';
  const would = [...endpoints, ...reservations].some(({ outcome }) => outcome !== 'left');
  const hint = would ? 'No changes made. Rerun with --yes to apply.' : 'No changes made.';
  return [...parts, hint].join('\n\n');
}

/** What is stale and not for this run to delete, in sentences. */
export function notices({ ofOtherPlugins, ofOthers }: Leftovers): readonly string[] {
  const [plugins, others] = [ofOtherPlugins.length, ofOthers.length];
  return [
    ...(plugins === 1 ? ['1 endpoint of another plugin stays: --other-plugins is for such'] : []),
    ...(plugins > 1 ? [`${plugins} endpoints of other plugins stay: --other-plugins is for such`] : []),
    ...(others === 1
      ? [
          `1 remote endpoint that no load balancer refers to stays, as win-hcn did not make it: ${whereTheyAre}`,
        ]
      : []),
    ...(others > 1
      ? [
          `${others} remote endpoints that no load balancer refers to stay, as win-hcn did not make them: ${whereTheyAre}`,
        ]
      : []),
  ];
}

const whereTheyAre = 'win-hcn ls endpoints --remote shows what there is';

/** Of what `ls` shows of an endpoint, what tells whose it was. */
const columns = ['endpoint', 'name', 'container', 'interface', 'network', 'addresses', 'owner', 'stale'];

/** Stale endpoints, each with what --yes does to it. */
function endpointsTable(endpoints: Report['endpoints'], wide: boolean, session: Session): string {
  const rows = endpoints.map((row) => ({
    ...Object.fromEntries(
      Object.entries(endpointColumns(row, wide)).filter(([title]) => columns.includes(title)),
    ),
    'with --yes': row.outcome === 'left' ? 'left' : 'deleted',
  }));
  return rowsTable(rows, session);
}

/** Addresses that host-local keeps for nobody, and how to free those that gc leaves. */
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
    stale,
    'with --yes': rest.outcome === 'left' ? 'left' : 'given back',
    ...(wide && { file: rest.file }),
  }));
  const left = reservations.filter(({ outcome }) => outcome === 'left');
  return [
    'host-local keeps addresses that nobody has:',
    rowsTable(rows, session),
    ...(left.length === 0 ? [] : ['', remedy]),
    ...left.map(({ command }) => `  ${command}`),
  ].join('\n');
}

const remedy =
  'gc deletes no files of host-local. With --conf FILE --ipam it has host-local give the addresses back. By hand, while no pod starts:';

/** An endpoint as a step of a plan. */
export function deletionTitle(row: Stale<EndpointRow>): string {
  const who = row.container === undefined ? row.name : holder(row);
  const where = [`${who} on ${row.network}`, ...row.addresses].join(', ');
  return `delete ${row.remote ? 'remote endpoint' : 'endpoint'} ${row.id} (${where}): ${row.stale}`;
}

/** An address of host-local's as a step of a plan. */
export function releaseTitle(reservation: Stale<Reservation>): string {
  const { address, network, stale } = reservation;
  return `have host-local give back ${address} (${holder(reservation)} on ${network}): ${stale}`;
}

function holder(one: { readonly container?: string; readonly interface?: string }): string {
  const container = shortContainer(one.container ?? '');
  return one.interface === undefined ? container : `${container}/${one.interface}`;
}

/** How a step ended. */
export function endText(done: Done, { style }: Session): string {
  switch (done.outcome) {
    case 'deleted':
    case 'given back':
      return style('green', done.outcome);
    case 'gone already':
      return 'gone already';
    case 'in use':
      return 'in use: left as it is';
    case 'not tried':
      return style('yellow', 'not tried: the Host Network Service does not answer');
    case 'failed':
      return style('red', `failed: ${done.problem}`);
  }
}

/** As in `2 deleted, 1 failed`. */
export function summary(ended: readonly Done[]): string {
  const groups = Map.groupBy(ended, ({ outcome }) => outcome);
  return [...groups].map(([outcome, { length }]) => `${length} ${outcome}`).join(', ');
}
