import { readIpamType } from '../../config/essential-keys.ts';
import { pluginName } from '../../config/open-config.ts';
import { dataDirIn } from '../../ipam/host-local.ts';
import { isObject } from '../../json/members.ts';
import { type AddressRange, readRangeSets } from '../conflist/host-local-ranges.ts';
import type { ListedPlugin } from '../conflist/plugin-list.ts';
import { mayBeStarting, type Reservation, readReservations, storeFolder } from '../gc/reservations.ts';
import type { Session } from '../terminal/session.ts';
import { parentFolder } from '../terminal/windows-path.ts';

/** The addresses of the IPAM plugin host-local: what it may assign, and what it has reserved. */
export interface HostLocal {
  /** The folder of its reservations. */
  readonly folder: string;
  readonly network: string;
  /** Each ADD takes an address from every set. None if host-local refuses one of them, which check configuration reports. */
  readonly rangeSets: readonly (readonly AddressRange[])[];
  readonly reservations: readonly Reservation[];
  /** The addresses that an ADD in progress may have reserved. */
  readonly starting: readonly string[];
  /** The addresses that are reserved in a second look, after HCN is read. */
  readonly reservedLater: readonly string[];
  /** What could not be read, in sentences. */
  readonly problems: readonly string[];
}

/** Reads host-local's store for a plugin; undefined if the plugin uses another IPAM plugin. */
export function readHostLocal({ config }: ListedPlugin, session: Session): HostLocal | undefined {
  const { ipam, name } = config;
  const type = readIpamType(config);
  if (type === undefined || pluginName(type) !== 'host-local' || !isObject(ipam) || typeof name !== 'string')
    return undefined;
  const { sets, problems } = readRangeSets(ipam);
  const folder = storeFolder(dataDirIn(config));
  const now = session.system.clock();
  const read = readReservations({ folder, network: name }, session);
  return {
    folder: `${folder}\\${name}`,
    network: name,
    rangeSets: problems.length === 0 ? sets : [],
    reservedLater: [],
    ...read,
    starting: read.reservations.filter((one) => mayBeStarting(one, now)).map(({ address }) => address),
  };
}

/** Looks again at the reservations, for those of pods that started in the meantime. */
export function readReservedLater(hostLocal: HostLocal, session: Session): HostLocal {
  const { network, problems } = hostLocal;
  const later = readReservations({ folder: parentFolder(hostLocal.folder), network }, session);
  return {
    ...hostLocal,
    reservedLater: later.reservations.map(({ address }) => address),
    problems: [...new Set([...problems, ...later.problems])],
  };
}
