import { errorMessage } from '../../cni/error.ts';
import { longestAddSeconds } from '../../commands/leases.ts';
import { readIpamType, readName } from '../../config/essential-keys.ts';
import { openConfig, pluginName } from '../../config/open-config.ts';
import { dataDirIn, defaultDataDir } from '../../ipam/host-local.ts';
import type { JsonObject } from '../../json/members.ts';
import type { Reservation as ModelReservation } from '../../model/reservations.ts';
import { parseAddress } from '../../net/address.ts';
import { isMissingFile } from '../terminal/files.ts';
import type { Session } from '../terminal/session.ts';

/** Where host-local stores its reservations: a folder with one folder for each network, or with that of one network. */
export interface Store {
  readonly folder: string;
  readonly network?: string;
}

/** A reservation of host-local. */
export interface Reservation extends ModelReservation {
  readonly network: string;
  readonly file: string;
  /** When host-local wrote the file, as ISO 8601. */
  readonly reserved: string;
}

/**
 * An ADD in progress may need a younger reservation. The last minute is for the release. Times in the future count by their distance from
 * now, because the clock may have been set back.
 */
export const quietSeconds = longestAddSeconds + 60;

/** Whether a reservation may be that of an ADD that has no endpoint yet. */
export function mayBeStarting({ reserved }: Reservation, now: Date): boolean {
  return Math.abs(now.getTime() - Date.parse(reserved)) < quietSeconds * 1000;
}

/**
 * Returns host-local's `dataDir`. Its default has no drive, which to Windows is the current drive of the runtime.
 * https://www.cni.dev/plugins/current/ipam/host-local/
 */
export function storeFolder(dataDir: string | undefined): string {
  const folder = (dataDir || defaultDataDir).replaceAll('/', '\\').replace(/(?<=^\\|[^\\])\\+$/, '');
  return /^\\(?!\\)/.test(folder) ? `C:${folder}` : folder;
}

/** Returns the store of a configuration's addresses; undefined if host-local does not assign them. Throws code 7. */
export function findStore(config: JsonObject, { system }: Session): Store | undefined {
  const { json } = openConfig(config, system.executable);
  const type = readIpamType(json);
  if (type === undefined || pluginName(type) !== 'host-local') return undefined;
  return { folder: storeFolder(dataDirIn(json)), network: readName(config) };
}

/** Reads host-local's reservations, and what could not be read, in sentences. Each is a file named by its address, with the container and the interface on a line each. */
export function readReservations({ folder, network }: Store, session: Session) {
  const problems: string[] = [];
  const attempt = <T>(read: () => readonly T[]): readonly T[] => {
    try {
      return read();
    } catch (error) {
      // A file that was released since it was listed, or a file in place of a folder, is not a reservation.
      if (!isMissingFile(error)) problems.push(errorMessage(error));
      return [];
    }
  };
  const list = (path: string) => attempt(() => session.terminal.listFolder(path));
  const networks = network === undefined ? list(folder) : [network];
  const reservations = networks.flatMap((name) =>
    list(`${folder}\\${name}`).flatMap((fileName) => {
      const address = parseAddress(fileName.replaceAll('_', ':'));
      if (address === undefined) return [];
      const file = `${folder}\\${name}\\${fileName}`;
      return attempt(() => [readReservation({ network: name, address, file }, session)]);
    }),
  );
  return { reservations, problems };
}

/** The size limit of a reservation in bytes: a container, an interface and two line breaks are shorter. */
const maximumLease = 4096;

/** Throws FileError, and Error for a file that is not host-local's. */
function readReservation(
  { network, address, file }: Pick<Reservation, 'network' | 'address' | 'file'>,
  { terminal }: Session,
): Reservation {
  const lease = terminal.readEnd(file, maximumLease);
  if (lease === undefined) {
    terminal.readFile(file, maximumLease);
    throw new Error(`cannot read ${file}`);
  }
  if (lease.size > maximumLease)
    throw new Error(`${file} is not a reservation of host-local: it has more than ${maximumLease} bytes`);
  const [container, ifname] = new TextDecoder().decode(lease.bytes).split(/\s+/).filter(Boolean);
  return {
    network,
    address,
    ...(container !== undefined && { container }),
    ...(ifname !== undefined && { interface: ifname }),
    file,
    reserved: lease.modified.toISOString(),
  };
}
