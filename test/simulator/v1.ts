// V1 answers, which filters compare with: upper-case GUIDs, flat policies.

import { parseAddress } from './addresses.ts';
import { type Dns, isRemote, type Subnet } from './documents.ts';
import { stateOf } from './endpoint-state.ts';
import { healthData, resources } from './health.ts';
import { policyV1 } from './policies-v1.ts';
import type { JsonObject } from './schema/validate.ts';
import {
  type EndpointObject,
  endpointsOf,
  type HnsObject,
  type LoadBalancerObject,
  type NamespaceObject,
  type NetworkObject,
  namespaceOf,
  type State,
} from './state.ts';

export function documentV1(state: State, object: HnsObject): JsonObject {
  switch (object.kind) {
    case 'Network':
      return { ...base(state, object), ...network(state, object) };
    case 'Endpoint':
      return { ...base(state, object), ...endpoint(state, object) };
    case 'Namespace':
      return { ...base(state, object), ...namespace(object) };
    case 'LoadBalancer':
      return { ...base(state, object), ...policyList(object) };
  }
}

function base(state: State, object: HnsObject): JsonObject {
  const { Major, Minor } = state.release.version;
  return {
    AdditionalParams: {},
    Flags: 0,
    Health: healthData(object),
    ID: object.id.toUpperCase(),
    Resources: resources(object),
    State: 1,
    Version: Major * 2 ** 32 + Minor,
  };
}

/** Whether the switch has the adapter's address. flannel waits for ManagementIP on L2Bridge networks too [S]. */
function isFinished(state: State, { created, document: { Type, Policies } }: NetworkObject): boolean {
  if (Type === 'Overlay') return Policies.some((policy) => policy.Type === 'DrMacAddress');
  return Date.now() - created >= state.providerAddressDelayMs;
}

function network(state: State, object: NetworkObject): JsonObject {
  const { Name, Flags, Policies, MacRanges, Dns, Ipams } = object.document;
  const subnets = Ipams.flatMap((ipam) => ipam.Subnets);
  const count = endpointsOf(state, object).length;
  const adapter = Policies.find((policy) => policy.Type === 'NetAdapterName')?.Settings?.[
    'NetworkAdapterName'
  ];
  const router = Policies.find((policy) => policy.Type === 'DrMacAddress')?.Settings?.['Address'];
  const isolation = object.isolation > 0 ? [{ Type: 'VLAN', VLAN: object.isolation }] : [];
  const elsewhere = new Set(['AutomaticDNS', 'NetAdapterName', 'DrMacAddress', 'ProviderAddress']);
  const resolves = Policies.some((policy) => policy.Type === 'AutomaticDNS' && policy.Settings?.['Enable']);
  return {
    ...(resolves && { AutomaticDNS: true }),
    CurrentEndpointCount: count,
    ...dnsMembers(Dns),
    ...(router !== undefined && { DrMacAddress: router }),
    Flags,
    IPv6: subnets.some((subnet) => parseAddress(subnet.IpAddressPrefix.split('/')[0] ?? '')?.family === 6),
    LayeredOn: object.switchId.toUpperCase(),
    MacPools: MacRanges.map(({ StartMacAddress, EndMacAddress }) => ({ EndMacAddress, StartMacAddress })),
    ...(object.adapter && isFinished(state, object) && { ManagementIP: object.adapter.managementIp }),
    MaxConcurrentEndpoints: count,
    Name,
    ...(adapter !== undefined && { NetworkAdapterName: adapter }),
    Policies: [...isolation, ...Policies.filter((policy) => !elsewhere.has(policy.Type)).map(policyV1)],
    Subnets: subnets.map((subnet) => subnetV1(object, subnet)),
    TotalEndpoints: count,
    Type: object.typeSpelling,
  };
}

function subnetV1(object: NetworkObject, subnet: Subnet): JsonObject {
  const gateway = subnet.Routes?.[0]?.NextHop;
  const health = healthData(object);
  return {
    AdditionalParams: {},
    AddressPrefix: subnet.IpAddressPrefix,
    Flags: subnet.Flags ?? 0,
    ...(gateway !== undefined && { GatewayAddress: gateway }),
    Health: health,
    ID: subnet.ID.toUpperCase(),
    IpSubnets: subnet.IpSubnets.map(({ ID, IpAddressPrefix, Flags = 0 }) => ({
      ...{ AdditionalParams: {}, Flags, Health: health, ID: ID.toUpperCase(), IpAddressPrefix },
      ...{ ObjectType: 6, Policies: [], State: 0 },
    })),
    ObjectType: 5,
    Policies: (subnet.Policies ?? []).map(policyV1),
    State: 0,
  };
}

