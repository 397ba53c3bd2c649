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
import type { Component } from './log.ts';

/** Where a component is, in terms of HCN's objects. */
export interface Place {
  /** As in `port of pod shop/web on l2bridge`. */
  readonly where: string;
  readonly endpoint?: EndpointId;
}

/** Names components by HCN's objects and the node's adapters; these are empty if they are unknown. */
export function placesOf(
  components: readonly Component[],
  { inventory, adapters }: { readonly inventory: Inventory; readonly adapters: readonly HostAdapter[] },
): ReadonlyMap<number, Place> {
  const owners = new Map<string, ObservedEndpoint>();
  for (const one of components) {
    const endpoint = endpointOf(one, inventory, adapters);
    if (endpoint !== undefined) for (const index of valuesOf(one, 'IfIndex')) owners.set(index, endpoint);
  }
  return new Map(
    components.map((one) => {
      const [ofAdapter] = valuesOf(one, 'MiniportIfIndex').flatMap((index) => owners.get(index) ?? []);
      const endpoint = ofAdapter ?? endpointOf(one, inventory, adapters);
      return [one.id, endpoint === undefined ? nodePlace(one, adapters) : podPlace(one, endpoint, inventory)];
    }),
  );
}

/** The endpoint whose name, MAC address or IP address a component has. An adapter of the node may have an endpoint's name by accident. */
function endpointOf(
  one: Component,
  { endpoints }: Inventory,
  adapters: readonly HostAdapter[],
): ObservedEndpoint | undefined {
  const local = endpoints.filter((endpoint) => !isRemote(endpoint));
  const macs = macsOf(one);
  const withMac = local.filter(({ MacAddress = '' }) => macs.includes(parseMac(MacAddress) ?? '-'));
  const named = local.find(({ Name }) => Name !== '' && one.name === Name);
  // Adapters of pods, which are in other compartments, are not in the list.
  if (withIndex(one, 'IfIndex', adapters) !== undefined)
    return named && withMac.includes(named) ? named : undefined;
  const addresses = valuesOf(one, 'IP Address').map(parseAddress);
  const withAddress = endpoints.find(({ IpConfigurations = [] }) =>
    IpConfigurations.some(({ IpAddress }) => addresses.includes(parseAddress(IpAddress) ?? IpAddress)),
  );
  return named ?? withMac.find(isAttached) ?? withMac[0] ?? withAddress;
}

/** A component of a pod, or the port of its virtual switch. */
function podPlace(one: Component, endpoint: ObservedEndpoint, inventory: Inventory): Place {
  const { pod, container, name, network } = endpointRow(endpoint, inventory);
  const owner = container === undefined ? `endpoint ${name}` : `container ${shortContainer(container)}`;
  const [part, on] = isPort(one) ? ['port', ` on ${network}`] : [partOf(one), ''];
  return { where: `${part} of ${pod === undefined ? owner : `pod ${pod}`}${on}`, endpoint: endpoint.ID };
}

/** A component of the node: TCP/IP, a virtual switch, an adapter or a driver on it. */
function nodePlace(one: Component, adapters: readonly HostAdapter[]): Place {
  const part = partOf(one);
  if (part === 'TCP/IP') return { where: 'TCP/IP of the node' };
  const macs = macsOf(one);
  const found =
    withIndex(one, 'IfIndex', adapters) ??
    withIndex(one, 'MiniportIfIndex', adapters) ??
    adapters.find(({ mac }) => !isPort(one) && mac !== undefined && macs.includes(mac));
  if (isPort(one)) {
    const port = found === undefined ? '' : `, port of ${found.alias}`;
    return { where: `virtual switch ${valuesOf(one, 'VMSwitchName')[0] ?? one.name}${port}` };
  }
  if (part === 'adapter') return { where: `adapter ${found?.alias ?? one.name}` };
  return { where: found === undefined ? part : `${part} on ${found.alias}` };
}

/** Whether it is the virtual switch's side of an adapter. */
function isPort({ type, driver }: Component): boolean {
  return /^vms/i.test(type) || driver.toLowerCase() === 'vmswitch.sys';
}

function partOf({ type, driver }: Component): string {
  if (driver.toLowerCase() === 'tcpip.sys') return 'TCP/IP';
  return /filter|protocol/i.test(type) ? driver : 'adapter';
}

function withIndex(
  one: Component,
  property: 'IfIndex' | 'MiniportIfIndex',
  adapters: readonly HostAdapter[],
): HostAdapter | undefined {
  const indexes = valuesOf(one, property);
  return adapters.find(({ index }) => index > 0 && indexes.includes(String(index)));
}

function valuesOf({ properties }: Component, name: string): readonly string[] {
  return properties.get(name.toLowerCase()) ?? [];
}

/** MAC addresses in HCN's form, from `0x00155DC5E288`. */
function macsOf(one: Component): readonly string[] {
  return valuesOf(one, 'PhysAddress').flatMap((text) => {
    const [, digits] = /^(?:0x)?([0-9A-F]{12})$/i.exec(text.replaceAll(/[-:]/g, '')) ?? [];
    return digits === undefined ? [] : (parseMac(digits.replaceAll(/..(?!$)/g, '$&-')) ?? []);
  });
}
