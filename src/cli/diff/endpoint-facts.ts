import type { Inventory } from '../../model/inventory.ts';
import { isPolicyOf } from '../../model/network-document.ts';
import { containersIn } from '../../model/readiness.ts';
import { familyOf } from '../../net/address.ts';
import { canonicalPrefix, parsePrefix } from '../../net/prefix.ts';
import type { EndpointDetail } from '../inventory/endpoint-row.ts';
import { describeTuple } from '../inventory/five-tuple.ts';
import { loadBalancerRows } from '../inventory/load-balancer-row.ts';
import { textWithoutOwn } from './own-addresses.ts';

/** Types of policies that are facts of their own. */
export const policiesWithFacts = ['EncapOverhead', 'InterfaceParameters'];

/** What two endpoints of pods that work alike have alike, in the order in which it matters: before their ACLs. */
export function factsBeforeAcls(endpoint: EndpointDetail): Readonly<Record<string, string>> {
  const { network, owner, state, health, stale, addresses, routes, dns } = endpoint;
  return {
    network,
    'made by': owner,
    state,
    health,
    leftover: stale ?? 'no',
    families: listed([...new Set(addresses.map(familyOf))]),
    subnet: listed(
      addresses.filter((one) => parsePrefix(one) !== undefined).map((one) => canonicalPrefix(one) ?? one),
    ),
    routes: listed(routes.map(({ DestinationPrefix, NextHop }) => `${DestinationPrefix} via ${NextHop}`)),
    'DNS servers': listed(dns.ServerList),
    'DNS search': listed(dns.Search),
    'DNS domain': dns.Domain ?? '',
    'DNS options': listed(dns.Options),
    EncapOverhead: settingOf(endpoint, 'EncapOverhead', 'Overhead'),
    MTU: settingOf(endpoint, 'InterfaceParameters', 'Mtu'),
  };
}

/** The same of what comes after their policies. */
export function factsAfterPolicies(
  { namespace: id, loadBalancers: ids }: EndpointDetail,
  inventory: Inventory,
): { readonly namespace: string; readonly containers: string; readonly loadBalancers: readonly string[] } {
  const namespace = inventory.namespaces.find(({ ID }) => ID === id);
  const loadBalancers = loadBalancerRows(inventory)
    .filter((row) => ids.includes(row.id))
    .map(({ frontends, ports }) => `${listed(frontends) || "the node's addresses"} ${listed(ports)}`);
  return {
    namespace: id === undefined ? '' : namespace === undefined ? 'gone' : (namespace.Type ?? 'Host'),
    containers: String(containersIn(namespace).length || ''),
    loadBalancers,
  };
}

/** What no two endpoints have alike. */
export function ownFacts(endpoint: EndpointDetail): Readonly<Record<string, string>> {
  const { id, name, container = '', addresses, macAddress, namespace = '' } = endpoint;
  return { endpoint: id, name, container, addresses: listed(addresses), MAC: macAddress, namespace };
}

/** The ACLs in the order in which they count, a text each. */
export function aclTexts({ acls, addresses }: EndpointDetail): readonly string[] {
  const own = addresses.map((address) => address.replace(/\/.*/, ''));
  return acls.map((acl) => {
    const localAddresses = textWithoutOwn(acl.localAddresses, own);
    const remoteAddresses = textWithoutOwn(acl.remoteAddresses, own);
    const place = acl.priority === undefined ? acl.direction : `${acl.direction} ${acl.priority}`;
    const type = acl.hidden ? "HNS's own" : (acl.ruleType ?? 'no RuleType');
    return `${place} ${acl.action}: ${describeTuple({ ...acl, localAddresses, remoteAddresses })} (${type})`;
  });
}

function settingOf({ policies }: EndpointDetail, type: string, member: string): string {
  const value = policies.find((policy) => isPolicyOf(type, policy))?.Settings?.[member];
  return value === undefined ? '' : String(value);
}

function listed(texts: readonly string[] = []): string {
  return texts.join(', ');
}
