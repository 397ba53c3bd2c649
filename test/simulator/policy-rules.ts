// Rules for the values in policy settings that the schema cannot express: addresses, prefixes, ports.

import { parseAddress, parsePrefix } from './addresses.ts';
import { HnsError } from './hresults.ts';
import { isMacAddress } from './mac-pool.ts';
import type { Json, JsonObject, Release } from './schema/validate.ts';

type Rule = (value: Json, release: Release) => boolean;

const address: Rule = (value) => parseAddress(String(value)) !== undefined;
const prefix: Rule = (value) => parsePrefix(String(value)) !== undefined;
const macAddress: Rule = (value) => isMacAddress(String(value));
const between =
  (least: number, most: number): Rule =>
  (value) =>
    typeof value === 'number' && value >= least && value <= most;
const port: Rule = (value) => /^\d{1,5}$/.test(String(value)) && Number(value) >= 1 && Number(value) <= 65535;
const addressOrPrefix: Rule = (value, release) => address(value, release) || prefix(value, release);
/** A range starts with the lower port [I]. */
const portOrRange: Rule = (value, release) => {
  const [first, last = first] = String(value).split('-');
  return (
    String(value).split('-').length <= 2 && each('-', port)(value, release) && Number(first) <= Number(last)
  );
};
/** 256 means any protocol. */
const protocol: Rule = (value) => /^\d{1,3}$/.test(String(value)) && Number(value) <= 256;
const everyItem =
  (rule: Rule): Rule =>
  (value, release) =>
    Array.isArray(value) && value.every((item: Json) => rule(item, release));
/** HNS 13.3 refuses 172.17.0.1/16 (hcsshim#1951). */
const natException: Rule = (value, release) => {
  const hostBits = parsePrefix(String(value))?.hasHostBits === true;
  return (
    addressOrPrefix(value, release) && !(hostBits && release.switches.hostBitsInExceptions === 'refused')
  );
};

function each(separator: string, rule: Rule): Rule {
  return (value, release) =>
    String(value)
      .split(separator)
      .every((item) => rule(item.trim(), release));
}

/** HNS expects "2 different lists, one per IP family" (AgentBaker#3049). */
const oneFamily: Rule = (value, release) => {
  const texts = Array.isArray(value) ? value.map(String) : [];
  const hasIPv6 = texts.some((text) => text.includes(':'));
  const isMixed = hasIPv6 && !texts.every((text) => text.includes(':'));
  return !isMixed || release.switches.mixedExceptions === 'accepted';
};
const both =
  (one: Rule, other: Rule): Rule =>
  (value, release) =>
    one(value, release) && other(value, release);

const fiveTuple: Readonly<Record<string, Rule>> = {
  Protocols: each(',', protocol),
  LocalAddresses: each(',', addressOrPrefix),
  RemoteAddresses: each(',', addressOrPrefix),
  LocalPorts: each(',', portOrRange),
  RemotePorts: each(',', portOrRange),
};
const providerAddress = { ProviderAddress: address };
const l4Proxy = {
  IP: each(',', addressOrPrefix),
  Port: each(',', portOrRange),
  ExceptionList: everyItem(addressOrPrefix),
};
/** LocalRoutedVip, IPv6, ExternalPortReserved. */
const natFlags = between(0, 7);
const virtualSubnet = between(4096, 0xff_ffff);
const proxyExceptions: Rule = (value, release) =>
  holds(
    { IpAddressExceptions: everyItem(addressOrPrefix), PortExceptions: everyItem(portOrRange) },
    value as JsonObject,
    release,
  );

const rules: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  ACL: fiveTuple,
  NetworkACL: fiveTuple,
  TierAcl: { TierAclRules: everyItem((rule, release) => holds(fiveTuple, rule as JsonObject, release)) },
  OutBoundNAT: {
    VirtualIP: address,
    Exceptions: both(everyItem(natException), oneFamily),
    Destinations: both(everyItem(addressOrPrefix), oneFamily),
    Flags: natFlags,
  },
  PortMapping: { VIP: address, Protocol: (value) => value === 6 || value === 17, Flags: natFlags },
  SDNRoute: { DestinationPrefix: prefix, NextHop: address },
  ProviderAddress: providerAddress,
  SourceMacAddress: { SourceMacAddress: macAddress },
  DrMacAddress: { Address: macAddress },
  RemoteSubnetRoute: {
    DestinationPrefix: prefix,
    IsolationId: virtualSubnet,
    ...providerAddress,
    DistributedRouterMacAddress: macAddress,
  },
  NeighborDiscovery: { TargetIpPrefix: prefix, SenderIpAddress: address, SenderMacAddress: macAddress },
  L4Proxy: l4Proxy,
  L4WFPPROXY: {
    InboundProxyPort: port,
    OutboundProxyPort: port,
    FilterTuple: (value, release) => holds(fiveTuple, value as JsonObject, release),
    InboundExceptions: proxyExceptions,
    OutboundExceptions: proxyExceptions,
  },
  VxlanPort: { Port: port },
  VSID: { IsolationId: virtualSubnet },
  VLAN: { IsolationId: between(1, 4094) },
};

export function checkPolicy(type: string, settings: JsonObject, release: Release): void {
  if (!holds(rules[type] ?? {}, settings, release)) throw new HnsError('HCN_E_INVALID_POLICY');
  if (type === 'Firewall' && !isFirewall(settings)) throw new HnsError('HCN_E_INVALID_POLICY');
  if (type === 'PortMapping' && !settings['Protocol']) throw new HnsError('HCN_E_INVALID_POLICY');
  if (type === 'PortMapping' && !settings['InternalPort']) throw new HnsError('HCN_E_INVALID_INTERNAL_PORT');
}

/** Accepts the members of HNS.Schema.rs and those of the official schema, which differ. */
function isFirewall(settings: JsonObject): boolean {
  const given = (name: string) => settings[name] !== undefined;
  return given('VmType') || (given('VmCreatorId') && given('PolicyFlags'));
}

/** Absent and empty members are valid. */
function holds(members: Readonly<Record<string, Rule>>, settings: JsonObject, release: Release): boolean {
  return Object.entries(members).every(([name, rule]) => {
    const value = settings[name];
    return value === undefined || value === '' || rule(value, release);
  });
}
