import { isObject, type JsonObject } from '../../../../src/json/members.ts';
import type { HostAdapter } from '../../../../src/net/host-adapter.ts';
import { type HresultName, hresultOf } from '../../../simulator/hresults.ts';
import { type Circumstances, type Replacement, upperCase } from './experiment.ts';

/** The numbers of calls of a function, from 1. */
type Calls = 'each' | readonly number[];

/** Replaces the responses to calls of a function. */
function answering(name: string, calls: Calls, replacement: Replacement): Circumstances {
  const isMeant = (ordinal: number) => calls === 'each' || calls.includes(ordinal);
  return { answer: (call) => (call.name === name && isMeant(call.ordinal) ? replacement : undefined) };
}

function refusing(name: string, calls: Calls, symbol: HresultName): Circumstances {
  return answering(name, calls, { hresult: hresultOf(symbol) });
}

/** Refuses the creation of endpoints whose document contains a text. */
function refusingEndpoints(text: string): Circumstances {
  const replacement = { hresult: hresultOf('E_INVALIDARG') };
  const isMeant = (name: string, document: string) => name === 'HcnCreateEndpoint' && document.includes(text);
  return { answer: ({ name, document }) => (isMeant(name, document) ? replacement : undefined) };
}

const queries = {
  network: 'HcnQueryNetworkProperties',
  endpoint: 'HcnQueryEndpointProperties',
  namespace: 'HcnQueryNamespaceProperties',
  loadBalancer: 'HcnQueryLoadBalancerProperties',
} as const;

/** Returns other documents. */
function returning(
  kind: keyof typeof queries,
  calls: Calls,
  change: (document: JsonObject) => JsonObject,
): Circumstances {
  return answering(queries[kind], calls, { change: (text) => JSON.stringify(change(JSON.parse(text))) });
}

/** Returns documents with these members too. */
function having(kind: keyof typeof queries, calls: Calls, members: JsonObject): Circumstances {
  return returning(kind, calls, (document) => ({ ...document, ...members }));
}

/** Returns documents with IDs in upper case. */
function inUpperCase(kind: keyof typeof queries, calls: Calls): Circumstances {
  return answering(queries[kind], calls, upperCase);
}

/** Returns the policies of endpoints changed. */
function withPolicies(
  calls: Calls,
  change: (policies: readonly JsonObject[]) => readonly unknown[],
): Circumstances {
  return returning('endpoint', calls, (document) => ({
    ...document,
    Policies: change(Array.isArray(document['Policies']) ? document['Policies'] : []),
  }));
}

/** Returns the settings of each policy of endpoints with these members too. */
function withSettings(calls: Calls, members: JsonObject): Circumstances {
  return withPolicies(calls, (policies) =>
    policies.map((policy) => ({ ...policy, Settings: { ...settingsOf(policy), ...members } })),
  );
}

function settingsOf({ Settings }: JsonObject): JsonObject {
  return isObject(Settings) ? Settings : {};
}

const byPriority = (one: JsonObject, other: JsonObject) =>
  Number(settingsOf(one)['Priority']) - Number(settingsOf(other)['Priority']);

/** ACLs with these priorities. */
const acls = (priorities: readonly number[]) => () =>
  priorities.map((Priority) => ({ Type: 'ACL', Settings: { Priority } }));

/** Lists the adapters with other members; undefined if one is not listed. */
function adaptersOf(change: (adapter: HostAdapter, time: number) => Partial<HostAdapter> | undefined) {
  return (usual: readonly HostAdapter[], time: number): readonly HostAdapter[] =>
    usual.flatMap((adapter) => {
      const members = change(adapter, time);
      return members === undefined ? [] : [{ ...adapter, ...members }];
    });
}

const isVirtual = ({ alias }: HostAdapter) => alias.startsWith('vEthernet');
/** Of a network that another program has created. */
const otherId = '3f1b2c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d';
const created = (Type: string): Circumstances => ({
  before: (hns) =>
    hns.create(
      'Network',
      otherId,
      JSON.stringify({ Name: 'other', Type, SchemaVersion: { Major: 2, Minor: 0 } }),
    ),
});
const port = (ExternalPort: number) => ({ Protocol: 6, InternalPort: 80, ExternalPort });
const withFlags = (...flags: readonly number[]) => ({ PortMappings: flags.map((Flags) => ({ Flags })) });

