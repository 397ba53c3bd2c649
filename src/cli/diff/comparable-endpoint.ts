import type { Policy } from '../../hcn/documents.ts';
import type { Inventory } from '../../model/inventory.ts';
import { isPolicyOf } from '../../model/network-document.ts';
import { containersIn } from '../../model/readiness.ts';
import { familyOf, parseAddress } from '../../net/address.ts';
import { bitsOf, canonicalPrefix, parsePrefix } from '../../net/prefix.ts';
import { aclText } from '../inventory/acl-row.ts';
import type { EndpointDetail } from '../inventory/endpoint-row.ts';
import { loadBalancerRows } from '../inventory/object-rows.ts';

type Properties = Readonly<Record<string, string>>;

/** The properties that endpoints of similar pods share, most important first. Pod addresses are replaced by a placeholder. */
export interface ComparableEndpoint {
  readonly general: Properties;
  /** In the order of evaluation. */
  readonly acls: readonly string[];
  /** The other policies. */
  readonly policies: readonly Policy[];
  readonly namespace: Properties;
  readonly loadBalancers: readonly string[];
}

/** Policies that are compared as general properties. */
const generalPolicies = ['EncapOverhead', 'InterfaceParameters'];

/** The comparable properties of an endpoint. */
export function comparableEndpoint(endpoint: EndpointDetail, inventory: Inventory): ComparableEndpoint {
  const { policies, addresses } = endpoint;
  const own = addresses.map((address) => address.replace(/\/.*/, ''));
  return {
    general: generalProperties(endpoint),
    acls: formatAcls(endpoint, own),
    policies: policies
      .filter((policy) => !generalPolicies.some((type) => isPolicyOf(type, policy)))
      .map(({ Type, Settings = {} }) => ({
        Type,
        Settings: Object.fromEntries(
          Object.entries(Settings).map(([key, value]) => [key, replaceAddresses(value, own)]),
        ),
      })),
    namespace: namespaceProperties(endpoint, inventory),
    loadBalancers: loadBalancerRows(inventory)
      .filter(({ id }) => endpoint.loadBalancers.includes(id))
      .map(({ frontends, ports }) => `${joined(frontends) || 'node addresses'} ${joined(ports)}`),
  };
}

/** The properties that differ between any two endpoints. */
export function uniqueProperties(endpoint: EndpointDetail): Properties {
  const { id, name, container = '', addresses, macAddress, namespace = '' } = endpoint;
  return { endpoint: id, name, container, addresses: joined(addresses), MAC: macAddress, namespace };
}

function generalProperties(endpoint: EndpointDetail): Properties {
  const { network, owner, state, health, stale, addresses, routes, dns } = endpoint;
  return {
    network,
    owner,
    state,
    health,
    leftover: stale ?? 'no',
    families: joined([...new Set(addresses.map(familyOf))]),
    subnet: joined(
      addresses.filter((one) => parsePrefix(one) !== undefined).map((one) => canonicalPrefix(one) ?? one),
    ),
    routes: joined(routes.map(({ DestinationPrefix, NextHop }) => `${DestinationPrefix} via ${NextHop}`)),
    'DNS servers': joined(dns.ServerList),
    'DNS search': joined(dns.Search),
    'DNS domain': dns.Domain ?? '',
    'DNS options': joined(dns.Options),
    EncapOverhead: policySetting(endpoint, 'EncapOverhead', 'Overhead'),
    MTU: policySetting(endpoint, 'InterfaceParameters', 'Mtu'),
  };
}

function namespaceProperties({ namespace: id }: EndpointDetail, { namespaces }: Inventory): Properties {
  const namespace = namespaces.find(({ ID }) => ID === id);
  return {
    namespace: id === undefined ? '' : namespace === undefined ? 'gone' : (namespace.Type ?? 'Host'),
    'containers in namespace': String(containersIn(namespace).length || ''),
  };
}

function formatAcls({ acls }: EndpointDetail, own: readonly string[]): readonly string[] {
  return acls.map((acl) => {
    const localAddresses = replaceInList(acl.localAddresses, own);
    const remoteAddresses = replaceInList(acl.remoteAddresses, own);
    return aclText({ ...acl, localAddresses, remoteAddresses });
  });
}

function policySetting({ policies }: EndpointDetail, type: string, key: string): string {
  const value = policies.find((policy) => isPolicyOf(type, policy))?.Settings?.[key];
  return value === undefined ? '' : String(value);
}

function joined(texts: readonly string[] = []): string {
  return texts.join(', ');
}

/** Replaces an endpoint's own addresses in a policy setting: alone, as a prefix or in a comma-separated list. */
export function replaceAddresses(value: unknown, own: readonly string[]): unknown {
  if (typeof value === 'string') return replaceInList(value, own);
  if (Array.isArray(value)) return value.map((item) => replaceAddresses(item, own));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, replaceAddresses(member, own)]),
  );
}

function replaceInList(text: string, own: readonly string[]): string {
  return text
    .split(',')
    .map((item) => (isOwnAddress(item.trim(), own) ? '<pod address>' : item))
    .join(',');
}

function isOwnAddress(item: string, own: readonly string[]): boolean {
  const [text = '', length] = item.split('/');
  const address = parseAddress(text);
  if (address === undefined || !own.includes(address)) return false;
  return length === undefined || length === String(bitsOf(familyOf(address)));
}
