import type { ObservedEndpoint } from '../../hcn/documents.ts';
import type { EndpointId } from '../../hcn/guid.ts';
import type { Inventory } from '../../model/inventory.ts';
import { isRemote } from '../../model/ownership.ts';
import { isAttached } from '../../model/readiness.ts';
import { parseAddress } from '../../net/address.ts';
import type { HostAdapter } from '../../net/host-adapter.ts';
import { parseMac } from '../../net/mac.ts';
import { endpointRow } from '../inventory/endpoint-row.ts';
import { shortContainer } from '../terminal/short-text.ts';
import type { Component } from './parse-output.ts';

/**
 * What a component belongs to. `pod`: its side of the virtual network adapter. `port`: the side of the virtual switch. `node`: TCP/IP of
 * the node. `adapter`: a network adapter of the node.
 */
export type PlaceKind = 'pod' | 'port' | 'virtual switch' | 'node' | 'adapter' | 'other';

/** Where a component is, in terms of HCN's objects. */
export interface Place {
  readonly kind: PlaceKind;
  /** As in `port of pod shop/web on l2bridge`. */
  readonly label: string;
  readonly endpoint?: EndpointId;
}

/** What component names are compared with. */
export interface KnownObjects {
  readonly inventory: Inventory;
  /** The node's adapters; empty if they are unknown. */
  readonly adapters: readonly HostAdapter[];
}

/** Names components by HCN's objects and the node's adapters. */
export function placesOf(
  components: ReadonlyMap<number, Component>,
  known: KnownObjects,
): ReadonlyMap<number, Place> {
  const endpoints = new Map<string, ObservedEndpoint>();
  for (const one of components.values()) {
    const endpoint = isBound(one) ? undefined : endpointOf(one, known);
    if (endpoint === undefined) continue;
    for (const index of valuesOf(one, 'IfIndex')) endpoints.set(index, endpoint);
  }
  return new Map(
    [...components.values()].map((one) => [
      one.id,
      isBound(one) ? boundPlace(one, endpoints, known) : adapterPlace(one, known),
    ]),
  );
}

/** The place of a component that pktmon did not list. */
export function unknownPlace(id: number): Place {
  return { kind: 'other', label: `component ${id}` };
}

/** A driver or protocol that is bound to an adapter, or TCP/IP above all adapters. */
function isBound({ type = '', driver = '' }: Component): boolean {
  return /filter|protocol/i.test(type) || driver.toLowerCase() === 'tcpip.sys';
}

/** The endpoint whose name or MAC address a network adapter has. An adapter of the node may have an endpoint's name by accident. */
function endpointOf(one: Component, { inventory, adapters }: KnownObjects): ObservedEndpoint | undefined {
  const local = inventory.endpoints.filter((endpoint) => !isRemote(endpoint));
  const macs = macsOf(one);
  const hasMac = ({ MacAddress = '' }: ObservedEndpoint) => macs.includes(parseMac(MacAddress) ?? '-');
  const named = local.find(({ Name }) => Name !== '' && one.name === Name);
  if (hostAdapterOf(one, adapters) !== undefined) return named && hasMac(named) ? named : undefined;
  if (named !== undefined) return named;
  const withMac = local.filter(hasMac);
  return withMac.find(isAttached) ?? withMac[0];
}

/** The adapter of the node with the same interface index. Adapters of pods, which are in other compartments, are not in the list. */
function hostAdapterOf(one: Component, adapters: readonly HostAdapter[]): HostAdapter | undefined {
  const indexes = valuesOf(one, 'IfIndex');
  return adapters.find(({ index }) => index > 0 && indexes.includes(String(index)));
}

