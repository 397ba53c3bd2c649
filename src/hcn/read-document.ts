import { type Members, readMembers } from '../json/members.ts';
import { familyOf, isLinkLocal, isUnspecified, parseAddress } from '../net/address.ts';
import { everyAddress, formatPrefix, parsePrefix, withLength } from '../net/prefix.ts';
import { guidText, hcnDocument, ignoring, parseText, readDocument, readId } from './document-members.ts';
import {
  type Dns,
  type HnsVersion,
  type HostComputeLoadBalancer,
  type HostComputeNamespace,
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
import type { Guid, Kind } from './guid.ts';

/**
 * Reads the members of a network's document that win-hcn uses. HNS omits members with default values. Like all functions here it
 * throws HcnInvalidResponse for text that is no document with an id, and for a member of the wrong type on which a deletion or the use of a
 * network depends. Any other member that cannot be read counts as absent: no request must fail because of a member that it does not need.
 */
export function readNetwork(json: string): ObservedNetwork {
  const { members, id } = readDocument<'Network'>(json);
  members.findExactly('Ipams', 'a list');
  return {
    ID: id,
    Name: members.findExactly('Name', 'a string') ?? '',
    Type: members.findExactly('Type', 'a string') ?? 'NAT',
    Policies: members.findList('Policies', readPolicy),
    Ipams: members.findList('Ipams', (ipam) => ({ Subnets: ipam.findList('Subnets', readSubnet) })),
    SchemaVersion: schemaVersion,
  };
}

/** The ManagementIP of a network in HNS's older form. */
export function readManagementAddress(json: string): string | undefined {
  return readMembers(parseText(json), '', ignoring).find('ManagementIP', 'a string');
}

/** Reads an endpoint that HCN returned. Throws HcnInvalidResponse if a needed member cannot be read. */
export function readEndpoint(json: string): ObservedEndpoint {
  const { members, id } = readDocument<'Endpoint'>(json);
  return {
    ID: id,
    Name: members.find('Name', 'a string') ?? '',
    HostComputeNetwork: guidText(members.find('HostComputeNetwork', 'a string')),
    HostComputeNamespace: guidText(members.findExactly('HostComputeNamespace', 'a string')),
    MacAddress: members.find('MacAddress', 'a string') ?? '',
    Policies: members.findList('Policies', readPolicy),
    IpConfigurations: readIpConfigs(members),
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

/** Reads a namespace that HCN returned. Throws HcnInvalidResponse if a needed member cannot be read. */
export function readNamespace(json: string): HostComputeNamespace {
  const { members, id } = readDocument<'Namespace'>(json);
  members.findExactly('Resources', 'a list');
  return {
    ID: id,
    NamespaceId: members.find('NamespaceId', 'a number') ?? 0,
    Type: members.find('Type', 'a string') ?? 'Host',
    Resources: members.findList('Resources', readResource),
    SchemaVersion: schemaVersion,
  };
}

/** Reads a load balancer that HCN returned. Throws HcnInvalidResponse if a needed member cannot be read. */
export function readLoadBalancer(json: string): ObservedLoadBalancer {
  const { members, id } = readDocument<'LoadBalancer'>(json);
  return { ID: id, ...loadBalancerDocument(members) };
}

/** Reads the members of a load balancer's document, without its ID. */
export function loadBalancerDocument(members: Members): HostComputeLoadBalancer {
  const sourceVip = members.find('SourceVIP', 'a string');
  const vips = members.find('FrontendVIPs', 'a list of strings') ?? [];
  const flags = members.find('Flags', 'a number');
  return {
    HostComputeEndpoints: (members.findExactly('HostComputeEndpoints', 'a list of strings') ?? []).map(
      guidText,
    ),
    ...(sourceVip && { SourceVIP: parseAddress(sourceVip) ?? sourceVip }),
    ...(vips.length > 0 && { FrontendVIPs: vips.map((vip) => parseAddress(vip) ?? vip) }),
    PortMappings: members.findList('PortMappings', readPortMapping),
    ...(flags && { Flags: flags }),
    SchemaVersion: schemaVersion,
  };
}

/** Reads the ids that an enumeration returned, without duplicates; null is an empty list. */
export function readIds<K extends Kind>(json: string): readonly Guid<K>[] {
  const value = parseText(json) ?? [];
  if (!Array.isArray(value)) throw hcnDocument.refuse('', value, 'a list of ids');
  const ids = value.map((item, index) => {
    const id = readId<K>(item);
    if (id === undefined) throw hcnDocument.refuse(`[${index}]`, item, 'an id');
    return id;
  });
  return [...new Set(ids)];
}

/** Reads HNS's version from a response of HNSCall; undefined for a failure, which old builds return with S_OK. */
export function readVersion(json: string): HnsVersion | undefined {
  const members = readMembers(parseText(json), '', hcnDocument);
  if (members.json['Success'] === false) return undefined;
  const output = members.object('Output');
  return { Major: output.read('Major', 'a number'), Minor: output.read('Minor', 'a number') };
}

function readPolicy(members: Members): Policy {
  return {
    Type: members.find('Type', 'a string') ?? '',
    Settings: members.find('Settings', 'an object') ?? {},
  };
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
  if (prefix === undefined) return members.reject('DestinationPrefix', 'a prefix');
  return prefix.length === 0 && isUnspecified(NextHop)
    ? undefined
    : { NextHop, DestinationPrefix: formatPrefix(prefix) };
}

/** Leaves out link-local addresses, which Windows may add, if the endpoint has another one. */
function readIpConfigs(members: Members): readonly IpConfig[] {
  const all = members.findList('IpConfigurations', readIpConfig).flatMap((config) => config ?? []);
  const routable = all.filter(({ IpAddress }) => !isLinkLocal(IpAddress));
  return routable.length > 0 ? routable : all;
}

/** An endpoint that waits for DHCP has an empty or unspecified address. */
function readIpConfig(members: Members): IpConfig | undefined {
  const given = members.find('IpAddress', 'a string') ?? '';
  const IpAddress = parseAddress(given);
  if (IpAddress === undefined) return given === '' ? undefined : members.reject('IpAddress', 'an IP address');
  if (isUnspecified(IpAddress)) return undefined;
  const length = members.find('PrefixLength', 'a number') ?? 0;
  if (length === 0) return { IpAddress };
  const prefix = parsePrefix(`${given}/${length}`) ?? parsePrefix(`${IpAddress}/${length}`);
  if (prefix !== undefined) return { IpAddress, PrefixLength: prefix.length };
  members.reject('PrefixLength', `a prefix length of ${IpAddress}`);
  return { IpAddress };
}

/** HNS may write the id as `Id` or `ID`. */
function readResource(members: Members): NamespaceResource {
  const data = members.object('Data');
  const id = data.find('Id', 'a string') ?? data.find('ID', 'a string');
  return { Type: members.find('Type', 'a string') ?? '', Data: id === undefined ? {} : { Id: guidText(id) } };
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
