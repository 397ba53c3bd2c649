import { errorMessage } from '../../cni/error.ts';
import { readName } from '../../config/essential-keys.ts';
import type { Inventory } from '../../model/inventory.ts';
import { findUnused, unusedTexts } from '../../model/reservations.ts';
import { readJsonFile } from '../conflist/config-file.ts';
import { selectPlugin } from '../conflist/plugin-list.ts';
import { type EndpointRow, endpointRows } from '../inventory/endpoint-row.ts';
import { queryInventory } from '../inventory/read-inventory.ts';
import { withPods } from '../inventory/read-pods.ts';
import type { Session } from '../terminal/session.ts';
import { countText } from '../terminal/short-text.ts';
import {
  findStore,
  mayBeStarting,
  quietSeconds,
  type Reservation,
  readReservations,
  type Store,
  storeFolder,
} from './reservations.ts';

/** The outcome of a leftover endpoint that stays. */
export const kept = 'kept';

/** The options that select leftovers. */
export interface ScopeFlags {
  readonly network?: string;
  readonly conf?: string;
  /** Whether endpoints of other plugins are deleted too. */
  readonly otherPlugins?: true;
}

/** Which leftovers to find. */
export interface Scope {
  /** The only network; absent for all. */
  readonly network?: string;
  /** Absent if host-local does not assign the network's addresses. */
  readonly store?: Store;
}

/** A leftover endpoint and what becomes of it; `problem` is the reason of a failure. */
export interface LeftoverEndpoint extends EndpointRow {
  /** Why it is left over. */
  readonly leftover: string;
  readonly outcome: string;
  readonly problem?: string;
}

/** Leftovers in the shape that `-o json` prints. */
export interface Report {
  readonly endpoints: readonly LeftoverEndpoint[];
  /** With the reason why nothing uses them. */
  readonly reservations: readonly (Reservation & Pick<LeftoverEndpoint, 'leftover'>)[];
}

/** The leftovers of a node, with the expected outcome of each endpoint. */
export interface Leftovers extends Report {
  readonly inventory: Inventory;
  /** What is kept without being shown, in sentences. */
  readonly notices: readonly string[];
  /** What could not be read, in sentences. */
  readonly problems: readonly string[];
}

/** Reads the scope from the options. Returns undefined, after reporting why, for a file that is not JSON. Throws CniError for another one. */
export function readScope({ network, conf }: ScopeFlags, session: Session): Scope | undefined {
  if (conf === undefined) {
    const folder = storeFolder(undefined);
    return network === undefined ? { store: { folder } } : { network, store: { folder, network } };
  }
  const file = readJsonFile(conf, session, 'unreadable');
  if (file === undefined) return undefined;
  const { config } = selectPlugin(file, conf, session.system.executable);
  const store = findStore(config, session);
  return { network: readName(config), ...(store !== undefined && { store }) };
}

/**
 * Finds leftovers in HCN and in host-local's store, which is read first: ADD creates an endpoint after it has an address. The endpoints of
 * an ADD that may be in progress are left out, and so are all reservations of its container: host-local's DEL releases them together.
 */
export async function findLeftovers(
  { network, store }: Scope,
  { otherPlugins }: ScopeFlags,
  session: Session,
): Promise<Leftovers> {
  const now = session.system.clock();
  const { reservations, problems } =
    store === undefined ? { reservations: [], problems: [] } : readReservations(store, session);
  const starting = new Set(reservations.filter((one) => mayBeStarting(one, now)).map(keyOf));
  const isSettled = (one: EndpointRow | Reservation) =>
    one.container === undefined || !starting.has(keyOf(one));
  const inventory = withPods(await queryInventory(session.system), session);
  const stale = endpointRows(inventory).flatMap((row) => {
    const isOurs = row.owner === 'win-hcn' || row.owner === 'another plugin';
    if (row.leftover === undefined || !isOurs || (network !== undefined && row.network !== network))
      return [];
    const isDeleted = row.owner === 'win-hcn' || otherPlugins === true;
    return { ...row, leftover: row.leftover, outcome: isDeleted ? 'would be deleted' : kept };
  });
  const endpoints = stale.filter((one) => one.outcome === kept || isSettled(one));
  const deleted = endpoints.filter(({ outcome }) => outcome !== kept);
  const reasonFor = findUnused(inventory, new Set(deleted.map(({ id }) => id)));
  const unused = reservations.flatMap((one) => {
    const reason = reasonFor(one);
    return reason === undefined ? [] : [{ ...one, leftover: unusedTexts[reason] }];
  });
  const settled = unused.filter((one) => !mayBeStarting(one, now) && isSettled(one));
  const others = endpoints.length - deleted.length;
  const recent = stale.length - endpoints.length + unused.length - settled.length;
  return {
    endpoints,
    reservations: settled,
    inventory,
    notices: [
      ...(recent === 0
        ? []
        : [
            `${countText(recent, 'leftover')} left out: an ADD of the last ${quietSeconds / 60} minutes may need them`,
          ]),
      ...(others === 0
        ? []
        : [`${countText(others, 'endpoint')} of other plugins kept: include with --other-plugins`]),
    ],
    problems: [
      ...problems,
      ...(inventory.unreadable ?? []).map(({ error }) => `left out: ${errorMessage(error)}`),
    ],
  };
}

/** A container on a network. */
function keyOf({ network, container = '' }: EndpointRow | Reservation): string {
  return `${network} ${container.toLowerCase()}`;
}
