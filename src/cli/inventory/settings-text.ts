import { type Dns, isKey, type Policy, withoutKeys } from '../../hcn/documents.ts';

/** Returns settings as `key=value` in one line, without secret keys. */
export function settingsText(settings: NonNullable<Policy['Settings']>): string {
  const shown = (key: string, value: unknown) => {
    if (typeof value !== 'string') return withoutKeys(value);
    return isKey(key) ? '(secret)' : value;
  };
  return Object.entries(settings)
    .map(([key, value]) => `${key}=${shown(key, value)}`)
    .join(' ');
}

/** Returns the local or remote side of an ACL. */
export function addressPortText(addresses: string, ports: string): string {
  return ports === 'any' ? addresses : `${addresses} port ${ports}`;
}

/** Returns DNS settings in one line; empty without settings. */
export function dnsText({ ServerList = [], Search = [], Domain, Options = [] }: Dns): string {
  return [
    ...ServerList,
    ...(Domain === undefined ? [] : [`domain ${Domain}`]),
    ...(Search.length === 0 ? [] : [`search ${Search.join(' ')}`]),
    ...(Options.length === 0 ? [] : [`options ${Options.join(' ')}`]),
  ].join(', ');
}
