// ModifyNetworkSettingRequest.

import { contains, parseAddress, parsePrefix } from './addresses.ts';
import type { Dns, Ipam, Network, Subnet } from './documents.ts';
import { HnsError } from './hresults.ts';
import { changedPolicies, readNetworkPolicies } from './policies.ts';
import {
  dns,
  extension,
  ipSubnetRequest,
  policyRequest,
  modifyNetwork as requestSchema,
  subnetRequest,
} from './schema/documents.ts';
import { type Json, type JsonObject, validateObject } from './schema/validate.ts';
import { endpointsOf, type NetworkObject, type State } from './state.ts';
import { checkDisjoint, checkOverlap, readIpSubnet, readSubnet, requireVsid } from './subnets.ts';

export function modifyNetwork(state: State, network: NetworkObject, settings: JsonObject): void {
  const request = validateObject(requestSchema, settings, state.release);
  const type = String(request['RequestType']);
  const body = request['Settings'] ?? {};
  network.document = {
    ...network.document,
    ...change(state, network, String(request['ResourceType']), type, body),
  };
}

function change(
  state: State,
  network: NetworkObject,
  resource: string,
  type: string,
  body: Json,
): Partial<Network> {
  switch (resource) {
    case 'Policy':
      return { Policies: policiesAfter(state, network, type, body) };
    case 'DNS':
      return { Dns: type === 'Remove' ? {} : (validateObject(dns, body, state.release) as Dns) };
    case 'Subnet':
      return { Ipams: changedSubnets(state, network, type, body) };
    case 'IPSubnet':
      return { Ipams: changedIpSubnets(state, network, type, body) };
    default:
      validateObject(extension, body, state.release);
      return {};
  }
}

function policiesAfter(state: State, network: NetworkObject, type: string, body: Json): Network['Policies'] {
  const given = validateObject(policyRequest, body, state.release);
  const policies = readNetworkPolicies(given['Policies'], state.release);
  return changedPolicies(network.document.Policies, type, policies);
}

function changedSubnets(state: State, network: NetworkObject, type: string, body: Json): Ipam[] {
  const given = validateObject(subnetRequest, body, state.release)['Subnets'] as JsonObject[];
  const subnets = given.map((subnet) => readSubnet(network.id, subnet, state));
  const [first = { Type: 'Static', Subnets: [] } as Ipam, ...others] = network.document.Ipams;
  if (type === 'Add')
    return [
      { ...first, Subnets: [...first.Subnets, ...checkedAddition(state, network, subnets)] },
      ...others,
    ];
  if (type !== 'Remove') throw new HnsError('HCN_E_REQUEST_UNSUPPORTED');
  const prefixes = subnets.map((subnet) => subnet.IpAddressPrefix);
  const kept = first.Subnets.filter((subnet) => !prefixes.includes(subnet.IpAddressPrefix));
  if (kept.length + subnets.length !== first.Subnets.length) throw new HnsError('HCN_E_SUBNET_NOT_FOUND');
  if (endpointsOf(state, network).some((endpoint) => usesAny(endpoint.document.IpConfigurations, prefixes)))
    throw new HnsError('HCN_E_ENTITY_HAS_REFERENCES');
  return [{ ...first, Subnets: kept }, ...others];
}

function checkedAddition(
  state: State,
  { document }: NetworkObject,
  subnets: readonly Subnet[],
): readonly Subnet[] {
  if (document.Type === 'Overlay') requireVsid(subnets);
  checkDisjoint([...document.Ipams.flatMap((ipam) => ipam.Subnets), ...subnets]);
  checkOverlap(state, document.Type, subnets);
  return subnets;
}

function changedIpSubnets(state: State, network: NetworkObject, type: string, body: Json): Ipam[] {
  const given = validateObject(ipSubnetRequest, body, state.release);
  const owner = network.document.Ipams.flatMap((ipam) => ipam.Subnets).find(
    ({ ID }) => ID === given['SubnetId'],
  );
  const prefix = parsePrefix(owner?.IpAddressPrefix ?? '');
  if (!owner || !prefix) throw new HnsError('HCN_E_SUBNET_NOT_FOUND');
  const changed = (given['IpSubnets'] as JsonObject[]).map((ipSubnet) =>
    readIpSubnet(owner.ID, ipSubnet, prefix),
  );
  const ids = changed.map(({ ID }) => ID);
  const others = owner.IpSubnets.filter(({ ID }) => !ids.includes(ID));
  if (type !== 'Add' && type !== 'Remove') throw new HnsError('HCN_E_REQUEST_UNSUPPORTED');
  const replaced: Subnet = { ...owner, IpSubnets: type === 'Add' ? [...others, ...changed] : others };
  return network.document.Ipams.map((ipam) => ({
    ...ipam,
    Subnets: ipam.Subnets.map((subnet) => (subnet === owner ? replaced : subnet)),
  }));
}

function usesAny(
  configurations: readonly { readonly IpAddress: string }[],
  prefixes: readonly string[],
): boolean {
  return configurations.some(({ IpAddress }) => {
    const address = parseAddress(IpAddress);
    return prefixes.some((text) => {
      const prefix = parsePrefix(text);
      return prefix && address && contains(prefix, address);
    });
  });
}