function endpoint(state: State, object: EndpointObject): JsonObject {
  const { Name, Policies, IpConfigurations, Dns, Routes, MacAddress, Flags } = object.document;
  const [v4] = IpConfigurations.filter(({ IpAddress }) => parseAddress(IpAddress)?.family === 4);
  const [v6] = IpConfigurations.filter(({ IpAddress }) => parseAddress(IpAddress)?.family === 6);
  const [gateway] = Routes.filter((route) => route.DestinationPrefix === '0.0.0.0/0');
  const [gatewayV6] = Routes.filter((route) => route.DestinationPrefix === '::/0');
  const namespace = namespaceOf(state, object);
  const containers = [...(namespace?.containers ?? [])];
  const overhead = Policies.find((policy) => policy.Type === 'EncapOverhead')?.Settings?.['Overhead'];
  return {
    ...dnsMembers(Dns),
    ...(overhead !== undefined && { EncapOverhead: overhead }),
    Flags,
    ...(gateway && { GatewayAddress: gateway.NextHop }),
    ...(gatewayV6 && { GatewayAddressV6: gatewayV6.NextHop }),
    ...(v4 && { IPAddress: v4.IpAddress, PrefixLength: v4.PrefixLength ?? 0 }),
    ...(v6 && { IPv6Address: v6.IpAddress, IPv6PrefixLength: v6.PrefixLength ?? 0 }),
    ...(isRemote(object.document) && { IsRemoteEndpoint: true }),
    MacAddress,
    Name,
    ...(namespace && { Namespace: { ID: namespace.id.toUpperCase(), CompartmentId: namespace.compartment } }),
    Policies: Policies.filter((policy) => policy.Type !== 'EncapOverhead').map(policyV1),
    SharedContainers: containers,
    State: stateOf(state, object),
    VirtualNetwork: object.network.id.toUpperCase(),
    VirtualNetworkName: object.network.document.Name,
  };
}

function namespace(object: NamespaceObject): JsonObject {
  return {
    CompartmentId: object.compartment,
    ...(object.compartment > 0 && { CompartmentGuid: object.id.toUpperCase() }),
    ...(object.containers.size > 0 && { Containers: [...object.containers] }),
    IsDefault: object.isDefault,
    Policies: [],
    ResourceList: [...object.endpoints].map(({ id }) => ({
      Data: { Id: id.toUpperCase() },
      Type: 'Endpoint',
    })),
  };
}

function policyList(object: LoadBalancerObject): JsonObject {
  const references = object.document.HostComputeEndpoints.map((id) => `/endpoints/${id}`);
  return {
    ...(object.document.HostComputeNetwork && { HostComputeNetwork: object.document.HostComputeNetwork }),
    IsApplied: true,
    Policies: balancing(object),
    References: references,
    State: 2,
  };
}

function balancing({ document }: LoadBalancerObject): JsonObject[] {
  return document.PortMappings.map(({ ExternalPort = 0, InternalPort = 0, Protocol = 0, Flags = 0 }) => ({
    ExternalPort,
    ...((Flags & 1) !== 0 && { ILB: true }),
    InternalPort,
    ...(((document.Flags ?? 0) & 1) !== 0 && { IsDSR: true }),
    Protocol,
    ...(document.SourceVIP && { SourceVIP: document.SourceVIP }),
    Type: 'ELB',
    ...(document.FrontendVIPs.length > 0 && { VIPs: document.FrontendVIPs }),
  }));
}

/** Server list and search list are comma-separated strings. */
function dnsMembers(dns: Dns): JsonObject {
  const domain = [dns.Domain ?? '', ...(dns.Search ?? [])].filter((part) => part !== '').join(',');
  const servers = (dns.ServerList ?? []).join(',');
  return { ...(servers !== '' && { DNSServerList: servers }), ...(domain !== '' && { DNSSuffix: domain }) };
}
