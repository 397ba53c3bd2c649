import { parseAddress } from '../../net/address.ts';
import type { Session } from '../session.ts';
import { isMissingFile } from '../terminal.ts';

/** Where host-local keeps the addresses it has assigned: in this folder one for each network, or for one network only. */
export interface Store {
  readonly folder: string;
  readonly network?: string;
}

/** An address that host-local keeps for a container. */
export interface Reservation {
  readonly network: string;
  readonly address: string;
  /** Absent where its file is empty. */
  readonly container?: string;
  /** Absent in files of before host-local 0.8. */
  readonly interface?: string;
  readonly file: string;
}

export interface Reservations {
  readonly reservations: readonly Reservation[];
  /** What could not be read, in sentences. */
  readonly problems: readonly string[];
}

/**
 * Host-local's `dataDir`, where the configuration names one. Its default is on no drive, which to Windows is the current one of the
 * runtime. https://www.cni.dev/plugins/current/ipam/host-local/
 */
export function storeFolder(dataDir: string | undefined): string {
  const folder = (dataDir || '/var/lib/cni/networks').replaceAll('/', '\\').replace(/(?<=.)\\+$/, '');
  return /^\\(?!\\)/.test(folder) ? `C:${folder}` : folder;
}

/** Reads every address that host-local keeps: a file for each, named by it, with container and interface on a line each. */
export function readReservations({ folder, network }: Store, session: Session): Reservations {
  const problems: string[] = [];
  const attempt = <T>(doing: string, read: () => readonly T[]): readonly T[] => {
    try {
      return read();
    } catch (error) {
      // What is given back meanwhile, or is no folder, keeps nothing.
      if (!isMissingFile(error))
        problems.push(`${doing}: ${error instanceof Error ? error.message : String(error)}`);
      return [];
    }
  };
  const list = (path: string) => attempt(`cannot list ${path}`, () => session.terminal.listFolder(path));
  const networks = network === undefined ? list(folder) : [network];
  const reservations = networks.flatMap((name) =>
    list(`${folder}\\${name}`).flatMap((fileName) => {
      const address = parseAddress(fileName.replaceAll('_', ':'));
      if (address === undefined) return [];
      const file = `${folder}\\${name}\\${fileName}`;
      return attempt(`cannot read ${file}`, () => [
        { network: name, address, ...holderIn(session.terminal.readFile(file)), file },
      ]);
    }),
  );
  return { reservations, problems };
}

/** Whether an address is still kept for whom it was. */
export function isSame(one: Reservation, other: Reservation): boolean {
  return one.file === other.file && one.container === other.container && one.interface === other.interface;
}

function holderIn(bytes: Uint8Array): Pick<Reservation, 'container' | 'interface'> {
  const [container, ifname] = new TextDecoder().decode(bytes).split(/\s+/).filter(Boolean);
  return {
    ...(container !== undefined && { container }),
    ...(ifname !== undefined && { interface: ifname }),
  };
}
