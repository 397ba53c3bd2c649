// Settings of create calls: V2 documents, and V1 documents translated to V2.

import { HnsError } from './hresults.ts';
import { policyV2 } from './policies-v1.ts';
import { switchesOf, versions } from './profiles.ts';
import type { Schema } from './schema/schema.ts';
import { endpointV1, namespaceV1, networkV1, policyListV1 } from './schema/v1.ts';
import {
  isObject,
  type Json,
  type JsonObject,
  parseObject,
  type Release,
  validateObject,
} from './schema/validate.ts';
import type { Kind } from './state.ts';

/** All releases have the same V1 members. */
const release: Release = { version: versions.ws2022, switches: switchesOf.ws2022 };

export function networkFromV1(given: JsonObject): JsonObject {
  const v1 = read(networkV1, given);
  const subnets = list(v1['Subnets']).map(subnetFromV1);
  const adapter = v1['NetworkAdapterName'];
  const mac = v1['SourceMac'];
  const policies = list(v1['Policies']).map(policyV2);
  return compact({
    ...named(v1),
    Type: v1['Type'],
    Flags: v1['Flags'],
    Policies: [
      ...policies,
      ...(v1['AutomaticDNS'] ? [{ Type: 'AutomaticDNS', Settings: { Enable: true } }] : []),
      ...(adapter ? [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: adapter } }] : []),
      ...(mac ? [{ Type: 'SourceMacAddress', Settings: { SourceMacAddress: mac } }] : []),
    ],
    MacPool: v1['MacPools'] ? { Ranges: v1['MacPools'] } : undefined,
    Dns: dnsFromV1(v1),
    Ipams: subnets.length > 0 ? [{ Type: 'Static', Subnets: subnets }] : undefined,
  });
}

function subnetFromV1(given: Json): JsonObject {
  const subnet = given as JsonObject;
  const gateway = subnet['GatewayAddress'];
  const everywhere = String(subnet['AddressPrefix']).includes(':') ? '::/0' : '0.0.0.0/0';
  return compact({
    ID: subnet['ID'],
    IpAddressPrefix: subnet['AddressPrefix'],
    Policies: subnet['Policies'] ? list(subnet['Policies']).map(policyV2) : undefined,
    Routes: gateway ? [{ NextHop: gateway, DestinationPrefix: everywhere }] : undefined,
  });
}

export function endpointFromV1(given: JsonObject): JsonObject {
  const v1 = read(endpointV1, given);
  const overhead = v1['EncapOverhead'];
  const policies = list(v1['Policies']).map(policyV2);
  const addresses = [
    address(v1['IPAddress'], v1['PrefixLength']),
    address(v1['IPv6Address'], v1['IPv6PrefixLength']),
  ].flatMap((configuration) => configuration ?? []);
  const routes = [
    defaultRoute(v1['GatewayAddress'], '0.0.0.0/0'),
    defaultRoute(v1['GatewayAddressV6'], '::/0'),
  ].flatMap((route) => route ?? []);
  return compact({
    ...named(v1),
    HostComputeNetwork: v1['VirtualNetwork'],
    Policies: [
      ...policies,
      ...(overhead ? [{ Type: 'EncapOverhead', Settings: { Overhead: overhead } }] : []),
    ],
    IpConfigurations: addresses.length > 0 ? addresses : undefined,
    Dns: dnsFromV1(v1),
    Routes: routes.length > 0 ? routes : undefined,
    MacAddress: v1['MacAddress'],
    Flags: Number(v1['Flags'] ?? 0) | (v1['IsRemoteEndpoint'] ? 1 : 0),
  });
}

export function namespaceFromV1(given: JsonObject): JsonObject {
  const v1 = read(namespaceV1, given);
  return compact({ ...named(v1), Type: v1['IsDefault'] ? 'HostDefault' : 'Host' });
}

/** A policy list with an ELB policy is a load balancer; other lists are not simulated. */
export function policyListFromV1(given: JsonObject): JsonObject {
  const v1 = read(policyListV1, given);
  const [policy, ...others] = list(v1['Policies']) as JsonObject[];
  if (!policy || others.length > 0 || policy['Type'] !== 'ELB')
    throw new HnsError('HCN_E_INVALID_POLICY_TYPE');
  const references = list(v1['References']).map((reference) =>
    String(reference).replace(/^\/endpoints\//i, ''),
  );
  const { Protocol, InternalPort, ExternalPort } = policy;
  return compact({
    ...named(v1),
    HostComputeEndpoints: references,
    SourceVIP: policy['SourceVIP'],
    FrontendVIPs: policy['VIPs'],
    PortMappings: [compact({ Protocol, InternalPort, ExternalPort, Flags: policy['ILB'] ? 1 : undefined })],
    Flags: policy['IsDSR'] ? 1 : undefined,
  });
}

function read(schema: Schema & { kind: 'object' }, given: JsonObject): JsonObject {
  return validateObject(schema, given, release);
}

function named(v1: JsonObject): Record<string, Json | undefined> {
  return { SchemaVersion: { Major: 2, Minor: 0 }, ID: v1['ID'], Name: v1['Name'], Owner: v1['Owner'] };
}

function dnsFromV1(v1: JsonObject): JsonObject | undefined {
  const servers = String(v1['DNSServerList'] ?? '')
    .split(',')
    .filter((server) => server !== '');
  const suffixes = String(v1['DNSSuffix'] ?? '')
    .split(',')
    .filter((suffix) => suffix !== '');
  const [domain, ...search] = suffixes;
  if (servers.length + suffixes.length === 0) return undefined;
  return compact({
    Domain: domain,
    Search: search.length > 0 ? search : undefined,
    ServerList: servers.length > 0 ? servers : undefined,
  });
}

function address(ip: Json | undefined, length: Json | undefined): JsonObject | undefined {
  return ip ? compact({ IpAddress: ip, PrefixLength: length }) : undefined;
}

function defaultRoute(gateway: Json | undefined, destination: string): JsonObject | undefined {
  return gateway ? { NextHop: gateway, DestinationPrefix: destination } : undefined;
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function compact(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  const present = Object.entries(members).filter(
    (member): member is [string, Json] => member[1] !== undefined,
  );
  return Object.fromEntries(present);
}

export function documentIn(kind: Kind, text: string | null | undefined): JsonObject {
  const given = parseObject(text);
  const version = given['SchemaVersion'];
  const major = isObject(version) ? (version['Major'] ?? 1) : 1;
  if (major === 2) return given;
  if (major !== 1) throw new HnsError('HCN_E_INVALID_JSON');
  switch (kind) {
    case 'Network':
      return networkFromV1(given);
    case 'Endpoint':
      return endpointFromV1(given);
    case 'Namespace':
      return namespaceFromV1(given);
    case 'LoadBalancer':
      return policyListFromV1(given);
    case 'SdnRoute':
      throw new HnsError('HCN_E_INVALID_JSON');
  }
}
