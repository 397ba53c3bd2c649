// Creates and deletes HostComputeNetworks.

import { v4 as uuidv4 } from 'uuid';
import type { Dns, MacRange, Network, NetworkMode } from './documents.ts';
import { deleteEndpoint } from './endpoints.ts';
import { HnsError } from './hresults.ts';
import { deleteLoadBalancersOf } from './load-balancers.ts';
import { defaultRange, isMacAddress, macValue } from './mac-pool.ts';
import { idIn } from './object-id.ts';
import { checkPoliciesAtCreation, readNetworkPolicies } from './policies.ts';
import { network as networkSchema } from './schema/documents.ts';
import { type Json, type JsonObject, validateObject } from './schema/validate.ts';
import { endpointsOf, type NetworkObject, type State } from './state.ts';
import { readIpams } from './subnets.ts';
import {
  chooseAdapter,
  networksOn,
  noteRelease,
  requireReleased,
  routerMacOf,
  switchIdOf,
} from './virtual-switch.ts';

const lateAnswers = 2;
const refusedEndpoints = 2;
const unsupportedTypes: ReadonlySet<NetworkMode> = new Set(['Mirrored', 'Infiniband', 'ConstrainedICS']);

export function createNetwork(
  state: State,
  requestedId: string | undefined,
  settings: JsonObject,
): NetworkObject {
  const given = validateObject(networkSchema, settings, state.release);
  const id = requestedId ?? idIn(given) ?? uuidv4();
  const type = (given['Type'] ?? 'NAT') as NetworkMode;
  const name = typeof given['Name'] === 'string' ? given['Name'] : '';
  if (state.networks.has(id) || isNameTaken(state, name)) throw new HnsError('HCN_E_NETWORK_ALREADY_EXISTS');
  if (unsupportedTypes.has(type)) throw new HnsError('HCN_E_INVALID_NETWORK_TYPE');
  if (type === 'NAT') checkSingleNat(state);
  const policies = readNetworkPolicies(given['Policies'], state.release);
  checkPoliciesAtCreation(policies, state.release);
  const adapter = chooseAdapter(state, type, policies);
  requireReleased(state, adapter);
  const document: Network = {
    Name: name,
    Type: type,
    Flags: Number(given['Flags'] ?? 0),
    Policies: policies,
    MacRanges: readMacRanges(state, given['MacPool']),
    Dns: (given['Dns'] ?? {}) as Dns,
    Ipams: readIpams(state, id, type, given['Ipams']),
  };
  const switchId = switchIdOf(adapter, type, id);
  const isolation = type === 'NAT' ? nextIsolation(state) : 0;
  const { firstEndpoint, networkListing, providerInterface } = state.release.switches;
  const isFirst = networksOn(state, adapter).length === 0;
  const network: NetworkObject = {
    kind: 'Network',
    id,
    created: Date.now(),
    adapter,
    switchId,
    isolation,
    unlisted: networkListing === 'late' ? lateAnswers : 0,
    refusals: adapter && firstEndpoint === 'after refusals' ? refusedEndpoints : 0,
    withoutInterface: type === 'Overlay' && isFirst && providerInterface === 'late' ? lateAnswers : 0,
    document,
  };
  state.networks.set(id, network);
  if (adapter) state.interruptions.creations += 1;
  if (type === 'Overlay') provideAddress(state, network);
  return network;
}

export function deleteNetwork(state: State, id: string): void {
  const { deleteMissingNetwork, networkWithEndpoints } = state.release.switches;
  const network = state.networks.get(id);
  if (!network) throw HnsError.of(deleteMissingNetwork);
  const isUsed = endpointsOf(state, network).length > 0;
  if (isUsed && networkWithEndpoints === 'refused') throw new HnsError('ERROR_BUSY');
  dropNetwork(state, network, networkWithEndpoints === 'endpoints kept');
  if (network.adapter) state.interruptions.deletions += 1;
  noteRelease(state, network.adapter);
}

/** Deletes the network with its load balancers, and its endpoints unless `keepsEndpoints`. */
export function dropNetwork(state: State, network: NetworkObject, keepsEndpoints = false): void {
  deleteLoadBalancersOf(state, network);
  const endpoints = keepsEndpoints ? [] : endpointsOf(state, network);
  for (const endpoint of endpoints) deleteEndpoint(state, endpoint.id);
  state.networks.delete(network.id);
}

function checkSingleNat(state: State): void {
  const isTaken = [...state.networks.values()].some((network) => network.document.Type === 'NAT');
  if (isTaken && state.release.switches.secondNat === 'refused') throw new HnsError('E_INVALIDARG');
}

function isNameTaken(state: State, name: string): boolean {
  if (name === '' || state.release.switches.duplicateNetworkName === 'accepted') return false;
  return [...state.networks.values()].some((network) => network.document.Name === name);
}

function nextIsolation(state: State): number {
  const taken = new Set([...state.networks.values()].map((network) => network.isolation));
  let vlan = 1;
  while (taken.has(vlan)) vlan++;
  return vlan;
}

function readMacRanges(state: State, pool: Json | undefined): MacRange[] {
  const { Ranges = [] } = (pool ?? {}) as unknown as { Ranges?: readonly MacRange[] };
  if (Ranges.length === 0)
    return [defaultRange([...state.networks.values()].flatMap((network) => network.document.MacRanges))];
  for (const { StartMacAddress = '', EndMacAddress = '' } of Ranges as readonly Partial<MacRange>[]) {
    const valid = isMacAddress(StartMacAddress) && isMacAddress(EndMacAddress);
    if (!valid || macValue(StartMacAddress) > macValue(EndMacAddress)) throw new HnsError('E_INVALIDARG');
  }
  return [...Ranges];
}

/** An overlay network gets its provider and router addresses once the switch has the adapter's address. */
function provideAddress(state: State, network: NetworkObject): void {
  const router = routerMacOf(network.adapter, network.id);
  const provide = () => {
    const outputs = [
      { Type: 'DrMacAddress', Settings: { Address: router } },
      { Type: 'ProviderAddress', Settings: { ProviderAddress: network.adapter?.managementIp ?? '' } },
    ].filter((output) => !network.document.Policies.some((policy) => policy.Type === output.Type));
    network.document = { ...network.document, Policies: [...network.document.Policies, ...outputs] };
  };
  if (state.providerAddressDelayMs === 0) provide();
  else setTimeout(provide, state.providerAddressDelayMs).unref();
}
