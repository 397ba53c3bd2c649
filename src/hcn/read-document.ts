import { type JsonFormat, type Members, parseJson, readMembers } from '../json/members.ts';
import { familyOf, isUnspecified, parseAddress } from '../net/address.ts';
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
import type { Kind } from './library.ts';

/**
 * Reads the members of a network's document that win-hcn uses. HNS omits members with default values. Like all functions here it
 * throws HcnInvalidResponse for a document without an id or with a member of the wrong type.
 */
export function readNetwork(json: string): ObservedNetwork {
  const { members, id } = readDocument<'Network'>(json);
  return {
    ID: id,
    Name: members.find('Name', 'a string') ?? '',
    Type: members.find('Type', 'a string') ?? 'NAT',
    Policies: members.findList('Policies', readPolicy),
    Ipams: members.findList('Ipams', readIpam),
    SchemaVersion: schemaVersion,
  };
}

/** The ManagementIP of a network in HNS's older form. */
export function readManagementAddress(json: string): string | undefined {
  return readMembers(parse(json), '', hcnDocument).find('ManagementIP', 'a string');
}

export function readEndpoint(json: string): ObservedEndpoint {
  const { members, id } = readDocument<'Endpoint'>(json);
  return {
    ID: id,
    Name: members.find('Name', 'a string') ?? '',
    HostComputeNetwork: members.find('HostComputeNetwork', 'a string')?.toLowerCase() ?? '',
    HostComputeNamespace: members.find('HostComputeNamespace', 'a string')?.toLowerCase() ?? '',
    MacAddress: members.find('MacAddress', 'a string') ?? '',
    Policies: members.findList('Policies', readPolicy),
    IpConfigurations: members.findList('IpConfigurations', readIpConfig),
    Routes: readRoutes(members),
    Dns: readDns(members.object('Dns')),
    Flags: members.find('Flags', 'a number') ?? 0,
    Health: {
      Data: { LastErrorCode: members.object('Health').object('Data').find('LastErrorCode', 'a number') ?? 0 },
    },
    State: members.find('State', 'a number') ?? 0,
    SchemaVersion: schemaVersion,
  };
}

export function readNamespace(json: string): HostComputeNamespace {
  const { members, id } = readDocument<'Namespace'>(json);
  return {
    ID: id,
    NamespaceId: members.find('NamespaceId', 'a number') ?? 0,
    Type: members.find('Type', 'a string') ?? 'Host',
    Resources: members.findList('Resources', readResource),
    SchemaVersion: schemaVersion,
  };
}

export function readLoadBalancer(json: string): ObservedLoadBalancer {
  const { members, id } = readDocument<'LoadBalancer'>(json);
  const sourceVip = members.find('SourceVIP', 'a string');
  const vips = members.find('FrontendVIPs', 'a list of strings') ?? [];
  const flags = members.find('Flags', 'a number');
  return {
    ID: id,
    HostComputeEndpoints: (members.find('HostComputeEndpoints', 'a list of strings') ?? []).map((id) =>
      id.toLowerCase(),
    ),
    ...(sourceVip && { SourceVIP: parseAddress(sourceVip) ?? sourceVip }),
    ...(vips.length > 0 && { FrontendVIPs: vips.map((vip) => parseAddress(vip) ?? vip) }),
    PortMappings: members.findList('PortMappings', readPortMapping),
    ...(flags && { Flags: flags }),
    SchemaVersion: schemaVersion,
  };
}

/** Reads the ids that an enumeration returned; null is an empty list. */
export function readIds<K extends Kind>(json: string): readonly Guid<K>[] {
  const value = parse(json) ?? [];
  if (!Array.isArray(value)) throw hcnDocument.refuse('', value, 'a list of ids');
  return value.map((item, index) => {
    const id = readId<K>(item);
    if (id === undefined) throw hcnDocument.refuse(`[${index}]`, item, 'an id');
    return id;
  });
}

/** Reads HNS's version from a response of HNSCall; undefined for a failure, which old builds return with S_OK. */
export function readVersion(json: string): HnsVersion | undefined {
  const members = readMembers(parse(json), '', hcnDocument);
  if (members.json['Success'] === false) return undefined;
  const output = members.object('Output');
  return { Major: output.read('Major', 'a number'), Minor: output.read('Minor', 'a number') };
}

/** The members of an object's document, and its id, which HNS always writes. */
function readDocument<K extends Kind>(json: string): { readonly members: Members; readonly id: Guid<K> } {
  const members = readMembers(parse(json), '', hcnDocument);
  const id = readId<K>(members.json['ID']);
  if (id === undefined) throw members.refusal('ID', 'an id');
  return { members, id };
}

