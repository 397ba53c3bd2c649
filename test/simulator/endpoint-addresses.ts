// Assigns and checks the addresses of an endpoint.

import {
  type Address,
  contains,
  formatAddress,
  type Prefix,
  parseAddress,
  parsePrefix,
} from './addresses.ts';
import type { IpConfig, Route, Subnet } from './documents.ts';
import { HnsError } from './hresults.ts';
import { endpointsOf, type NetworkObject, type State } from './state.ts';

interface Range {
  readonly subnet: Subnet;
  readonly prefix: Prefix;
}

/** Returns the first free address of the first subnet of each family; none if the network has no static subnet. */
export function automaticAddresses(state: State, network: NetworkObject): IpConfig[] {
  const ranges = rangesOf(network, 'Static');
  const firsts = [4, 6].flatMap((family) => ranges.find((range) => range.prefix.family === family) ?? []);
  return firsts.map((range) => nextAddress(state, network, range));
}

/** Completes requested addresses; refuses those outside of the subnets, reserved or in use. */
export function checkAddress(
  state: State,
  network: NetworkObject,
  isRemote: boolean,
  given: IpConfig,
): IpConfig {
  const text: string | undefined = given.IpAddress;
  const address = parseAddress(text ?? '');
  if (!address) throw new HnsError('HCN_E_INVALID_IP');
  const ranges = rangesOf(network);
  const range = ranges.find(({ prefix }) => contains(prefix, address));
  const sameFamily = ranges.some(({ prefix }) => prefix.family === address.family);
  const open = network.document.Type === 'Transparent' && ranges.length === 0;
  if (!isRemote && isEarly(state, network)) throw new HnsError('HCN_E_INVALID_IP');
  if (!range && !isRemote && !open)
    throw new HnsError(sameFamily ? 'HCN_E_INVALID_IP' : 'HCN_E_SUBNET_NOT_FOUND');
  const width = address.family === 4 ? 32 : 128;
  if ((given.PrefixLength ?? 0) > width) throw new HnsError('HCN_E_INVALID_PREFIX');
  const forgiven = isRemote && state.release.switches.duplicateRemoteAddress === 'accepted';
  const taken =
    takenAddresses(state, network).has(keyOf(address)) ||
    (range !== undefined && isReserved(range, address.value));
  if (taken && !forgiven) throw HnsError.of(state.release.switches.addressConflict);
  if (!range) return given;
  return {
    IpAddress: text,
    PrefixLength: given.PrefixLength || range.prefix.length,
  };
}

/** A new transparent network refuses static addresses for some time [C]. */
function isEarly(state: State, { created, document }: NetworkObject): boolean {
  return document.Type === 'Transparent' && Date.now() - created < state.staticAddressDelayMs;
}

export function checkDistinct(state: State, configurations: readonly IpConfig[]): void {
  const addresses = configurations.map(({ IpAddress }) => parseAddress(IpAddress));
  if (new Set(addresses.map(keyOf)).size < addresses.length)
    throw HnsError.of(state.release.switches.addressConflict);
}

/** Returns the routes of the subnets that contain the addresses. */
export function routesFor(network: NetworkObject, addresses: readonly IpConfig[]): Route[] {
  const used = rangesOf(network).filter(({ prefix }) =>
    addresses.some(({ IpAddress }) => {
      const address = parseAddress(IpAddress);
      return address !== undefined && contains(prefix, address);
    }),
  );
  return used.flatMap(({ subnet }) => subnet.Routes ?? []);
}

function nextAddress(state: State, network: NetworkObject, range: Range): IpConfig {
  const taken = takenAddresses(state, network);
  for (let value = range.prefix.first; value <= range.prefix.last; value++) {
    const address = { family: range.prefix.family, value };
    if (isReserved(range, value) || taken.has(keyOf(address))) continue;
    return { IpAddress: formatAddress(address), PrefixLength: range.prefix.length };
  }
  throw HnsError.of(state.release.switches.addressConflict);
}

/** HNS reserves the gateway, network and broadcast addresses. */
function isReserved({ subnet, prefix }: Range, value: bigint): boolean {
  const isWide = prefix.last - prefix.first >= 2n;
  if (isWide && (value === prefix.first || (prefix.family === 4 && value === prefix.last))) return true;
  return (subnet.Routes ?? []).some((route) => parseAddress(route.NextHop)?.value === value);
}

function takenAddresses(state: State, network: NetworkObject): ReadonlySet<string> {
  const configurations = endpointsOf(state, network).flatMap(
    (endpoint) => endpoint.document.IpConfigurations,
  );
  return new Set(configurations.map(({ IpAddress }) => keyOf(parseAddress(IpAddress))));
}

function keyOf(address: Address | undefined): string {
  return `${address?.family} ${address?.value}`;
}

function rangesOf(network: NetworkObject, type?: 'Static'): Range[] {
  return network.document.Ipams.filter((ipam) => type === undefined || ipam.Type === type)
    .flatMap((ipam) => ipam.Subnets)
    .flatMap((subnet) => {
      const prefix = parsePrefix(subnet.IpAddressPrefix);
      return prefix ? [{ subnet, prefix }] : [];
    });
}

/** A route through 0.0.0.0 or :: is none: Microsoft's CNI plugins send it so that HNS adds no default route [S]. */
export function isUnspecified({ NextHop }: Route): boolean {
  return parseAddress(NextHop)?.value === 0n;
}
