import { errorMessage } from '../../cni/error.ts';
import type { JsonObject } from '../../json/members.ts';
import { usualInterface } from '../../model/ownership.ts';
import type { Reservation as ModelReservation } from '../../model/reservations.ts';
import { parseAddress } from '../../net/address.ts';
import { defaultCniPath, pluginInput, type RequestFlags } from '../cni/plugin-input.ts';
import { runPlugin } from '../cni/run-plugin.ts';
import { isMissingFile } from '../file-error.ts';
import { exitCode, type Session } from '../session.ts';

/** Where host-local stores its reservations: a folder with one folder for each network, or with that of one network. */
export interface Store {
  readonly folder: string;
  readonly network?: string;
}

export interface Reservation extends ModelReservation {
  readonly network: string;
  readonly file: string;
}

export interface Reservations {
  readonly reservations: readonly Reservation[];
  /** What could not be read, in sentences. */
  readonly problems: readonly string[];
}

/**
 * Returns host-local's `dataDir`. Its default has no drive, which to Windows is the current drive of the runtime.
 * https://www.cni.dev/plugins/current/ipam/host-local/
 */
export function storeFolder(dataDir: string | undefined): string {
  const folder = (dataDir || '/var/lib/cni/networks').replaceAll('/', '\\').replace(/(?<=^\\|[^\\])\\+$/, '');
  return /^\\(?!\\)/.test(folder) ? `C:${folder}` : folder;
}

/** Reads host-local's reservations. Each is a file named by its address, with the container and the interface on a line each. */
export function readReservations({ folder, network }: Store, session: Session): Reservations {
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
      return attempt(() => [{ network: name, address, ...holderIn(session.terminal.readFile(file)), file }]);
    }),
  );
  return { reservations, problems };
}

/** Whether a list has the same reservation, for the same container and interface. */
export function includesReservation(
  reservations: readonly Reservation[],
  { file, container, interface: ifname }: Reservation,
): boolean {
  return reservations.some(
    (other) => other.file === file && other.container === container && other.interface === ifname,
  );
}

export type Released =
  | { readonly outcome: 'released' }
  | { readonly outcome: 'failed'; readonly problem: string; readonly hnsResponds: boolean };

/** Releases an address through host-local, with a DEL for its container: host-local holds its own lock and checks the holder itself. */
export async function releaseReservation(
  reservation: Reservation,
  { config, store }: { readonly config: JsonObject; readonly store: Store },
  { cniPath }: Pick<RequestFlags, 'cniPath'>,
  session: Session,
): Promise<Released> {
  const { container = '', interface: ifname = usualInterface, file } = reservation;
  const flags = { container, ifname, ...(cniPath !== undefined && { cniPath }) };
  const input = pluginInput('DEL', config, flags, undefined, defaultCniPath(session.system));
  const { exitCode: code, answer } = await runPlugin(input, session.system);
  if (code !== exitCode.success) {
    return { outcome: 'failed', problem: messageOf(answer), hnsResponds: code !== exitCode.hnsUnavailable };
  }
  if (includesReservation(readReservations(store, session).reservations, reservation)) {
    const problem = `host-local reported success, but ${file} still exists`;
    return { outcome: 'failed', problem, hnsResponds: true };
  }
  return { outcome: 'released' };
}

function messageOf(answer: unknown): string {
  const { msg, details } = answer as { readonly msg: string; readonly details?: string };
  return details === undefined ? msg : `${msg} (${details})`;
}

function holderIn(bytes: Uint8Array): Pick<Reservation, 'container' | 'interface'> {
  const [container, ifname] = new TextDecoder().decode(bytes).split(/\s+/).filter(Boolean);
  return {
    ...(container !== undefined && { container }),
    ...(ifname !== undefined && { interface: ifname }),
  };
}