/** In lower case, without braces. */
function readId<K extends Kind>(value: unknown): Guid<K> | undefined {
  return typeof value === 'string' ? /^\{?([0-9a-f-]{36})\}?$/i.exec(value)?.[1]?.toLowerCase() : undefined;
}

function readPolicy(members: Members): Policy {
  return {
    Type: members.find('Type', 'a string') ?? '',
    Settings: members.find('Settings', 'an object') ?? {},
  };
}

function readIpam(members: Members): Ipam {
  return { Subnets: members.findList('Subnets', readSubnet) };
}

function readSubnet(members: Members): Subnet {
  return {
    IpAddressPrefix: members.find('IpAddressPrefix', 'a string') ?? '',
    Policies: members.findList('Policies', readPolicy),
    Routes: readRoutes(members),
  };
}

/** Leaves out routes without a next hop, and default routes through 0.0.0.0 or ::. A route without a destination is a default route. */
function readRoutes(members: Members): readonly Route[] {
  return members.findList('Routes', readRoute).flatMap((route) => route ?? []);
}

function readRoute(members: Members): Route | undefined {
  const NextHop = parseAddress(members.find('NextHop', 'a string') ?? '');
  const destination = members.find('DestinationPrefix', 'a string') ?? '';
  if (NextHop === undefined) return undefined;
  const isDefault = ['', '0.0.0.0', '::'].includes(destination);
  const text = isDefault ? everyAddress(familyOf(NextHop)) : destination;
  const prefix = parsePrefix(text) ?? parsePrefix(withLength(parseAddress(text) ?? ''));
  if (prefix === undefined) throw members.refusal('DestinationPrefix', 'a prefix');
  return prefix.length === 0 && isUnspecified(NextHop)
    ? undefined
    : { NextHop, DestinationPrefix: formatPrefix(prefix) };
}

function readIpConfig(members: Members): IpConfig {
  const IpAddress = address(members, 'IpAddress');
  const length = members.find('PrefixLength', 'a number') ?? 0;
  if (length === 0) return { IpAddress };
  const given = members.read('IpAddress', 'a string');
  const prefix = parsePrefix(`${given}/${length}`) ?? parsePrefix(`${IpAddress}/${length}`);
  if (prefix === undefined) throw members.refusal('PrefixLength', `a prefix length of ${IpAddress}`);
  return { IpAddress, PrefixLength: prefix.length };
}

function readResource(members: Members): NamespaceResource {
  const id = members.object('Data').find('Id', 'a string')?.toLowerCase();
  return { Type: members.find('Type', 'a string') ?? '', Data: id === undefined ? {} : { Id: id } };
}

function readPortMapping(members: Members): LoadBalancerPortMapping {
  const distribution = members.find('DistributionType', 'a number');
  const flags = members.find('Flags', 'a number');
  return {
    Protocol: members.find('Protocol', 'a number') ?? 0,
    InternalPort: members.find('InternalPort', 'a number') ?? 0,
    ExternalPort: members.find('ExternalPort', 'a number') ?? 0,
    ...(distribution && { DistributionType: distribution }),
    ...(flags && { Flags: flags }),
  };
}

function readDns(members: Members): Dns {
  const domain = members.find('Domain', 'a string');
  return {
    ...(domain && { Domain: domain }),
    Search: members.find('Search', 'a list of strings') ?? [],
    ServerList: members.find('ServerList', 'a list of strings') ?? [],
    Options: members.find('Options', 'a list of strings') ?? [],
  };
}

function parse(json: string): unknown {
  try {
    return parseJson(json);
  } catch {
    throw hcnDocument.refuse('', json, 'JSON');
  }
}

/** In canonical text. */
function address(members: Members, key: string): string {
  const parsed = parseAddress(members.find(key, 'a string') ?? '');
  if (parsed === undefined) throw members.refusal(key, 'an IP address');
  return parsed;
}

const hcnDocument: JsonFormat = {
  refuse: (path, found, expected) =>
    new HcnInvalidResponse(
      `HCN returned ${excerpt(found)}${path === '' ? '' : ` for ${path}`}, expected ${expected}`,
    ),
};

/** A value, shortened: it may be of any size and depth. */
function excerpt(found: unknown): string {
  if (found === undefined) return 'nothing';
  if (Array.isArray(found)) return `a list of ${found.length}`;
  if (typeof found === 'object' && found !== null) return 'an object';
  return JSON.stringify(typeof found === 'string' ? found.slice(0, 80) : found);
}
