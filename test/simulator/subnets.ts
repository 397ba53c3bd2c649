// Subnets of a network: reading them, automatic ones, overlaps.

import { v5 as uuidv5 } from 'uuid';
import { contains, overlaps, type Prefix, parseAddress, parsePrefix } from './addresses.ts';
import type { Ipam, NetworkMode, Policy, Route, Subnet } from './documents.ts';
import { HnsError } from './hresults.ts';
import { checkPolicy } from './policy-rules.ts';
import { isAtLeast } from './profiles.ts';
import type { Json, JsonObject } from './schema/validate.ts';
import type { State } from './state.ts';

/** Types with their gateway address on the host: their subnets must not overlap [I]. */
const hostSide: ReadonlySet<NetworkMode> = new Set(['NAT', 'ICS', 'Internal']);
const automatic: ReadonlySet<NetworkMode> = new Set(['NAT', 'ICS']);
const subnetRequired: ReadonlySet<NetworkMode> = new Set(['L2Bridge', 'L2Tunnel']);
const bothFlags = 3;

export function readIpams(
  state: State,
  networkId: string,
  type: NetworkMode,
  given: Json | undefined,
): Ipam[] {
  const documents = Array.isArray(given) ? (given as JsonObject[]) : [];
  const ipams = documents.map((ipam): Ipam => {
    const subnets = (ipam['Subnets'] ?? []) as JsonObject[];
    const kind = ipam['Type'] === 'Dhcp' ? 'Dhcp' : 'Static';
    return { Type: kind, Subnets: subnets.map((subnet) => readSubnet(networkId, subnet, state)) };
  });
  const subnets = ipams.flatMap((ipam) => ipam.Subnets);
  if (subnets.length === 0 && automatic.has(type)) return [automaticIpam(state, networkId)];
  if (subnets.length === 0 && subnetRequired.has(type)) throw new HnsError('HCN_E_INVALID_NETWORK');
  if (type === 'Overlay') requireVsid(subnets);
  checkDisjoint(subnets);
  checkOverlap(state, type, subnets);
  return ipams;
}

/** The UUID namespace of subnet ids. uuid refuses some network ids as a namespace. */
const subnetNamespace = '7b3f9d4e-21c5-4a68-9e0b-5d8c6f1a2b3c';

function readSubnet(networkId: string, given: JsonObject, state: State): Subnet {
  const text = typeof given['IpAddressPrefix'] === 'string' ? given['IpAddressPrefix'] : '';
  const prefix = parsePrefix(text);
  if (!prefix || prefix.hasHostBits) throw new HnsError('HCN_E_INVALID_PREFIX');
  if (prefix.family === 6 && !isAtLeast(state.release.version, 11, 10))
    throw new HnsError('HCN_E_INVALID_PREFIX');
  const routes = (given['Routes'] ?? []) as unknown as Route[];
  for (const route of routes) checkRoute(route, prefix);
  for (const { Type, Settings = {} } of (given['Policies'] ?? []) as unknown as Policy[])
    checkPolicy(Type, Settings, state.release);
  const id = typeof given['ID'] === 'string' ? given['ID'] : uuidv5(`${networkId} ${text}`, subnetNamespace);
  const ipSubnet = {
    ID: uuidv5(`${id} ip ${text}`, subnetNamespace),
    IpAddressPrefix: text,
    Flags: bothFlags,
  };
  return { ...(given as unknown as Subnet), ID: id, IpSubnets: [ipSubnet] };
}

/** The gateway is a host address of its subnet [I]. */
function checkRoute(route: Route, within: Prefix): void {
  const nextHop = parseAddress(route.NextHop);
  const destination = parsePrefix(route.DestinationPrefix);
  if (!nextHop || !destination || !contains(within, nextHop)) throw new HnsError('HCN_E_INVALID_SUBNET');
  const isNetwork = nextHop.value === within.first && within.last - within.first > 1n;
  if (isNetwork) throw new HnsError('HCN_E_INVALID_SUBNET');
}

/** Overlay creation without a VSID fails as the parameter errors of flannel#1966 do [I]. */
function requireVsid(subnets: readonly Subnet[]): void {
  const isolated = subnets.every((subnet) => subnet.Policies?.some((policy) => policy.Type === 'VSID'));
  if (subnets.length === 0 || !isolated) throw new HnsError('E_INVALIDARG');
}

/** No address is in two subnets of one network [I]. */
function checkDisjoint(subnets: readonly Subnet[]): void {
  const prefixes = subnets.flatMap((subnet) => parsePrefix(subnet.IpAddressPrefix) ?? []);
  const isOverlapped = (prefix: Prefix, index: number) =>
    prefixes.slice(index + 1).some((other) => overlaps(prefix, other));
  if (prefixes.some(isOverlapped)) throw new HnsError('HCN_E_INVALID_SUBNET');
}

function checkOverlap(state: State, type: NetworkMode, subnets: readonly Subnet[]): void {
  if (!hostSide.has(type)) return;
  const taken = takenPrefixes(state);
  for (const subnet of subnets) {
    const prefix = parsePrefix(subnet.IpAddressPrefix);
    const onHost = state.adapters.some((adapter) => {
      const address = parseAddress(adapter.managementIp);
      return prefix && address && contains(prefix, address);
    });
    if (onHost || taken.some((other) => prefix && overlaps(prefix, other)))
      throw new HnsError('ERROR_DUP_NAME');
  }
}

function takenPrefixes(state: State): Prefix[] {
  return [...state.networks.values()]
    .filter((network) => hostSide.has(network.document.Type))
    .flatMap((network) => network.document.Ipams.flatMap((ipam) => ipam.Subnets))
    .flatMap((subnet) => parsePrefix(subnet.IpAddressPrefix) ?? []);
}

/** Returns a /20 of 172.16.0.0/12 with the gateway at .1. HNS picks a random one. */
function automaticIpam(state: State, networkId: string): Ipam {
  const taken = takenPrefixes(state);
  for (let block = 0x1510; block < 0x2000; block += 0x10) {
    const stem = `172.${block >> 8}.${block & 0xff}`;
    const prefix = parsePrefix(`${stem}.0/20`);
    if (!prefix || taken.some((other) => overlaps(prefix, other))) continue;
    const routes = [{ NextHop: `${stem}.1`, DestinationPrefix: '0.0.0.0/0' }];
    const subnet = readSubnet(networkId, { IpAddressPrefix: `${stem}.0/20`, Routes: routes }, state);
    return { Type: 'Static', Subnets: [subnet] };
  }
  throw new HnsError('ERROR_DUP_NAME');
}
