import { errorMessage } from '../../cni/error.ts';
import { readIpamType, readName } from '../../config/essential-keys.ts';
import { openConfig } from '../../config/open-config.ts';
import type { JsonObject } from '../../json/members.ts';
import type { Inventory } from '../../model/inventory.ts';
import type { Owner } from '../../model/ownership.ts';
import { findUnused, unusedTexts } from '../../model/reservations.ts';
import { readJsonFile } from '../conflist/config-file.ts';
import { selectPlugin } from '../conflist/plugin-list.ts';
import { type EndpointRow, endpointRows } from '../inventory/endpoint-row.ts';
import { newNameReader } from '../inventory/name-reader.ts';
import { queryInventory } from '../inventory/read-inventory.ts';
import { exitCode, type Session } from '../terminal/session.ts';
import {
  findStore,
  mayBeStarting,
  type Reservation,
  readReservations,
  type Store,
  storeFolder,
} from './reservations.ts';

/** The options that select leftovers. */
export interface ScopeFlags {
  readonly network?: string;
  readonly conf?: string;
  readonly plugin?: string;
  readonly ipam?: true;
}

/** Which leftovers to find. */
export interface Scope {
  /** The only network; absent for all. */
  readonly network?: string;
  /** Absent if host-local does not assign the network's addresses. */
  readonly store?: Store;
  /** The configuration to run host-local with. */
  readonly config?: JsonObject;
}

/** Something with the reason why it is left over. */
export type Stale<T> = T & { readonly stale: string };

/** The leftovers of a node. */
export interface Leftovers {
  /** Endpoints to delete. */
  readonly endpoints: readonly Stale<EndpointRow>[];
  /** Endpoints of other plugins that are not to be deleted. */
  readonly ofOtherPlugins: readonly Stale<EndpointRow>[];
  /** Remote endpoints that win-hcn did not create, and does not delete. */
  readonly foreignRemotes: readonly Stale<EndpointRow>[];
  readonly reservations: readonly Stale<Reservation>[];
  /** How many leftovers are kept, because an ADD in progress may need them. */
  readonly recent: number;
  readonly inventory: Inventory;
  /** All of host-local's reservations. */
  readonly allReservations: readonly Reservation[];
  /** What could not be read, in sentences. */
  readonly problems: readonly string[];
}

/** Reads the scope from the options. Returns undefined, after reporting why, for an unusable file. Throws ReadError, and code 7. */
export function readScope({ network, conf, plugin, ipam }: ScopeFlags, session: Session): Scope | undefined {
  if (conf === undefined) {
    const folder = storeFolder(undefined);
    return network === undefined ? { store: { folder } } : { network, store: { folder, network } };
  }
  const file = readJsonFile(conf, session, 'unreadable');
  if (file === undefined) return refuse(exitCode.problemFound, session);
  const listed = selectPlugin(file, conf, plugin, session);
  if (listed === undefined) return refuse(exitCode.wrongUsage, session);
  const { config } = listed;
  const { json } = openConfig(config, session.system.executable);
  const type = readIpamType(json);
  const scope = { network: readName(json), config };
  const store = findStore(config, session);
  if (store !== undefined) return { ...scope, store };
  if (type !== undefined || ipam) {
    const ipamText = type === undefined ? 'HNS assigns the addresses' : `the IPAM plugin is ${type}`;
    session.printStderr(`win-hcn: in ${conf} ${ipamText}: gc finds only reservations of host-local`);
  }
  return ipam ? refuse(exitCode.wrongUsage, session) : scope;
}

/**
 * Finds leftovers in HCN and in host-local's store, which is read first: ADD creates an endpoint after it has an address. Endpoints of
 * `owners` are to be deleted.
 */
export async function findLeftovers(
  { network, store }: Scope,
  owners: readonly Owner[],
  session: Session,
): Promise<Leftovers> {
  const now = session.system.clock();
  const { reservations, problems } =
    store === undefined ? { reservations: [], problems: [] } : readReservations(store, session);
  const isStarting = startingContainers(reservations, now);
  const inventory = newNameReader(session)(await queryInventory(session.system));
  const stale = endpointRows(inventory)
    .filter(isStale)
    .filter((row) => network === undefined || row.network === network);
  const own = stale.filter(({ owner }) => owners.includes(owner));
  const endpoints = own.filter((row) => !isStarting(row));
  const others = stale.filter(({ owner }) => !owners.includes(owner));
  const reasonFor = findUnused(inventory, new Set(endpoints.map(({ id }) => id)));
  const unused = reservations.flatMap((reservation) => {
    const reason = reasonFor(reservation);
    return reason === undefined ? [] : [{ ...reservation, stale: unusedTexts[reason] }];
  });
  const releasable = unused.filter((one) => !mayBeStarting(one, now) && !isStarting(one));
  return {
    endpoints,
    ofOtherPlugins: others.filter(({ owner }) => owner === 'another plugin'),
    foreignRemotes: others.filter(({ remote }) => remote),
    reservations: releasable,
    recent: own.length - endpoints.length + unused.length - releasable.length,
    inventory,
    allReservations: reservations,
    problems: [...problems, ...unreadableProblems(inventory)],
  };
}

/**
 * Returns a function that tests whether an ADD of a container may be in progress: any of its addresses counts, because host-local's DEL
 * releases all of them.
 */
function startingContainers(
  reservations: readonly Reservation[],
  now: Date,
): (one: { readonly network: string; readonly container?: string }) => boolean {
  const keyOf = (network: string, container: string) => `${network} ${container.toLowerCase()}`;
  const starting = new Set(
    reservations.flatMap((one) =>
      one.container !== undefined && mayBeStarting(one, now) ? keyOf(one.network, one.container) : [],
    ),
  );
  return ({ network, container }) => container !== undefined && starting.has(keyOf(network, container));
}

function isStale(row: EndpointRow): row is Stale<EndpointRow> {
  return row.stale !== undefined;
}

function unreadableProblems({ unreadable = [] }: Inventory): readonly string[] {
  if (unreadable.length === 0) return [];
  return [
    ...unreadable.map(({ error }) => `left out: ${errorMessage(error)}`),
    'all host-local reservations are kept, because an unreadable object may use them',
  ];
}

function refuse(
  code: typeof exitCode.wrongUsage | typeof exitCode.problemFound,
  session: Session,
): undefined {
  session.setExitCode(code);
}
