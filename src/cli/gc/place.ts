import { readIpamType, readName } from '../../config/essential-keys.ts';
import { openConfig, pluginName } from '../../config/open-config.ts';
import { foldKeys, isObject, type JsonObject } from '../../json/members.ts';
import { readJsonFile } from '../config-file.ts';
import { selectPlugin } from '../plugin-list.ts';
import { exitCode, type Session } from '../session.ts';
import { type Store, storeFolder } from './reservations.ts';

export interface PlaceFlags {
  readonly network?: string;
  readonly conf?: string;
  readonly plugin?: string;
  readonly ipam?: true;
}

/** Which network to look at, where its addresses are kept, and the configuration whose IPAM plugin keeps them. */
export interface Place {
  readonly network?: string;
  /** Absent where host-local keeps none. */
  readonly store?: Store;
  readonly config?: JsonObject;
}

/** Reads where to look; undefined where the flags do not go together or the file is none, which is told. Throws ReadError, and code 7. */
export function placeOf({ network, conf, plugin, ipam }: PlaceFlags, session: Session): Place | undefined {
  if (conf === undefined) {
    const folder = storeFolder(undefined);
    return network === undefined ? { store: { folder } } : { network, store: { folder, network } };
  }
  const file = readJsonFile(conf, session, 'unreadable');
  if (file === undefined) return refuse(exitCode.problemFound, session);
  const listed = selectPlugin(file, conf, plugin, session);
  if (listed === undefined) return refuse(exitCode.wrongUsage, session);
  const { config } = listed;
  const { json } = openConfig(config, session.system.executable, '');
  const type = readIpamType(json);
  const place = { network: readName(json), config };
  if (type !== undefined && pluginName(type) === 'host-local')
    return { ...place, store: { folder: storeFolder(dataDirIn(json)), network: readName(config) } };
  if (type !== undefined || ipam) {
    const keeper = type === undefined ? 'HNS assigns the addresses' : `the IPAM plugin is ${type}`;
    session.printStderr(`win-hcn: in ${conf} ${keeper}: gc finds only those that host-local keeps`);
  }
  return ipam ? refuse(exitCode.wrongUsage, session) : place;
}

function refuse(
  code: typeof exitCode.wrongUsage | typeof exitCode.problemFound,
  session: Session,
): undefined {
  session.setExitCode(code);
}

/** Host-local reads its keys without regard to case. */
function dataDirIn({ ipam }: JsonObject): string | undefined {
  const folder = isObject(ipam) ? foldKeys(ipam)['datadir'] : undefined;
  return typeof folder === 'string' ? folder : undefined;
}
