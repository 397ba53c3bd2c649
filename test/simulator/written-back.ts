// V2 documents as a query returns them, where it is uncertain how HNS writes them.

import { isObject, type Json, type JsonObject } from './schema/validate.ts';
import type { EndpointObject, HnsObject, NetworkObject, State } from './state.ts';
import { documentV2 } from './v2.ts';

/** Counts the query of an endpoint whose addresses show later. */
export function writtenBack(state: State, object: HnsObject): JsonObject {
  const { memberTypes, resourceId } = state.release.switches;
  const document = writtenByKind(state, object);
  const types = memberTypes === 'other' ? withTexts(document) : document;
  return object.kind === 'Namespace' ? withUpperCaseIds(types, resourceId) : types;
}

function writtenByKind(state: State, object: HnsObject): JsonObject {
  const document = documentV2(state, object);
  switch (object.kind) {
    case 'Network':
      return network(state, object, document);
    case 'Endpoint':
      return endpoint(state, object, document);
    default:
      return document;
  }
}

function network(state: State, object: NetworkObject, document: JsonObject): JsonObject {
  const { natVlan, adapterName } = state.release.switches;
  const hasVlan = natVlan === 'shown' && object.isolation > 0;
  return {
    ...document,
    ...(adapterName === 'vEthernet' && { Policies: list(document['Policies']).map(withSwitchAdapter) }),
    ...(hasVlan && { Ipams: list(document['Ipams']).map((ipam) => withVlan(ipam, object.isolation)) }),
  };
}

function withSwitchAdapter(policy: JsonObject): JsonObject {
  const { NetworkAdapterName: name } = isObject(policy['Settings']) ? policy['Settings'] : {};
  return policy['Type'] === 'NetAdapterName'
    ? { ...policy, Settings: { NetworkAdapterName: `vEthernet (${name})` } }
    : policy;
}

/** V1 documents of NAT networks show VLAN 1 (docker-netrestore, calico#8465) [O]; that V2 documents do is inferred [I]. */
function withVlan(ipam: JsonObject, IsolationId: number): JsonObject {
  const vlan = { Type: 'VLAN', Settings: { IsolationId } };
  const Subnets = list(ipam['Subnets']).map((subnet) => ({
    ...subnet,
    Policies: [...list(subnet['Policies']), vlan],
  }));
  return { ...ipam, Subnets };
}

function endpoint(state: State, object: EndpointObject, document: JsonObject): JsonObject {
  const { policiesWrittenBack } = state.release.switches;
  const { IpConfigurations: _, ...withoutAddress } = document;
  const shown = object.withoutAddress > 0 ? withoutAddress : document;
  object.withoutAddress = Math.max(0, object.withoutAddress - 1);
  const policies = list(shown['Policies']);
  switch (policiesWrittenBack) {
    case 'merged':
      return withPolicies(shown, merged(policies));
    case 'coalesced ACLs':
      return withPolicies(shown, withoutOthers(policies, 'ACL'));
    default:
      return shown;
  }
}

function withPolicies({ Policies: _, ...document }: JsonObject, policies: readonly JsonObject[]): JsonObject {
  return { ...document, ...(policies.length > 0 && { Policies: policies }) };
}

/** One OutBoundNAT policy, with the settings of the first and the lists of all, and no EncapOverhead. */
function merged(policies: readonly JsonObject[]): readonly JsonObject[] {
  const all = policies.filter((policy) => policy['Type'] === 'OutBoundNAT');
  return withoutOthers(policies, 'OutBoundNAT')
    .filter((policy) => policy['Type'] !== 'EncapOverhead')
    .map((policy) => (policy === all[0] ? { ...policy, Settings: united(all) } : policy));
}

/** The policies without those of a type except the first. */
function withoutOthers(policies: readonly JsonObject[], type: string): readonly JsonObject[] {
  const [, ...others] = policies.filter((policy) => policy['Type'] === type);
  return policies.filter((policy) => !others.includes(policy));
}

function united(policies: readonly JsonObject[]): JsonObject {
  const settings = policies.map(({ Settings }) => (isObject(Settings) ? Settings : {}));
  const lists = ['Exceptions', 'Destinations'].flatMap((name): [string, Json][] => {
    const items = [...new Set(settings.flatMap((one) => list(one[name])))];
    return items.length > 0 ? [[name, items]] : [];
  });
  return { ...settings[0], ...Object.fromEntries(lists) };
}

/** hcsshim reads Health.Data as any, Settings as they are, and never State (`hcn/hcnendpoint.go`) [S]. */
function withTexts(document: JsonObject): JsonObject {
  return {
    ...document,
    Flags: '0',
    Health: { Data: '', Extra: '' },
    State: 'Created',
    ...(Object.keys(document['Dns'] ?? {}).length === 0 && { Dns: '' }),
    Policies: [...list(document['Policies']), { Type: 'Unknown', Settings: '' }],
    ...(document['NamespaceId'] !== undefined && { NamespaceId: String(document['NamespaceId']) }),
  };
}

/** HNS writes the ids of endpoints in upper case here (windows-container-networking `plugin_testing.go`) [S]. */
function withUpperCaseIds(document: JsonObject, member: 'Id' | 'ID'): JsonObject {
  const resources = list(document['Resources']).map(({ Type = '', Data }) => {
    const id = isObject(Data) ? String(Data['Id'] ?? '') : '';
    return { Type, Data: { [member]: Type === 'Endpoint' ? id.toUpperCase() : id } };
  });
  return { ...document, ...(resources.length > 0 && { Resources: resources }) };
}

function list(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly JsonObject[]) : [];
}
