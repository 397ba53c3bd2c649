// V2 answers: documented case, lower-case GUIDs, default values omitted.

import type { Policy, Subnet } from './documents.ts';
import { stateOf } from './endpoint-state.ts';
import { healthV2 } from './health.ts';
import { zeroGuid } from './object-id.ts';
import { isAtLeast } from './profiles.ts';
import type { Json, JsonObject } from './schema/validate.ts';
import {
  type EndpointObject,
  type HnsObject,
  type LoadBalancerObject,
  type NamespaceObject,
  type NetworkObject,
  namespaceOf,
  type State,
} from './state.ts';

const schemaVersion: JsonObject = Object.freeze({ Major: 2, Minor: 0 });

/** The document of an object's current state, which later changes of the object do not change. */
export function documentV2(state: State, object: HnsObject): JsonObject {
  switch (object.kind) {
    case 'Network':
      return network(state, object);
    case 'Endpoint':
      return endpoint(state, object);
    case 'Namespace':
      return namespaceV2(object);
    case 'LoadBalancer':
      return loadBalancer(object);
  }
}

/** `Type` is omitted for NAT, the first value of the enumeration. */
function network(state: State, object: NetworkObject): JsonObject {
  const { Name, Type, Flags, Policies, MacRanges, Dns, Ipams } = object.document;
  return {
    ID: object.id,
    ...(Name !== '' && { Name }),
    SchemaVersion: schemaVersion,
    Health: healthV2(object),
    State: 1,
    ...(Type !== 'NAT' && { Type }),
    ...(Flags !== 0 && { Flags }),
    ...(Policies.length > 0 && { Policies: policies(Policies) }),
    MacPool: { Ranges: plain(MacRanges) },
    Dns: plain(Dns),
    Ipams: Ipams.map((ipam) => ({
      Type: ipam.Type,
      Subnets: ipam.Subnets.map((given) => subnet(state, given)),
    })),
  };
}

/** Subnets are objects with an ID since schema 2.3. */
function subnet(
  state: State,
  { ID, Name, IpAddressPrefix, Policies, Routes, IpSubnets, Flags }: Subnet,
): JsonObject {
  const identified = isAtLeast(state.release.version, 11, 0);
  return {
    ...(identified && { ID }),
    ...(Name && { Name }),
    IpAddressPrefix,
    ...(Policies && Policies.length > 0 && { Policies: policies(Policies) }),
    ...(Routes && Routes.length > 0 && { Routes: plain(Routes) }),
    ...(identified && { IpSubnets: plain(IpSubnets) }),
    ...(Flags && { Flags }),
  };
}

function endpoint(state: State, object: EndpointObject): JsonObject {
  const { Name, Policies, IpConfigurations, Dns, Routes, MacAddress, Flags } = object.document;
  const namespace = namespaceOf(state, object);
  return {
    ID: object.id,
    Name,
    HostComputeNetwork: object.network.id,
    HostComputeNamespace: namespace?.id ?? zeroGuid,
    ...(Policies.length > 0 && { Policies: policies(Policies) }),
    ...(IpConfigurations.length > 0 && { IpConfigurations: plain(IpConfigurations) }),
    Dns: plain(Dns),
    ...(Routes.length > 0 && { Routes: plain(Routes) }),
    MacAddress,
    ...(Flags !== 0 && { Flags }),
    Health: healthV2(object, [...(namespace?.containers ?? [])]),
    State: stateOf(state, object),
    SchemaVersion: schemaVersion,
  };
}

function namespaceV2(object: NamespaceObject): JsonObject {
  const resources = [
    ...[...object.containers].map((Id) => ({ Type: 'Container', Data: { Id } })),
    ...[...object.endpoints].map(({ id }) => ({ Type: 'Endpoint', Data: { Id: id } })),
  ];
  return {
    ID: object.id,
    NamespaceId: object.compartment,
    NamespaceGuid: object.id,
    Type: object.type,
    ...(resources.length > 0 && { Resources: resources }),
    SchemaVersion: schemaVersion,
  };
}

function loadBalancer({ id, document }: LoadBalancerObject): JsonObject {
  return {
    ID: id,
    ...(document.HostComputeEndpoints.length > 0 && {
      HostComputeEndpoints: plain(document.HostComputeEndpoints),
    }),
    ...(document.SourceVIP && { SourceVIP: document.SourceVIP }),
    ...(document.FrontendVIPs.length > 0 && { FrontendVIPs: plain(document.FrontendVIPs) }),
    ...(document.PortMappings.length > 0 && { PortMappings: plain(document.PortMappings) }),
    ...(document.Flags && { Flags: document.Flags }),
    SchemaVersion: schemaVersion,
  };
}

/** Policies are stored without defaults; a zero in them is a required member. */
function policies(given: readonly Policy[]): Json {
  return copy(given, (member) => member !== undefined);
}

/** Converts to JSON without members that have default values. Items of lists stay. */
function plain(value: unknown): Json {
  return copy(value, (member) => member !== undefined && member !== 0 && member !== '' && member !== false);
}

/** Copies JSON with the members that are kept. It runs for each answer, so it must be fast. */
function copy(value: unknown, isKept: (member: unknown) => boolean): Json {
  if (Array.isArray(value)) return value.map((item) => copy(item, isKept));
  if (typeof value !== 'object' || value === null) return value as Json;
  const copied: Record<string, Json> = {};
  for (const [name, member] of Object.entries(value)) if (isKept(member)) copied[name] = copy(member, isKept);
  return copied;
}
