import { foldKeys, isObject, type JsonObject } from '../json/members.ts';

/** host-local's default for `dataDir`. Without a drive, it is on the current drive of the process. */
export const defaultDataDir = '/var/lib/cni/networks';

/** host-local's `dataDir` in a configuration; undefined if it has none. host-local ignores the case of its keys. */
export function dataDirIn({ ipam }: JsonObject): string | undefined {
  const folder = isObject(ipam) ? foldKeys(ipam)['datadir'] : undefined;
  return typeof folder === 'string' && folder !== '' ? folder : undefined;
}

/** The file that host-local keeps for an address while it is assigned. */
export function leaseFile(json: JsonObject, address: string, windows: boolean): string {
  return [
    dataDirIn(json) ?? defaultDataDir,
    json['name'],
    windows ? address.replaceAll(':', '_') : address,
  ].join('/');
}
