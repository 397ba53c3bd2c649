import { familyOf, parseAddress } from '../net/address.ts';
import { everyAddress, formatPrefix, parsePrefix, withLength } from '../net/prefix.ts';
import {
  type Dns,
  type HnsVersion,
  type HostComputeNamespace,
  type Ipam,
  type IpConfig,
  type LoadBalancerPortMapping,
  type NamespaceResource,
  type ObservedEndpoint,
  type ObservedLoadBalancer,
  type ObservedNetwork,
  type Policy,
  type Route,
  type Subnet,
  schemaVersion,
} from './documents.ts';
import { HcnInvalidResponse } from './errors.ts';
import type { Guid } from './guid.ts';

/**
 * Reads what HCN answered to a query, as far as we look at it. HNS leaves members with default values out; a document without an id,
 * or with a member that is not what it should be, is nonsense, because nothing it says can then be relied on.
 */
export function readNetwork(json: string): ObservedNetwork {
  const { members, id } = readDocument(json);
  return {
    ID: id,
    Name: text(members, 'Name') ?? '',
    Type: text(members, 'Type') ?? 'NAT',
    Policies: list(members, 'Policies', readPolicy),
    Ipams: list(members, 'Ipams', readIpam),
    SchemaVersion: schemaVersion,
  };
}

/** ManagementIP of a network in its older form. */
export function readManagementAddress(json: string): string | undefined {
  return text(readObject(parse(json)), 'ManagementIP');
}

export function readEndpoint(json: string): ObservedEndpoint {
  const { members, id } = readDocument(json);
  const health = readObject(readObject(members['Health'] ?? {})['Data'] ?? {});
  return {
    ID: id,
    Name: text(members, 'Name') ?? '',
    HostComputeNetwork: text(members, 'HostComputeNetwork')?.toLowerCase() ?? '',
    HostComputeNamespace: text(members, 'HostComputeNamespace')?.toLowerCase() ?? '',
    MacAddress: text(members, 'MacAddress') ?? '',
    Policies: list(members, 'Policies', readPolicy),
    IpConfigurations: list(members, 'IpConfigurations', readIpConfig),
    Routes: readRoutes(members),
    Dns: readDns(readObject(members['Dns'] ?? {})),
    Flags: number(members, 'Flags') ?? 0,
    Health: { Data: { LastErrorCode: number(health, 'LastErrorCode') ?? 0 } },
    State: number(members, 'State') ?? 0,
    SchemaVersion: schemaVersion,
  };
}

export function readNamespace(json: string): HostComputeNamespace {
  const { members, id } = readDocument(json);
  return {
    ID: id,
    NamespaceId: number(members, 'NamespaceId') ?? 0,
    Type: text(members, 'Type') ?? 'Host',
    Resources: list(members, 'Resources', readResource),
    SchemaVersion: schemaVersion,
  };
}

export function readLoadBalancer(json: string): ObservedLoadBalancer {
  const { members, id } = readDocument(json);
  const sourceVip = text(members, 'SourceVIP');
  const vips = texts(members, 'FrontendVIPs');
  const flags = number(members, 'Flags');
  return {
    ID: id,
    HostComputeEndpoints: texts(members, 'HostComputeEndpoints').map((id) => id.toLowerCase()),
    ...(sourceVip && { SourceVIP: parseAddress(sourceVip) ?? sourceVip }),
    ...(vips.length > 0 && { FrontendVIPs: vips.map((vip) => parseAddress(vip) ?? vip) }),
    PortMappings: list(members, 'PortMappings', readPortMapping),
    ...(flags && { Flags: flags }),
    SchemaVersion: schemaVersion,
  };
}

/** Reads the ids an enumeration answered; null is an empty list. */
export function readIds(json: string): readonly Guid[] {
  const value = parse(json) ?? [];
  if (!Array.isArray(value)) throw nonsense('a list of ids', value);
  return value.map((item) => readId(item) ?? complain('an id', item));
}

/** Reads what HNSCall answered for the service's version; undefined when that says failure, as old builds do with S_OK. */
export function readVersion(json: string): HnsVersion | undefined {
  const members = readObject(parse(json));
  if (members['Success'] === false) return undefined;
  const output = readObject(members['Output'] ?? {});
  const Major = number(output, 'Major');
  const Minor = number(output, 'Minor');
  if (Major === undefined || Minor === undefined) throw nonsense('a version in Output', output);
  return { Major, Minor };
}

type Members = Readonly<Record<string, unknown>>;

/** The members of an object's document, with its id: HNS always writes it. */
function readDocument(json: string): { readonly members: Members; readonly id: Guid } {
  const members = readObject(parse(json));
  return { members, id: readId(members['ID']) ?? complain('an object with an ID', json) };
}