/** The HRESULTs of enumerations. */
function enumerations(kind: string, ...symbols: readonly (HresultName | 'timeout')[]): Circumstances {
  return {
    answer: ({ name, ordinal }) => {
      const symbol = name === `HcnEnumerate${kind}` ? symbols[ordinal - 1] : undefined;
      if (symbol === undefined || symbol === 'timeout') return symbol;
      return { hresult: hresultOf(symbol) };
    },
  };
}

/** How long the enumeration of this number takes, in milliseconds. */
const enumerating = (number: number, milliseconds: number): Circumstances => ({
  duration: ({ name, ordinal }) => (name === 'HcnEnumerateNetworks' && ordinal === number ? milliseconds : 0),
});

/** Replaces the responses to the opening of objects of these kinds, for example after a restart. */
function opening(
  symbol: HresultName,
  kinds: readonly string[],
  times = Number.POSITIVE_INFINITY,
): Circumstances {
  return {
    answer: ({ name, ordinal }) =>
      kinds.some((kind) => name === `HcnOpen${kind}`) && ordinal <= times
        ? { hresult: hresultOf(symbol) }
        : undefined,
  };
}

const everyKind = ['Network', 'Endpoint', 'Namespace', 'LoadBalancer'];

/** How HNS or Windows behaves, for the row of an experiment that observes it. */
export const behaviors: readonly (readonly [row: string, what: string, Circumstances])[] = [
  [
    'callerIds',
    'another process cannot open the network',
    { elsewhere: (kind) => (kind === 'Network' ? hresultOf('E_ACCESSDENIED') : undefined) },
  ],
  [
    'callerIds',
    'another process cannot open the endpoint',
    { elsewhere: (kind) => (kind === 'Endpoint' ? hresultOf('ERROR_NOT_FOUND') : undefined) },
  ],
  [
    'callerIds',
    'HNS returns the ID in upper case',
    returning('network', [1], (one) => ({ ...one, ID: String(one['ID']).toUpperCase() })),
  ],
  ['idConflict', 'HNS chooses a third ID', having('network', 'each', { ID: otherId })],
  [
    'returnedId',
    'HNS creates nothing',
    { answer: ({ name }) => (name.startsWith('HcnCreate') ? { hresult: hresultOf('E_FAIL') } : undefined) },
  ],
  [
    'returnedId',
    'HNS creates endpoints only',
    {
      answer: ({ name, document }) =>
        /CreateNamespace|CreateLoadBalancer/.test(name) || document.includes('Private')
          ? { hresult: hresultOf('E_FAIL') }
          : undefined,
    },
  ],
  [
    'concurrentNetworks',
    'HNS refuses each in another way',
    {
      answer: ({ name, position }) =>
        name === 'HcnCreateNetwork' && position < 4
          ? { hresult: hresultOf(position < 2 ? 'E_FAIL' : 'E_INVALIDARG') }
          : undefined,
    },
  ],
  ['concurrentNetworks', 'HNS refuses three', refusing('HcnCreateNetwork', [1, 2, 3], 'E_FAIL')],
  ['secondNat', 'the node has a NAT network', created('NAT')],
  [
    'secondNat',
    'HNS returns the type in lower case',
    { ...created('NAT'), ...having('network', [1], { Type: 'nat' }) },
  ],
  [
    'secondNat',
    'HNS omits the type',
    { ...created('NAT'), ...returning('network', [1], ({ Type, ...others }) => others) },
  ],
  ['secondNat', 'the node has a network of another type', created('Private')],
  [
    'secondNat',
    'the other network is deleted before it is opened',
    { ...created('NAT'), ...refusing('HcnOpenNetwork', [1], 'HCN_E_NETWORK_NOT_FOUND') },
  ],
  [
    'secondNat',
    'the other network is deleted before it is queried',
    { ...created('NAT'), ...refusing(queries.network, [1], 'HCN_E_NETWORK_NOT_FOUND') },
  ],
  [
    'secondNat',
    'the other network cannot be queried',
    { ...created('NAT'), ...refusing(queries.network, [1], 'E_ACCESSDENIED') },
  ],
  [
    'networkListing',
    'HNS lists the network after a second',
    {
      answer: ({ name, ordinal }) =>
        name === 'HcnEnumerateNetworks' && ordinal <= 4 ? { change: () => '[]' } : undefined,
    },
  ],
  [
    'networkListing',
    'HNS never lists the network',
    answering('HcnEnumerateNetworks', 'each', { change: () => '[]' }),
  ],
  [
    'networkListing',
    'HNS returns an empty text',
    answering('HcnEnumerateNetworks', [1], { change: () => '' }),
  ],
  [
    'networkListing',
    'HNS lists IDs in upper case',
    answering('HcnEnumerateNetworks', 'each', { change: (text) => text.toUpperCase() }),
  ],
  [
    'adapterRelease',
    'HNS never releases the adapter',
    refusing('HcnCreateNetwork', range(2, 200), 'HCN_E_ADAPTER_NOT_FOUND'),
  ],
  [
    'unreleasedAdapter',
    'HNS never releases the adapter',
    refusing('HcnCreateNetwork', range(2, 200), 'HCN_E_ADAPTER_NOT_FOUND'),
  ],
  [
    'unreleasedAdapter',
    'HNS releases it after another refusal',
    refusing('HcnCreateNetwork', [2, 3], 'E_FAIL'),
  ],
  ['adapterIndex', 'Windows lists no adapter', { adapters: () => [] }],
  [
    'adapterIndex',
    'the adapter gets the index 0',
    { adapters: adaptersOf((one) => ({ index: isVirtual(one) ? one.index : 0 })) },
  ],
  [
    'adapterIndex',
    'the adapter has the index 1',
    { adapters: adaptersOf((one) => ({ index: isVirtual(one) ? one.index : 1 })) },
  ],
  [
    'adapterIndex',
    'the adapter gets another index',
    { adapters: (usual) => usual.map((one) => ({ ...one, index: one.index + usual.length })) },
  ],
  [
    'virtualAdapterMac',
    'Windows lists no adapter of the switch',
    { adapters: adaptersOf((one) => (isVirtual(one) ? undefined : {})) },
  ],
  [
    'virtualAdapterMac',
    'Windows lists only the adapter of the switch',
    { adapters: adaptersOf((one) => (isVirtual(one) ? {} : undefined)) },
  ],
  [
    'virtualAdapterMac',
    'Windows lists the adapter of the switch late',
    { adapters: adaptersOf((one, time) => (isVirtual(one) && time < 600 ? undefined : {})) },
  ],
  [
    'virtualAdapterMac',
    'the adapter of the switch has another MAC address',
    { adapters: adaptersOf((one) => (isVirtual(one) ? { mac: '00-15-5D-00-00-99' } : {})) },
  ],
  [
    'virtualAdapterMac',
    'the MAC addresses differ in case',
    { adapters: adaptersOf((one) => (isVirtual(one) ? { mac: one.mac?.toLowerCase() } : {})) },
  ],
  ['providerInterface', 'the network has no ProviderAddress', having('network', 'each', { Policies: [] })],
  [
    'providerInterface',
    'HNS returns the ProviderAddress late',
    having('network', [1, 2, 3], { Policies: [] }),
  ],
  ['providerInterface', 'Windows never lists the interface', { adapters: () => [] }],
  [
    'providerInterface',
    'Windows lists the interface late',
    { adapters: (usual, time) => (time < 1000 ? [] : usual) },
  ],
  ['managementIpL2Bridge', 'HNS returns the address late', having('network', [2, 3], { ManagementIP: '' })],
  ['managementIpL2Bridge', 'HNS never returns an address', having('network', 'each', { ManagementIP: 7 })],
  [
    'providerAddress',
    'HNS returns an address that it chose itself',
    having('network', 'each', {
      Policies: [{ Type: 'ProviderAddress', Settings: { ProviderAddress: '169.254.1.2' } }],
    }),
  ],
  [
    'managementIpL2Tunnel',
    'HNS releases the adapter before the last attempt',
    refusing('HcnCreateNetwork', range(1, 20), 'HCN_E_ADAPTER_NOT_FOUND'),
  ],
  [
    'managementIpL2Tunnel',
    'HNS does not release the adapter',
    refusing('HcnCreateNetwork', 'each', 'HCN_E_ADAPTER_NOT_FOUND'),
  ],
  ['attachTwice', 'HNS returns the IDs of endpoints in upper case', inUpperCase('endpoint', [1])],
  [
    'drMacAddress',
    'HNS returns the policy twice, in lower case',
    having('network', 'each', {
      Policies: [
        { Type: 'drmacaddress', Settings: { Address: '00-15-5D-00-00-01' } },
        { Type: 'DrMacAddress' },
      ],
    }),
  ],
  [
    'namespaceInEndpoint',
    'HNS returns an empty list of resources',
    {
      ...having('namespace', [2], { Resources: [] }),
      options: { switches: { namespaceInEndpoint: 'ignored' } },
    },
  ],
  ['defaultMembers', 'HNS returns a default value', having('endpoint', 'each', { Flags: 0 })],
  [
    'returnedQOS',
    'HNS returns something else among the policies',
    withPolicies('each', (policies) => [null, ...policies]),
  ],
  ['returnedQOS', 'HNS adds a member', withSettings('each', { Added: 1 })],
  [
    'schemaVersion',
    'HNS returns no minor version',
    having('network', 'each', { SchemaVersion: { Major: 2 } }),
  ],
  [
    'schemaVersion',
    'HNS returns version 2.5',
    having('network', 'each', { SchemaVersion: { Major: 2, Minor: 5 } }),
  ],
  ['schemaVersion', 'HNS returns a text', having('network', 'each', { SchemaVersion: '2.0' })],
  [
    'guidCase',
    'HNS returns one ID with braces',
    returning('endpoint', [2], (one) => ({ ...one, HostComputeNetwork: `{${one['HostComputeNetwork']}}` })),
  ],
  ['typeCase', 'HNS returns the type as sent', having('network', [2], { Type: 'private' })],
  [
    'otherNetworkInEndpoint',
    'HNS uses the network of the document',
    { ...inDocument('HostComputeNetwork'), options: { switches: { otherNetworkInEndpoint: 'ignored' } } },
  ],
  [
    'namespaceInEndpoint',
    'HNS stores the namespace only',
    { ...inDocument('HostComputeNamespace'), options: { switches: { namespaceInEndpoint: 'ignored' } } },
  ],
  [
    'simultaneousEndpoints',
    'HNS refuses both in other ways',
    {
      answer: ({ name, ordinal }) =>
        name === 'HcnCreateEndpoint'
          ? { hresult: hresultOf(ordinal === 1 ? 'E_FAIL' : 'E_INVALIDARG') }
          : undefined,
    },
  ],
  ['endpointState', 'HNS omits the state', returning('endpoint', 'each', ({ State, ...others }) => others)],
  ['endpointHealth', 'HNS omits the code at times', having('endpoint', [2, 4], { Health: {} })],
  ['endpointHealth', 'HNS always omits the code', having('endpoint', 'each', { Health: { Data: {} } })],
  ['endpointHealth', 'HNS omits the health', having('endpoint', 'each', { Health: null })],
  ['exhaustedSubnet', 'HNS accepts every endpoint', answering('HcnCreateEndpoint', 'each', 'accepted')],
  ['emptyIpConfigurations', 'HNS returns no list', having('endpoint', 'each', { IpConfigurations: 'none' })],
  ['secondAddressOfFamily', 'HNS refuses two addresses', refusing('HcnCreateEndpoint', [1], 'E_FAIL')],
  [
    'secondAddressOfFamily',
    'HNS keeps one address',
    having('endpoint', 'each', { IpConfigurations: [{ IpAddress: '198.19.1.31' }] }),
  ],
  [
    'secondAddressOfFamily',
    'HNS adds an address',
    having('endpoint', 'each', { IpConfigurations: [{}, {}, {}] }),
  ],
  [
    'earlyStaticAddress',
    'HNS refuses three times',
    refusing('HcnCreateEndpoint', [1, 2, 3], 'HCN_E_INVALID_IP'),
  ],
  [
    'earlyStaticAddress',
    'HNS refuses until the last attempt',
    refusing('HcnCreateEndpoint', range(1, 20), 'HCN_E_INVALID_IP'),
  ],
  ['remoteName', 'HNS replaces the name', having('endpoint', [2], { Name: 'Remote' })],
  ['remoteName', 'HNS removes the name', returning('endpoint', [2], ({ Name, ...others }) => others)],
  ['hcsshimMembers', 'HNS returns the member in another case', withSettings('each', { OUTBOUNDNAT: true })],
  ['hcsshimMembers', 'HNS returns another value', withSettings('each', { OutboundNAT: false })],
  ['unknownSettings', 'HNS keeps the member', withSettings('each', { ProbeMember: 'kept' })],
  ['unknownSettings', 'HNS keeps the member in another case', withSettings('each', { probemember: 'kept' })],
  ['unknownSettings', 'HNS returns another value', withSettings('each', { ProbeMember: 'KEPT' })],
  [
    'policyUpdate',
    'HNS keeps all policies',
    withPolicies([2], (policies) => [...acls([100])(), ...policies]),
  ],
  ['policyUpdate', 'HNS returns no QOS policy at first', withPolicies([1], () => acls([100])())],
  [
    'addPolicyLater',
    'HNS returns the type in another case',
    withPolicies('each', (policies) =>
      policies.map((one) => ({ ...one, Type: String(one['Type']).toUpperCase() })),
    ),
  ],
  ['policyTypeCase', 'HNS returns the type as sent', withPolicies('each', () => [{ Type: 'qos' }])],
  ['policyTypeCase', 'HNS returns a third spelling', withPolicies('each', () => [{ Type: 'Qos' }])],
  ['policyTypeCase', 'HNS returns other policies', withPolicies('each', () => [{ Type: 'ACL' }])],
  ['policyTypeCase', 'HNS refuses the spelling', refusingEndpoints('"qos"')],
  ['policyValueCase', 'HNS returns the value as sent', withSettings('each', { Action: 'block' })],
  ['policyValueCase', 'HNS returns a third spelling', withSettings('each', { Action: 'BLOCK' })],
  ['policyValueCase', 'HNS returns no value', withPolicies('each', acls([100]))],
  ['policyValueCase', 'HNS refuses the spelling', refusingEndpoints('"block"')],
  ['firewallMembers', 'HNS refuses the first form', refusingEndpoints('VmCreatorId')],
  ['firewallMembers', 'HNS refuses the second form', refusingEndpoints('VmType')],
  ['firewallMembers', 'HNS drops all members', withPolicies('each', () => [{ Type: 'Firewall' }])],
  [
    'firewallMembers',
    'HNS returns the second of two policies',
    withPolicies('each', (policies) => [{ Type: 'Firewall' }, ...policies]),
  ],
  [
    'returnedACL',
    'HNS returns a second policy',
    withPolicies('each', (policies) => [...acls([7])(), ...policies]),
  ],
  [
    'returnedACL',
    'HNS returns two other policies',
    withPolicies('each', ([one = {}]) => [
      { ...one, Settings: { ...settingsOf(one), Priority: 7, Action: 'Allow' } },
      { ...one, Settings: { ...settingsOf(one), Priority: 8 } },
    ]),
  ],
  [
    'returnedTierAcl',
    'HNS changes the order of members',
    withPolicies('each', (policies) =>
      policies.map((one) => ({ ...one, Settings: reversed(settingsOf(one)) })),
    ),
  ],
  ['aclWithoutPriority', 'HNS adds a priority', withSettings('each', { Priority: 65_500 })],
  ['aclWithoutDirection', 'HNS refuses every ACL', refusingEndpoints('"ACL"')],
  ['aclOrder', 'HNS reverses ACLs', withPolicies('each', (policies) => policies.toReversed())],
  ['aclOrder', 'HNS reverses some ACLs', withPolicies([2], (policies) => policies.toReversed())],
  ['aclOrder', 'HNS sorts ACLs', withPolicies('each', (policies) => policies.toSorted(byPriority))],
  ['aclOrder', 'HNS sorts some ACLs', withPolicies([2], (policies) => policies.toSorted(byPriority))],
  ['aclOrder', 'HNS changes priorities', withPolicies([1], acls([3000, 10, 200]))],
  ['aclOrder', 'HNS refuses several ACLs', refusingEndpoints('"Priority":300')],
  ['aclOrder', 'HNS refuses every ACL', refusingEndpoints('"ACL"')],
  [
    'aclTies',
    'HNS sorts ACLs',
    withPolicies('each', (policies) =>
      policies.toSorted((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other))),
    ),
  ],
  ['spacesInLists', 'HNS removes spaces', withSettings('each', { RemotePorts: '80,443' })],
  ['spacesInLists', 'HNS refuses spaces', refusingEndpoints('80, 443')],
  ['spacesInLists', 'HNS refuses ports', refusingEndpoints('RemotePorts')],
  ['mappedAddresses', 'HNS converts the address', withSettings('each', { RemoteAddresses: '198.19.0.9' })],
  ['mappedAddresses', 'HNS refuses the address', refusingEndpoints('::ffff:')],
  ['mappedAddresses', 'HNS refuses addresses', refusingEndpoints('RemoteAddresses')],
  ['hostBitsInExceptions', 'HNS refuses exceptions', refusingEndpoints('Exceptions')],
  ['mixedExceptions', 'HNS refuses IPv4 exceptions', refusingEndpoints('172.17.0.0')],
  ['mixedExceptions', 'HNS refuses IPv6 exceptions', refusingEndpoints('fd00::')],
  ['ipv6PortMapping', 'HNS refuses the flag', refusingEndpoints('Flags')],
  ['ipv6PortMapping', 'HNS refuses port mappings', refusingEndpoints('PortMapping')],
  ['policyWithoutSettings', 'HNS refuses OutBoundNAT', refusingEndpoints('OutBoundNAT')],
  [
    'policiesWrittenBack',
    'HNS changes the order of exceptions',
    withPolicies('each', (policies) =>
      policies.map((one) => ({
        ...one,
        Settings: { Exceptions: Object.values(settingsOf(one)).flat().toReversed() },
      })),
    ),
  ],
  ['policiesWrittenBack', 'HNS keeps one policy', withPolicies('each', (policies) => policies.slice(1))],
  [
    'addedExceptions',
    'HNS adds an exception to each policy',
    withSettings('each', { Exceptions: ['172.17.0.0/16', '198.19.0.0/16'] }),
  ],
  [
    'addedExceptions',
    'HNS adds an exception if there are others',
    withSettings([2], { Exceptions: ['10.0.0.0/8', '172.17.0.0/16'] }),
  ],
  ['namespaceType', 'HNS returns another type', having('namespace', 'each', { Type: 'Guest' })],
  [
    'compartmentAfterAttach',
    'HNS omits the compartment',
    returning('namespace', 'each', ({ NamespaceId, ...others }) => others),
  ],
  [
    'namespaceV1Members',
    'HNS omits two members',
    returning('namespace', [2], ({ IsDefault, ResourceList, ...others }) => others),
  ],
  [
    'namespaceWithEndpoint',
    'HNS deletes the endpoint',
    refusing(queries.endpoint, [2], 'HCN_E_ENDPOINT_NOT_FOUND'),
  ],
  [
    'namespaceWithEndpoint',
    'HNS omits the namespace',
    returning('endpoint', [2], ({ HostComputeNamespace, ...others }) => others),
  ],
  [
    'detachedNamespace',
    'HNS omits the namespace',
    returning('endpoint', 'each', ({ HostComputeNamespace, ...others }) => others),
  ],
  [
    'attachedEndpointDeletion',
    'HNS refuses the deletion',
    refusing('HcnDeleteEndpoint', [1], 'HCN_E_REQUEST_UNSUPPORTED'),
  ],
  ['attachedEndpointDeletion', 'the deletion hangs', answering('HcnDeleteEndpoint', [1], 'timeout')],
  ['detachedEndpointDeletion', 'the deletion hangs', answering('HcnDeleteEndpoint', [1], 'timeout')],
  [
    'namespaceAfterDeletion',
    'HNS refuses the deletion',
    refusing('HcnDeleteEndpoint', [1], 'HCN_E_REQUEST_UNSUPPORTED'),
  ],
  ['namespaceAfterDeletion', 'the deletion hangs', answering('HcnDeleteEndpoint', [1], 'timeout')],
  ['namespaceAfterDeletion', 'HNS returns no list', having('namespace', [2], { Resources: 'none' })],
  ['detachedEndpointDeletion', 'HNS still lists the endpoint', having('namespace', [2], { Resources: [{}] })],
  [
    'isDefaultFilter',
    'HNS lists no namespace',
    answering('HcnEnumerateNamespaces', 'each', { change: () => '[]' }),
  ],
  [
    'isDefaultFilter',
    'HNS lists two namespaces',
    answering('HcnEnumerateNamespaces', 'each', {
      change: (text) => JSON.stringify([...JSON.parse(text), ...JSON.parse(text)]),
    }),
  ],
  ['isDefaultFilter', 'HNS returns another type', having('namespace', 'each', { Type: 'Host' })],
  [
    'isDefaultFilter',
    'HNS returns the type in lower case',
    having('namespace', 'each', { Type: 'hostdefault' }),
  ],
  ['hostAttach', 'the namespace has another compartment', having('namespace', [1], { NamespaceId: 2 })],
  [
    'hostAttach',
    'HNS attaches it after two refusals',
    refusing('HcnModifyNamespace', [1, 2], 'ERROR_WRONG_DISK'),
  ],
  ['hostDefaultRoute', 'HNS adds no route', { adapters: adaptersOf(() => ({ gateways: [] })) }],
  [
    'hostDefaultRoute',
    'Windows lists the route late',
    { adapters: adaptersOf((_, time) => (time < 1200 ? { gateways: [] } : {})) },
  ],
  [
    'hostDefaultRoute',
    'Windows lists the interface late',
    { adapters: (usual, time) => (time < 1200 ? [] : usual) },
  ],
  ['hostDefaultRoute', 'Windows never lists the interface', { adapters: () => [] }],
  [
    'hostDefaultRoute',
    'Windows lists two gateways',
    {
      adapters: adaptersOf(({ gateways }) => ({ gateways: gateways.flatMap((one) => [one, '198.19.9.9']) })),
    },
  ],
  [
    'hostDefaultRoute',
    'HNS refuses the endpoint',
    refusing('HcnModifyNamespace', 'each', 'ERROR_WRONG_DISK'),
  ],
  ['filterDrivers', 'there is no filter', { powershell: 'Ethernet\r\n  Wi-Fi  \r\n\r\nLoopback-0001\r\n' }],
  [
    'filterDrivers',
    'a filter is listed',
    { powershell: 'Wi-Fi\nEthernet\nEthernet-WFP Native MAC Layer LightWeight Filter-0000\n' },
  ],
  [
    'filterDrivers',
    'an alias ends like that of a filter',
    { powershell: 'Ethernet\nEthernet 2-0000\nMy Ethernet-0000\nEthernet-0000 x\nEthernet-000\n' },
  ],
  [
    'modifyLoadBalancer',
    'HNS has the new port first',
    having('loadBalancer', [2], { PortMappings: [port(81), port(80)] }),
  ],
  [
    'modifyLoadBalancer',
    'HNS has the old port first',
    having('loadBalancer', [2], { PortMappings: [port(80), port(81)] }),
  ],
  [
    'modifyLoadBalancer',
    'HNS returns no list of ports',
    having('loadBalancer', [2], { PortMappings: 'none' }),
  ],
  ['endpointOfLoadBalancer', 'HNS returns IDs in upper case', inUpperCase('loadBalancer', [2])],
  [
    'endpointOfLoadBalancer',
    'HNS deletes the load balancer',
    refusing(queries.loadBalancer, [2], 'HCN_E_POLICY_NOT_FOUND'),
  ],
  ['loadBalancerDefaults', 'HNS adds a source VIP', having('loadBalancer', [2], { SourceVIP: '198.19.1.2' })],
  ['loadBalancerDefaults', 'HNS adds flags', having('loadBalancer', [2], { Flags: 1 })],
  ['loadBalancerDefaults', 'HNS adds flags to a port', having('loadBalancer', [2], withFlags(0, 4))],
  [
    'loadBalancerDefaults',
    'HNS returns defaults',
    having('loadBalancer', [2], { SourceVIP: '', Flags: 0, ...withFlags(0) }),
  ],
  ['loadBalancerDefaults', 'HNS returns no ports', having('loadBalancer', [2], { PortMappings: 'none' })],
  [
    'loadBalancerIdReuse',
    'HNS chooses the IDs of load balancers',
    having('loadBalancer', [1], { ID: otherId }),
  ],
  ...['Network', 'Endpoint', 'Namespace', 'LoadBalancer'].map(
    (kind) =>
      [
        `modifyDeleted${kind}`,
        'HNS does not implement the call',
        refusing(`HcnModify${kind}`, 'each', 'E_NOTIMPL'),
      ] as const,
  ),
  [
    'openMissingNetwork',
    'HNS returns a code without symbol',
    answering('HcnOpenNetwork', [1], { hresult: 0x8123_4567 }),
  ],
  ['enumerationUnderLoad', 'an enumeration takes 999 ms', enumerating(2, 999)],
  ['enumerationUnderLoad', 'an enumeration takes a second', enumerating(2, 1000)],
  ['enumerationUnderLoad', 'an enumeration takes 9999.4 ms', enumerating(1, 9999.4)],
  ['enumerationUnderLoad', 'an enumeration takes 10 s', enumerating(3, 10_000)],
  [
    'callsDuringRestart',
    'HNS is away',
    enumerations('Networks', 'RPC_S_SERVER_UNAVAILABLE', 'RPC_S_CALL_FAILED', 'RPC_S_SERVER_UNAVAILABLE'),
  ],
  ['callsDuringRestart', 'a call hangs', enumerations('Networks', 'timeout')],
  [
    'callsDuringRestart',
    'a call fails otherwise',
    enumerations('Networks', 'RPC_S_SERVER_UNAVAILABLE', 'E_FAIL'),
  ],
  ['objectsAfterRestart', 'HNS loses all objects', opening('ERROR_NOT_FOUND', everyKind)],
  [
    'objectsAfterRestart',
    'HNS loses some objects',
    opening('ERROR_NOT_FOUND', ['Namespace', 'LoadBalancer']),
  ],
  [
    'objectsAfterRestart',
    'HNS unloads some objects',
    opening('HCN_E_OBJECT_USED_AFTER_UNLOAD', ['Endpoint']),
  ],
  [
    'objectsAfterRestart',
    'HNS finds the load balancer late',
    opening('HCN_E_POLICY_NOT_FOUND', ['LoadBalancer'], 3),
  ],
  ['objectsAfterRestart', 'HNS refuses an object at first', opening('E_ACCESSDENIED', ['Network'], 2)],
  ['objectsAfterRestart', 'HNS refuses an object', opening('E_ACCESSDENIED', ['Network'])],
  [
    'objectsAfterRestart',
    'HNS refuses one object and has lost another',
    {
      answer: ({ name }) =>
        name === 'HcnOpenNetwork'
          ? { hresult: hresultOf('E_ACCESSDENIED') }
          : name === 'HcnOpenEndpoint'
            ? { hresult: hresultOf('ERROR_NOT_FOUND') }
            : undefined,
    },
  ],
  ['objectsAfterRestart', 'HNS creates no load balancer', refusing('HcnCreateLoadBalancer', [1], 'E_FAIL')],
];

function range(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function reversed(value: JsonObject): JsonObject {
  const inner = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(inner);
    return isObject(one) ? reversed(one) : one;
  };
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, one]) => [name, inner(one)]),
  );
}

/** Returns the member of an endpoint's document as it was sent, in upper case. */
function inDocument(member: string): Circumstances {
  let sent = '';
  return {
    answer: ({ name, document }) => {
      if (name === 'HcnCreateEndpoint') sent = String(JSON.parse(document)[member]).toUpperCase();
      if (name !== queries.endpoint) return undefined;
      return { change: (text) => JSON.stringify({ ...JSON.parse(text), [member]: sent }) };
    },
  };
}