/** A network adapter, or a port of a virtual switch. */
function adapterPlace(one: Component, known: KnownObjects): Place {
  const { inventory, adapters } = known;
  const { type = '', driver = '', name, group } = one;
  const isSwitch = /^vms/i.test(type) || driver.toLowerCase() === 'vmswitch.sys';
  const endpoint = endpointOf(one, known);
  if (endpoint !== undefined) {
    if (!isSwitch) return podPlace('adapter', endpoint, inventory);
    const { network } = endpointRow(endpoint, inventory);
    return {
      kind: 'port',
      label: `port of ${ownerOf(endpoint, inventory)} on ${network}`,
      endpoint: endpoint.ID,
    };
  }
  const ofNode = hostAdapterOf(one, adapters);
  if (isSwitch) {
    const [title] = valuesOf(one, 'VMSwitchName');
    const network = inventory.networks.find(({ Name }) => Name === title || group === `vSwitch ${Name}`);
    const label = `virtual switch ${network?.Name ?? title ?? group ?? name}`;
    return {
      kind: 'virtual switch',
      label: ofNode === undefined ? label : `${label}, port of ${ofNode.alias}`,
    };
  }
  const macs = macsOf(one);
  const adapter = ofNode ?? adapters.find(({ mac }) => mac !== undefined && macs.includes(mac));
  if (adapter !== undefined) return { kind: 'adapter', label: `adapter ${adapter.alias}` };
  if (/^miniport$/i.test(type)) return { kind: 'adapter', label: `adapter ${name}` };
  return { kind: 'other', label: name || `component ${one.id}` };
}

/** A driver or protocol on an adapter, or TCP/IP of a pod or the node. */
function boundPlace(
  one: Component,
  endpoints: ReadonlyMap<string, ObservedEndpoint>,
  { inventory, adapters }: KnownObjects,
): Place {
  const indexes = valuesOf(one, 'MiniportIfIndex');
  const addresses = valuesOf(one, 'IP Address', 'IpAddress').flatMap((text) => parseAddress(text) ?? []);
  const endpoint =
    indexes.flatMap((index) => endpoints.get(index) ?? [])[0] ??
    inventory.endpoints.find(({ IpConfigurations = [] }) =>
      IpConfigurations.some(({ IpAddress }) => addresses.includes(parseAddress(IpAddress) ?? IpAddress)),
    );
  const isStack = one.driver?.toLowerCase() === 'tcpip.sys';
  const what = isStack ? 'TCP/IP' : (one.driver ?? one.name);
  if (endpoint !== undefined) return podPlace(what, endpoint, inventory);
  if (isStack) return { kind: 'node', label: 'TCP/IP of the node' };
  const adapter = adapters.find(({ index }) => indexes.includes(String(index)));
  return adapter === undefined
    ? { kind: 'other', label: `${what}${one.group === undefined ? '' : ` (${one.group})`}` }
    : { kind: 'adapter', label: `${what} on ${adapter.alias}` };
}

function podPlace(what: string, endpoint: ObservedEndpoint, inventory: Inventory): Place {
  return { kind: 'pod', label: `${what} of ${ownerOf(endpoint, inventory)}`, endpoint: endpoint.ID };
}

function ownerOf(endpoint: ObservedEndpoint, inventory: Inventory): string {
  const { pod, container, name } = endpointRow(endpoint, inventory);
  if (pod !== undefined) return `pod ${pod}`;
  return container === undefined ? `endpoint ${name}` : `container ${shortContainer(container)}`;
}

function valuesOf({ properties }: Component, ...names: readonly string[]): readonly string[] {
  return names.flatMap((name) => properties.get(name.toLowerCase()) ?? []);
}

/** MAC addresses in HCN's form, from `0x00155DC5E288`, `00-15-5D-C5-E2-88` or `00155DC5E288`. */
function macsOf(one: Component): readonly string[] {
  return valuesOf(one, 'PhysAddress').flatMap((text) => {
    const [, digits] = /^(?:0x)?([0-9A-F]{12})$/i.exec(text.replaceAll(/[-:]/g, '')) ?? [];
    return digits === undefined ? [] : (parseMac(digits.replaceAll(/..(?!$)/g, '$&-')) ?? []);
  });
}
