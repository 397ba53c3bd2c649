// V1 answers, which filters compare with: upper-case GUIDs, flat policies.

import type { Dns } from './documents.ts';
import { stateOf } from './endpoint-state.ts';
import { healthData, resources } from './health.ts';
import { policyV1 } from './policies-v1.ts';
import type { JsonObject } from './schema/validate.ts';
import {
  type EndpointObject,
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

/** As far as clients filter by it, or `collect` shows it. HNS returns more members. */
function network(state: State, object: NetworkObject): JsonObject {
  const { Name, Type, Flags, Policies, Dns, Ipams } = object.document;
  const isolation = object.isolation > 0 ? [{ Type: 'VLAN', VLAN: object.isolation }] : [];
  return {
    ...dnsMembers(Dns),
    Flags,
    ...(object.adapter && isFinished(state, object) && { ManagementIP: object.adapter.managementIp }),
    Name,
    Policies: [...isolation, ...Policies.map(policyV1)],
    Subnets: Ipams.flatMap((ipam) => ipam.Subnets).map(({ ID, IpAddressPrefix, Routes, Policies = [] }) => ({
      AddressPrefix: IpAddressPrefix,
      ...(Routes?.[0] && { GatewayAddress: Routes[0].NextHop }),
      ID: ID.toUpperCase(),
      Policies: Policies.map(policyV1),
    })),
    Type,
  };
}

function endpoint(state: State, object: EndpointObject): JsonObject {
  const { Name, Policies, IpConfigurations, Dns, Routes, MacAddress, Flags } = object.document;
  const [address] = IpConfigurations;
  const namespace = namespaceOf(state, object);
  return {
    ...dnsMembers(Dns),
    Flags,
    ...(Routes[0] && { GatewayAddress: Routes[0].NextHop }),
    ...(address && { IPAddress: address.IpAddress, PrefixLength: address.PrefixLength ?? 0 }),
    MacAddress,
    Name,
    ...(namespace && { Namespace: { ID: namespace.id.toUpperCase(), CompartmentId: namespace.compartment } }),
    Policies: Policies.map(policyV1),
    SharedContainers: [...(namespace?.containers ?? [])],
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
    IsApplied: true,
    Policies: balancing(object),
    References: references,
    State: 2,
  };
}

function balancing({ document }: LoadBalancerObject): JsonObject[] {
  return document.PortMappings.map(({ ExternalPort = 0, InternalPort = 0, Protocol = 0 }) => ({
    ExternalPort,
    InternalPort,
    ...(((document.Flags ?? 0) & 1) !== 0 && { IsDSR: true }),
    Protocol,
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
