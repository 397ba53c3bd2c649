import type { Guid } from '../../hcn/guid.ts';
import { isObject } from '../../json/members.ts';
import { parseAddress } from '../../net/address.ts';
import { parseMac } from '../../net/mac.ts';
import { zeroGuid } from './documents.ts';
import type { CallRecord } from './hcn-calls.ts';
import { isProbeId, isProbeName } from './names.ts';
import type { Report } from './report.ts';

const guid = /\{?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\}?/gi;

/** The words of HNS that win-hcn expects, by the member that has them. https://learn.microsoft.com/virtualization/api/hcn/hns_schema */
const words: Readonly<Record<string, string>> = {
  Type:
    'Private NAT Internal L2Bridge L2Tunnel Overlay Transparent ICS Static DHCP Host HostDefault Guest GuestDefault Container Endpoint ' +
    'PortMapping ACL QOS L2Driver OutBoundNAT SDNRoute L4Proxy L4WFPPROXY ProviderAddress PortName EncapOverhead InterfaceConstraint ' +
    'Encryption VLAN VSID InterfaceParameters Iov TierAcl VmNic Firewall SourceMacAddress NetAdapterName VSwitchExtension DrMacAddress ' +
    'AutomaticDNS RemoteSubnetRoute VxlanPort HostRoute SetPolicy LayerConstraint NetworkACL NeighborDiscovery',
  Action: 'Allow Block Pass',
  Direction: 'In Out',
  RuleType: 'Host Switch',
};

/** Documented members. https://learn.microsoft.com/virtualization/api/hcn/hns_schema */
const documented: ReadonlySet<string> = new Set(
  (
    'ID Name Type HostComputeNetwork HostComputeNamespace MacAddress IpAddress IpAddressPrefix NextHop DestinationPrefix Domain ' +
    'StartMacAddress EndMacAddress SourceVIP NetworkAdapterName ProviderAddress Address Action Direction RuleType Protocols ' +
    'LocalAddresses RemoteAddresses LocalPorts RemotePorts VirtualIP Id ManagementIP Error Flags Metric PrefixLength State ' +
    'NamespaceId Major Minor LastErrorCode IsolationId Overhead Priority Protocol InternalPort ExternalPort DistributionType ' +
    'MaximumOutgoingBandwidthInBytes Port ErrorCode NeedEncap Success Policies Ipams Subnets Routes IpConfigurations Ranges ' +
    'Search ServerList Options Resources HostComputeEndpoints FrontendVIPs PortMappings Exceptions Destinations Dns MacPool ' +
    'Health SchemaVersion Settings Data Extra'
  )
    .toLowerCase()
    .split(' '),
);

/** Members by name with a text, in lower case. */
const known = new Set(
  Object.entries(words).flatMap(([name, texts]) => texts.split(' ').map((text) => pair(name, text))),
);

/**
 * A report without the node's addresses, names and IDs. All texts are win-hcn's own except those of documents: a document keeps the
 * members that win-hcn knows, and of their texts those that the probe sent in the same member and words of HNS.
 */
export function anonymized(report: Report): Report {
  const { rows, remaining } = report;
  const sent = new Set(known);
  for (const { calls = [] } of rows) for (const call of calls) collectSent(call.sent, sent);
  return {
    ...report,
    rows: rows.map(({ calls, ...row }) => ({
      ...row,
      ...(calls !== undefined && { calls: calls.map((call) => anonymizedCall(call, sent)) }),
    })),
    remaining: remaining.map((text) => text.replaceAll(guid, anonymizedId)),
  };
}

function anonymizedId(id: Guid): string {
  return isProbeId(id) || id === zeroGuid ? id : '<id>';
}

function pair(name: string, text = ''): string {
  return `${name} ${text}`.toLowerCase();
}

/** The members that the probe sent, and their texts, but for the name of the adapter. */
function collectSent(value: unknown, sent: Set<string>, name = ''): void {
  sent.add(pair(name));
  if (typeof value === 'string' && name !== 'NetworkAdapterName') sent.add(pair(name, value));
  if (Array.isArray(value)) for (const one of value) collectSent(one, sent, name);
  else if (isObject(value)) for (const [key, member] of Object.entries(value)) collectSent(member, sent, key);
}

function anonymizedCall({ id, sent, returned, ...call }: CallRecord, known: ReadonlySet<string>): CallRecord {
  return {
    ...call,
    ...(id !== undefined && { id: anonymizedId(id) }),
    ...(sent !== undefined && { sent: anonymizedValue(sent, '', known) }),
    ...(returned !== undefined && { returned: anonymizedValue(returned, '', known) }),
  };
}

function anonymizedValue(value: unknown, name: string, sent: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return anonymizedText(value, name, sent);
  // A number may be an address.
  if (typeof value === 'number' && !isKnownMember(name, sent)) return '<number>';
  if (Array.isArray(value)) return value.map((one) => anonymizedValue(one, name, sent));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([key, member], index) => [
    isKnownMember(key, sent) ? key : `<key ${index + 1}>`,
    anonymizedValue(member, key, sent),
  ]);
  return Object.fromEntries(members);
}

function isKnownMember(name: string, sent: ReadonlySet<string>): boolean {
  return name !== '' && (documented.has(name.toLowerCase()) || sent.has(pair(name)));
}

function anonymizedText(text: string, name: string, sent: ReadonlySet<string>): string {
  if (text.search(guid) === 0 && text.replace(guid, '') === '') return anonymizedId(text);
  const isProtocols = name === 'Protocols' && /^[\d,]+$/.test(text);
  if (text === '' || isProtocols || isProbeName(text) || sent.has(pair(name, text))) return text;
  if (parseMac(text) !== undefined) return '<MAC>';
  const [address = ''] = text.split('/');
  return parseAddress(address) === undefined ? '<text>' : '<address>';
}
