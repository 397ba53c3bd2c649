import { errorMessage } from '../../cni/error.ts';
import { readIpamType, readName } from '../../config/essential-keys.ts';
import { openConfig } from '../../config/open-config.ts';
import type { JsonObject } from '../../json/members.ts';
import type { Inventory } from '../../model/inventory.ts';
import { findUnused, unusedTexts } from '../../model/reservations.ts';
import { readJsonFile } from '../conflist/config-file.ts';
import { selectPlugin } from '../conflist/plugin-list.ts';
import { type EndpointRow, endpointRows } from '../inventory/endpoint-row.ts';
import { queryInventory } from '../inventory/read-inventory.ts';
import { newPodReader } from '../inventory/read-pods.ts';
import { exitCode, type Session } from '../terminal/session.ts';
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

/** The outcome of a leftover that stays. */
export const kept = 'kept';

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

/** A leftover and what becomes of it; `problem` is the reason of a failure. */
export type Leftover<T> = T & {
  /** Why it is left over. */
  readonly stale: string;
  readonly outcome: string;
  readonly problem?: string;
};

/** Leftovers in the shape that `-o json` prints. */
export interface Report {
  readonly endpoints: readonly Leftover<EndpointRow>[];
  readonly reservations: readonly Leftover<Reservation>[];
}

/** The leftovers of a node, with the expected outcome of each. */
export interface Leftovers extends Report {
  readonly inventory: Inventory;
  /** All of host-local's reservations. */
  readonly allReservations: readonly Reservation[];
  /** What is kept without being shown, in sentences. */
  readonly notices: readonly string[];
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
  const config = file === undefined ? undefined : selectPlugin(file, conf, plugin, session)?.config;
  if (config === undefined) {
    session.setExitCode(file === undefined ? exitCode.problemFound : exitCode.wrongUsage);
    return undefined;
  }
  const store = findStore(config, session);
  const scope = { network: readName(config), config };
  if (store !== undefined) return { ...scope, store };
  const type = readIpamType(openConfig(config, session.system.executable).json);
  if (type !== undefined || ipam) {
    const ipamText = type === undefined ? 'HNS assigns the addresses' : `the IPAM plugin is ${type}`;
    session.printStderr(`win-hcn: in ${conf} ${ipamText}: gc finds only reservations of host-local`);
  }
  if (!ipam) return scope;
  session.setExitCode(exitCode.wrongUsage);
  return undefined;
}

/**
 * Finds leftovers in HCN and in host-local's store, which is read first: ADD creates an endpoint after it has an address. Endpoints of
 * other plugins, and reservations, are kept unless the options say otherwise.
 */
export async function findLeftovers(
  { network, store }: Scope,
  choice: { readonly ipam?: boolean; readonly otherPlugins?: boolean } | 'keep all',
  session: Session,
): Promise<Leftovers> {
  const { ipam = false, otherPlugins = false } = choice === 'keep all' ? {} : choice;
  const now = session.system.clock();
  const { reservations, problems } =
    store === undefined ? { reservations: [], problems: [] } : readReservations(store, session);
  const starting = startingContainers(reservations, now);
  const isStarting = (one: EndpointRow | Reservation) => starting.has(keyOf(one) ?? '');
  const inventory = newPodReader(session)(await queryInventory(session.system));
  const { unreadable = [] } = inventory;
  const stale = endpointRows(inventory).flatMap((row) => {
    const isOurs = row.owner === 'win-hcn' || row.owner === 'another plugin';
    if (row.stale === undefined || !isOurs || (network !== undefined && row.network !== network)) return [];
    const isDeleted = choice !== 'keep all' && (row.owner === 'win-hcn' || otherPlugins);
    return { ...row, stale: row.stale, outcome: isDeleted ? 'would be deleted' : kept };
  });
  const endpoints = stale.filter((one) => one.outcome === kept || !isStarting(one));
  const deleted = endpoints.filter(({ outcome }) => outcome !== kept);
  const reasonFor = findUnused(inventory, new Set(deleted.map(({ id }) => id)));
  const unused = reservations.flatMap((one) => {
    const reason = reasonFor(one);
    const outcome = ipam && one.container !== undefined ? 'would be released' : kept;
    return reason === undefined ? [] : [{ ...one, stale: unusedTexts[reason], outcome }];
  });
  const releasable = unused.filter((one) => !mayBeStarting(one, now) && !isStarting(one));
  const others = endpoints.length - deleted.length;
  const recent = stale.length - endpoints.length + unused.length - releasable.length;
  const needed = `kept: an ADD of the last ${quietSeconds / 60} minutes may need ${recent === 1 ? 'it' : 'them'}`;
  return {
    endpoints,
    reservations: releasable,
    inventory,
    allReservations: reservations,
    notices: [
      ...(recent === 0 ? [] : [`${countText(recent, 'leftover')} ${needed}`]),
      ...(others === 0
        ? []
        : [`${countText(others, 'endpoint')} of other plugins kept: include with --other-plugins`]),
    ],
    problems: [
      ...problems,
      ...unreadable.map(({ error }) => `left out: ${errorMessage(error)}`),
      ...(unreadable.length === 0
        ? []
        : ['all host-local reservations are kept, because an unreadable object may use them']),
    ],
  };
}

/** The containers, with their networks, of which an ADD may be in progress: host-local's DEL releases all addresses of a container. */
function startingContainers(reservations: readonly Reservation[], now: Date): ReadonlySet<string> {
  return new Set(reservations.filter((one) => mayBeStarting(one, now)).flatMap((one) => keyOf(one) ?? []));
}

function keyOf({
  network,
  container,
}: {
  readonly network: string;
  readonly container?: string;
}): string | undefined {
  return container === undefined ? undefined : `${network} ${container.toLowerCase()}`;
}
