import { readIpamType } from '../../config/essential-keys.ts';
import { pluginName } from '../../config/open-config.ts';
import { limitsPerCall } from '../../hcn/deadline.ts';
import { dataDirIn } from '../../ipam/host-local.ts';
import { isObject } from '../../json/members.ts';
import type { HostAdapter } from '../../net/host-adapter.ts';
import type { NodeRoute } from '../../net/node-route.ts';
import { type AddressRange, readRangeSets } from '../conflist/host-local-ranges.ts';
import type { ListedPlugin } from '../conflist/plugin-list.ts';
import { readReservations, storeFolder } from '../gc/reservations.ts';
import { findMissingEndpoints } from '../inventory/missing-endpoints.ts';
import {
  openHcn,
  queryEndpoints,
  queryInventory,
  readAdapters,
  readRoutes,
} from '../inventory/read-inventory.ts';
import { withPods } from '../inventory/read-pods.ts';
import { printableIn } from '../terminal/output.ts';
import { type Fact, factFrom } from '../terminal/powershell.ts';
import { isHnsUnavailable, type Session } from '../terminal/session.ts';
import type { ClusterService } from './cluster-services.ts';
import { type RuntimeState, readRuntime } from './runtime.ts';
import { readWindowsState, type WindowsState } from './windows-state.ts';

/** Everything that checks compare, read once. */
export interface Snapshot extends RuntimeState, Omit<Awaited<ReturnType<typeof readHcn>>, 'isHnsAvailable'> {
  /** Read after HCN, so that no address of an endpoint seems unreserved. Undefined if win-hcn's file has another IPAM plugin, or none. */
  readonly hostLocal: HostLocal | undefined;
  readonly time: Date;
  /** The path of the running exe. */
  readonly executable: string;
  readonly windows: WindowsState;
  readonly adapters: Fact<readonly HostAdapter[]>;
  readonly routes: Fact<readonly NodeRoute[]>;
  /** The endpoints and namespaces of the one pod to diagnose; undefined for all. */
  readonly selected?: ReadonlySet<string>;
  /** The services of the cluster; undefined if no file lists them. */
  readonly services?: readonly ClusterService[];
}

/** Short: users run doctor because calls may hang. */
const seconds = 10;
const limits = limitsPerCall(seconds);

/** Reads the node. Changes nothing, never rejects. `isHnsAvailable` is false if HNS does not respond, not even with an error. */
export async function takeSnapshot(
  session: Session,
): Promise<{ readonly snapshot: Snapshot; readonly isHnsAvailable: boolean }> {
  const { system, terminal } = session;
  const [{ isHnsAvailable, ...hcn }, adapters, runtime, routes, windows] = await Promise.all([
    readHcn(session),
    factFrom(readAdapters(system, seconds)),
    readRuntime(session),
    factFrom(readRoutes(system, seconds)),
    readWindowsState(terminal),
  ]);
  const { executable, clock } = system;
  const { plugin } = runtime.configuration;
  const hostLocal = plugin && readHostLocal(plugin, session);
  const snapshot = { hostLocal, time: clock(), executable, windows, adapters, routes, ...hcn, ...runtime };
  return { snapshot, isHnsAvailable };
}

/**
 * Reads HCN. `hcnError` is why its objects could not be queried, which check HCN reports; `missingEndpoints` what lacks its endpoint in the
 * inventory and in a second look.
 */
async function readHcn(session: Session) {
  const { system } = session;
  let isHnsAvailable = true;
  const watched = <T>(work: Promise<T>): Promise<Fact<T>> =>
    factFrom(
      work.catch((error: unknown) => {
        if (isHnsUnavailable(error)) isHnsAvailable = false;
        throw error;
      }),
    );
  const version = await watched(openHcn(system, limits).version());
  const inventory = await watched(
    queryInventory(system, limits)
      // A line break in a name would start a line of the report.
      .then(({ networks, endpoints, ...others }) => ({
        networks: printableIn(networks),
        endpoints: printableIn(endpoints),
        ...others,
      }))
      .then((found) => withPods(found, session)),
  );
  if ('error' in inventory) {
    const error = { error: 'HCN could not be queried' };
    return { version, inventory: error, hcnError: inventory.error, missingEndpoints: error, isHnsAvailable };
  }
  const again = findMissingEndpoints(inventory.value, () => queryEndpoints(system, limits));
  return { version, inventory, missingEndpoints: await watched(again), isHnsAvailable };
}

/** Reads host-local's store for a plugin; undefined if the plugin uses another IPAM plugin. */
function readHostLocal({ config }: ListedPlugin, session: Session) {
  const { ipam, name } = config;
  const isHostLocal = pluginName(readIpamType(config) ?? '') === 'host-local';
  if (!isHostLocal || !isObject(ipam) || typeof name !== 'string') return undefined;
  const { sets, problems } = readRangeSets(ipam);
  const rangeSets: readonly (readonly AddressRange[])[] = problems.length === 0 ? sets : [];
  const folder = storeFolder(dataDirIn(config));
  return {
    /** The folder of its reservations. */
    folder: `${folder}\\${name}`,
    /** Each ADD takes an address from every set. None if host-local refuses one of them, which check configuration reports. */
    rangeSets,
    ...readReservations({ folder, network: name }, session),
  };
}

/** The addresses of the IPAM plugin host-local: what it may assign, and what it has reserved. */
export type HostLocal = NonNullable<ReturnType<typeof readHostLocal>>;
