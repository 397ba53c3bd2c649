// The host's network adapters: the physical ones, one per virtual switch, and one per endpoint of the host's namespace.

import { formatAddress, parseAddress, parsePrefix } from './addresses.ts';
import { isUnspecified } from './endpoint-addresses.ts';
import type { Adapter, EndpointObject, InterfaceState, NetworkObject, State } from './state.ts';

export interface HostInterface {
  readonly alias: string;
  readonly description: string;
  readonly index: number;
  readonly mac: string;
  readonly mtu: number;
  readonly metric: number;
  readonly isUp: boolean;
  readonly mediaType: number;
  /** Addresses with prefix lengths. */
  readonly addresses: readonly string[];
  readonly gateways: readonly string[];
  readonly forwarding: boolean;
}

type Shape = Omit<HostInterface, 'index' | 'forwarding'>;

/** Returns the current interfaces, and drops the state of interfaces that no longer exist. */
export function hostInterfaces(state: State): HostInterface[] {
  const shapes = new Map([
    ...state.adapters.flatMap((adapter) => shapesOf(state, adapter)),
    ...hostEndpoints(state).map((endpoint) => [`endpoint ${endpoint.id}`, endpointShape(endpoint)] as const),
    ...[...state.networks.values()].flatMap(gatewayShapesOf),
  ]);
  for (const key of state.interfaces.keys()) if (!shapes.has(key)) state.interfaces.delete(key);
  const interfaces = [...shapes].map(([key, shape]) => {
    const { index, forwarding, removedGateways } = kept(state, key);
    return {
      ...shape,
      gateways: shape.gateways.filter((one) => !removedGateways.has(one)),
      index,
      forwarding,
    };
  });
  dropRoutes(state, interfaces);
  return interfaces;
}

/** Drops the routes of interfaces that no longer have IP. */
function dropRoutes(state: State, interfaces: readonly HostInterface[]): void {
  const withIp = interfaces.filter(({ addresses }) => addresses.length > 0).map(({ index }) => index);
  for (const route of state.nodeRoutes)
    if (!withIp.includes(route.interfaceIndex)) state.nodeRoutes.delete(route);
}

/** Returns the interfaces for GetAdaptersAddresses, and counts the call as one that omits the interface of a new switch. */
export function listedInterfaces(state: State): HostInterface[] {
  const late = [...state.networks.values()].filter((network) => network.withoutInterface > 0);
  const missing = new Set(late.map(({ adapter }) => switchAlias(adapter)));
  for (const network of late) network.withoutInterface -= 1;
  return hostInterfaces(state).filter(({ alias }) => !missing.has(alias));
}

function switchAlias(adapter: Adapter | undefined): string {
  return `vEthernet (${adapter?.name})`;
}

/** Returns the interface with an index. Throws if it is missing. */
export function interfaceState(state: State, index: number): InterfaceState | undefined {
  return [...state.interfaces.values()].find((known) => known.index === index);
}

/** While a virtual switch uses an adapter, the switch's host adapter has the addresses. */
function shapesOf(state: State, adapter: Adapter): (readonly [string, Shape])[] {
  const physical = adapterShape(adapter, state.adapters[0] === adapter);
  const isBound = [...state.networks.values()].some((network) => network.adapter === adapter);
  if (!isBound) return [[`adapter ${adapter.name}`, physical]];
  const virtual = { ...physical, alias: switchAlias(adapter), description: virtualDescription };
  return [
    [`adapter ${adapter.name}`, { ...physical, addresses: [], gateways: [] }],
    [`switch ${adapter.name}`, virtual],
  ];
}

const virtualDescription = 'Hyper-V Virtual Ethernet Adapter';

function adapterShape(adapter: Adapter, isFirst: boolean): Shape {
  const address = parseAddress(adapter.managementIp);
  const length = adapter.prefixLength ?? (address?.family === 6 ? 64 : 24);
  const prefix = parsePrefix(`${adapter.managementIp}/${length}`);
  const ofSubnet = prefix && formatAddress({ family: prefix.family, value: prefix.first + 1n });
  const gateway = adapter.gateway ?? (isFirst ? ofSubnet : '');
  return {
    alias: adapter.name,
    description: 'Microsoft Hyper-V Network Adapter',
    mac: adapter.mac ?? macOf(address?.value ?? 0n),
    mtu: adapter.mtu ?? 1500,
    metric: adapter.metric ?? 15,
    isUp: adapter.isUp ?? true,
    mediaType: adapter.mediaType ?? 6,
    addresses: [...(prefix ? [`${adapter.managementIp}/${length}`] : []), ...(adapter.otherAddresses ?? [])],
    gateways: gateway ? [gateway] : [],
  };
}

function macOf(address: bigint): string {
  const digits = (address & 0xffffffn).toString(16).toUpperCase().padStart(6, '0');
  return `00-0D-3A-${digits.replaceAll(/..(?!$)/g, '$&-')}`;
}

function hostEndpoints(state: State): EndpointObject[] {
  const inNamespace = [...state.namespaces.values()]
    .filter((namespace) => namespace.isDefault)
    .flatMap((namespace) => [...namespace.endpoints]);
  return [...inNamespace, ...[...state.endpoints.values()].filter(({ isOnHost }) => isOnHost)];
}

function endpointShape({ document }: EndpointObject): Shape {
  return {
    alias: `vEthernet (${document.Name})`,
    description: virtualDescription,
    mac: document.MacAddress,
    mtu: 1500,
    metric: 5000,
    isUp: true,
    mediaType: 6,
    addresses: document.IpConfigurations.map(
      ({ IpAddress, PrefixLength }) => `${IpAddress}/${PrefixLength ?? (IpAddress.includes(':') ? 64 : 24)}`,
    ),
    gateways: document.Routes.filter(
      (route) => /^(0\.0\.0\.0|::)\/0$/.test(route.DestinationPrefix) && !isUnspecified(route),
    ).map(({ NextHop }) => NextHop),
  };
}

/** The node is the gateway of a NAT network: containerd's script reads the address of `vEthernet (nat)` [S install-cni-windows]. */
function gatewayShapesOf({ id, document }: NetworkObject): (readonly [string, Shape])[] {
  if (document.Type !== 'NAT' && document.Type !== 'ICS') return [];
  const subnets = document.Ipams.flatMap(({ Subnets }) => Subnets);
  const addresses = subnets.flatMap(({ IpAddressPrefix, Routes = [] }) =>
    Routes.map(({ NextHop }) => `${NextHop}/${IpAddressPrefix.split('/')[1]}`),
  );
  const shape = {
    alias: `vEthernet (${document.Name})`,
    description: virtualDescription,
    mac: macOf(BigInt(`0x${id.slice(0, 6)}`)),
    mtu: 1500,
    metric: 5000,
    isUp: true,
    mediaType: 6,
    addresses,
    gateways: [],
  };
  return [[`network ${id}`, shape]];
}

function kept(state: State, key: string): InterfaceState {
  const known = state.interfaces.get(key);
  if (known) return known;
  const given = state.adapters.find(({ name }) => key === `adapter ${name}`)?.index;
  const created = { index: given ?? freeIndex(state), removedGateways: new Set<string>(), forwarding: false };
  state.interfaces.set(key, created);
  return created;
}

function freeIndex(state: State): number {
  const taken = [...state.interfaces.values(), ...state.adapters].map(({ index }) => index);
  let index = 5;
  while (taken.includes(index)) index++;
  return index;
}