/** In lower case, without braces. */
function readId(value: unknown): Guid | undefined {
  return typeof value === 'string' ? /^\{?([0-9a-f-]{36})\}?$/i.exec(value)?.[1]?.toLowerCase() : undefined;
}

function readPolicy(members: Members): Policy {
  return { Type: text(members, 'Type') ?? '', Settings: readObject(members['Settings'] ?? {}) };
}

function readIpam(members: Members): Ipam {
  return { Subnets: list(members, 'Subnets', readSubnet) };
}

function readSubnet(members: Members): Subnet {
  return {
    IpAddressPrefix: text(members, 'IpAddressPrefix') ?? '',
    Policies: list(members, 'Policies', readPolicy),
    Routes: readRoutes(members),
  };
}

/** A route without a next hop leads nowhere we could name, and is left out; one without a destination leads everywhere. */
function readRoutes(members: Members): readonly Route[] {
  return list(members, 'Routes', readRoute).flatMap((route) => route ?? []);
}

function readRoute(members: Members): Route | undefined {
  const NextHop = parseAddress(text(members, 'NextHop') ?? '');
  const destination = text(members, 'DestinationPrefix') ?? '';
  if (NextHop === undefined) return undefined;
  const everywhere = everyAddress(familyOf(NextHop));
  if (['', '0.0.0.0', '::'].includes(destination)) return { NextHop, DestinationPrefix: everywhere };
  const prefix = parsePrefix(destination) ?? parsePrefix(withLength(parseAddress(destination) ?? ''));
  if (prefix === undefined) throw nonsense('a prefix in DestinationPrefix', destination);
  return { NextHop, DestinationPrefix: formatPrefix(prefix) };
}

function readIpConfig(members: Members): IpConfig {
  const IpAddress = address(members, 'IpAddress');
  const PrefixLength = number(members, 'PrefixLength');
  if (PrefixLength === undefined) return { IpAddress };
  if (parsePrefix(`${IpAddress}/${PrefixLength}`) === undefined)
    throw nonsense(`a prefix length of ${IpAddress}`, PrefixLength);
  return { IpAddress, PrefixLength };
}

function readResource(members: Members): NamespaceResource {
  const id = text(readObject(members['Data'] ?? {}), 'Id')?.toLowerCase();
  return { Type: text(members, 'Type') ?? '', Data: id === undefined ? {} : { Id: id } };
}

function readPortMapping(members: Members): LoadBalancerPortMapping {
  const distribution = number(members, 'DistributionType');
  const flags = number(members, 'Flags');
  return {
    Protocol: number(members, 'Protocol') ?? 0,
    InternalPort: number(members, 'InternalPort') ?? 0,
    ExternalPort: number(members, 'ExternalPort') ?? 0,
    ...(distribution && { DistributionType: distribution }),
    ...(flags && { Flags: flags }),
  };
}

function readDns(members: Members): Dns {
  const domain = text(members, 'Domain');
  return {
    ...(domain && { Domain: domain }),
    Search: texts(members, 'Search'),
    ServerList: texts(members, 'ServerList'),
    Options: texts(members, 'Options'),
  };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw nonsense('JSON', json);
  }
}

function readObject(value: unknown): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw nonsense('an object', value);
  return value as Members;
}

function list<T>(members: Members, key: string, read: (members: Members) => T): readonly T[] {
  const value = members[key] ?? [];
  if (!Array.isArray(value)) throw nonsense(`a list in ${key}`, value);
  return value.map((item) => read(readObject(item)));
}

function texts(members: Members, key: string): readonly string[] {
  const value = members[key] ?? [];
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string'))
    throw nonsense(`texts in ${key}`, value);
  return value;
}

function text(members: Members, key: string): string | undefined {
  const value = members[key] ?? undefined;
  if (value !== undefined && typeof value !== 'string') throw nonsense(`a text in ${key}`, value);
  return value;
}

function number(members: Members, key: string): number | undefined {
  const value = members[key] ?? undefined;
  if (value !== undefined && typeof value !== 'number') throw nonsense(`a number in ${key}`, value);
  return value;
}

/** In canonical text. */
function address(members: Members, key: string): string {
  const value = text(members, key) ?? '';
  const parsed = parseAddress(value);
  if (parsed === undefined) throw nonsense(`an address in ${key}`, value);
  return parsed;
}

function complain(expected: string, found: unknown): never {
  throw nonsense(expected, found);
}

function nonsense(expected: string, found: unknown): HcnInvalidResponse {
  return new HcnInvalidResponse(`HCN answered ${excerpt(found)} where ${expected} was expected`);
}

/** Enough of a value to recognize it by: it may be of any size and depth. */
function excerpt(found: unknown): string {
  if (Array.isArray(found)) return `a list of ${found.length}`;
  if (typeof found === 'object' && found !== null) return 'an object';
  return JSON.stringify(typeof found === 'string' ? found.slice(0, 80) : found);
}
