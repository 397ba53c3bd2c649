import { shortContainer, shortGuid } from '../inventory/short-text.ts';
import type { GraphData, GraphEndpoint, GraphNetwork } from './graph-data.ts';

/** Addresses without their prefix lengths. */
export function bareAddresses({ addresses }: Pick<GraphEndpoint, 'addresses'>): readonly string[] {
  return addresses.map((address) => address.replace(/\/.*/, ''));
}

/** What an endpoint is for, as short as that can be told. */
export function purposeOf({ container, interface: ifname, name, id }: GraphEndpoint): string {
  if (container === undefined) return name || shortGuid(id);
  return [shortContainer(container), ifname].join(' ').trim();
}

export function subnetTexts({ subnets }: GraphNetwork): readonly string[] {
  return subnets.map(({ subnet, gateway }) => (gateway === undefined ? subnet : `${subnet} via ${gateway}`));
}

/** Frontends as people call them. */
export function frontendText(frontends: readonly string[]): string {
  return frontends.join(', ') || "the node's addresses";
}

/** What became of something that is not in the picture. */
export type Absence = 'gone' | 'unreadable';

/** Why something that others refer to is not in the picture. */
export function absenceOf(id: string, { unreadable }: Pick<GraphData, 'unreadable'>): Absence {
  return unreadable.some((object) => object.id === id) ? 'unreadable' : 'gone';
}

export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}
