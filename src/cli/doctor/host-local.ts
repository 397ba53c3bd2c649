import { readIpamType } from '../../config/essential-keys.ts';
import { pluginName } from '../../config/open-config.ts';
import { dataDirIn } from '../../ipam/host-local.ts';
import { isObject } from '../../json/members.ts';
import { type AddressRange, readRangeSets } from '../conflist/host-local-ranges.ts';
import type { ListedPlugin } from '../conflist/plugin-list.ts';
import { type Reservations, readReservations, storeFolder } from '../gc/reservations.ts';
import type { Session } from '../terminal/session.ts';

/** The addresses of the IPAM plugin host-local: what it may assign, and what it has reserved. */
export interface HostLocal extends Reservations {
  /** The folder of its reservations. */
  readonly folder: string;
  /** Each ADD takes an address from every set. None if host-local refuses one of them, which check configuration reports. */
  readonly rangeSets: readonly (readonly AddressRange[])[];
}

/** Reads host-local's store for a plugin; undefined if the plugin uses another IPAM plugin. */
export function readHostLocal({ config }: ListedPlugin, session: Session): HostLocal | undefined {
  const { ipam, name } = config;
  const type = readIpamType(config);
  if (type === undefined || pluginName(type) !== 'host-local' || !isObject(ipam) || typeof name !== 'string')
    return undefined;
  const { sets, problems } = readRangeSets(ipam);
  const folder = storeFolder(dataDirIn(config));
  return {
    folder: `${folder}\\${name}`,
    rangeSets: problems.length === 0 ? sets : [],
    ...readReservations({ folder, network: name }, session),
  };
}
