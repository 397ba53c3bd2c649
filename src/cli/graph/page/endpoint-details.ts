import type { AclRow } from '../../inventory/acl-row.ts';
import { addressPortText, dnsText, shortGuid } from '../../inventory/short-text.ts';
import type { GraphData, GraphEndpoint } from '../graph-data.ts';
import { absenceOf, frontendText } from '../labels.ts';
import { facts, linkTo, list, policyList, remedyHint } from './detail-parts.ts';
import { element } from './element.ts';
import type { Condition } from './matching.ts';
import { keyOf, type Picked } from './picked.ts';
import { healthRemedy, type Remedy, staleRemedy } from './problems.ts';

/** An endpoint as `win-hcn show` has it. */
export function endpointDetails(endpoint: GraphEndpoint, graph: GraphData): readonly Node[] {
  const { id, health, stale, remote, owner, namespace, acls, policies } = endpoint;
  return [
    ...(health === 'ok' ? [] : [alert('error', `HNS reports ${health}. `, healthRemedy(endpoint))]),
    ...(stale === undefined ? [] : [alert('stale', `A leftover: ${stale}. `, staleRemedy(endpoint))]),
    facts({
      addresses: endpoint.addresses.join(', ') || 'none',
      MAC: endpoint.macAddress,
      container: endpoint.container,
      interface: endpoint.interface,
      network: networkText(endpoint, graph),
      namespace: namespace === undefined ? 'none' : namespaceText(namespace, graph),
      state: endpoint.state,
      health,
      owner: remote ? `${owner} (remote)` : owner,
      'on the node': endpoint.providerAddress,
      routes: endpoint.routes
        .map(({ DestinationPrefix, NextHop }) => `${DestinationPrefix} via ${NextHop}`)
        .join(', '),
      DNS: dnsText(endpoint.dns),
      name: endpoint.name,
      id,
    }),
    ...list(
      'load balancers',
      endpoint.loadBalancers.map((one) => loadBalancerLink(one, graph)),
    ),
    ...(remote ? [] : aclTable(acls)),
    ...policyList('other policies', policies),
    remedyHint({ command: `win-hcn show endpoint ${shortGuid(id)}`, does: 'shows it as it is now.' }),
  ];
}

function alert(condition: Condition, text: string, remedy: Remedy | undefined): HTMLElement {
  const next = remedy ? [element('code', {}, remedy.command), ` ${remedy.does}`] : [];
  return element('p', { class: 'alert', 'data-condition': condition }, text, ...next);
}

function inline(picked: Picked, text: string): HTMLElement {
  return element('button', { type: 'button', class: 'link', 'data-pick': keyOf(picked) }, text);
}

function networkText({ networkId, network }: GraphEndpoint, graph: GraphData): HTMLElement | string {
  return graph.networks.some(({ id }) => id === networkId)
    ? inline({ kind: 'network', id: networkId }, network)
    : `${networkId} (${absenceOf(networkId, graph)})`;
}

function namespaceText(id: string, graph: GraphData): HTMLElement | string {
  return graph.namespaces.some((one) => one.id === id)
    ? inline({ kind: 'namespace', id }, id)
    : `${id} (${absenceOf(id, graph)})`;
}

function loadBalancerLink(id: string, { loadBalancers }: GraphData): HTMLElement {
  const found = loadBalancers.find((one) => one.id === id);
  const text = found ? `${frontendText(found.frontends)} ${found.ports.join(', ')}` : shortGuid(id);
  return linkTo({ kind: 'load balancer', id }, text);
}

function aclTable(acls: readonly AclRow[]): readonly Node[] {
  const title = element('h3', {}, 'ACLs');
  if (acls.length === 0) return [title, element('p', { class: 'none' }, 'none, so HNS blocks nothing')];
  const cells = (tag: 'th' | 'td', texts: readonly string[]) => texts.map((text) => element(tag, {}, text));
  const rows = acls.map((acl) =>
    element(
      'tr',
      { 'data-action': acl.action, class: acl.hidden ? 'hidden-rule' : undefined },
      ...cells('td', [
        acl.direction,
        acl.hidden ? "HNS's own" : String(acl.priority ?? '-'),
        acl.ruleType === undefined || acl.ruleType === 'Switch'
          ? acl.action
          : `${acl.action} (${acl.ruleType})`,
        acl.protocols,
        addressPortText(acl.localAddresses, acl.localPorts),
        addressPortText(acl.remoteAddresses, acl.remotePorts),
      ]),
    ),
  );
  const head = cells('th', ['direction', 'priority', 'action', 'protocols', 'local', 'remote']);
  return [
    title,
    element('p', { class: 'hint' }, "The first that matches decides. HNS's own are in no document."),
    element('table', {}, element('thead', {}, element('tr', {}, ...head)), element('tbody', {}, ...rows)),
  ];
}
