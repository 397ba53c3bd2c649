import type { Dns, Policy } from '../../hcn/documents.ts';
import type { Guid } from '../../hcn/guid.ts';

/** The first group of a GUID, by which every command that takes a key finds it. */
export function shortGuid(guid: Guid): string {
  return guid.slice(0, 8);
}

/** A container's id as crictl shows it. */
export function shortContainer(id: string): string {
  return id.slice(0, 13);
}

/** A policy's settings in one line. */
export function settingsText(settings: Policy['Settings'] = {}): string {
  return Object.entries(settings)
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');
}

/** One side of an access rule. */
export function addressPortText(addresses: string, ports: string): string {
  return ports === 'any' ? addresses : `${addresses} port ${ports}`;
}

/** Empty where an endpoint has no DNS settings. */
export function dnsText({ ServerList = [], Search = [], Domain, Options = [] }: Dns): string {
  return [
    ...ServerList,
    ...(Domain === undefined ? [] : [`domain ${Domain}`]),
    ...(Search.length === 0 ? [] : [`search ${Search.join(' ')}`]),
    ...(Options.length === 0 ? [] : [`options ${Options.join(' ')}`]),
  ].join(', ');
}
