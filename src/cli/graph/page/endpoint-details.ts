import type { AclRow } from '../../inventory/acl-row.ts';
import { addressPortText, dnsText, shortGuid } from '../../inventory/short-text.ts';
import type { GraphData, GraphEndpoint } from '../graph-data.ts';
import { absenceOf, frontendText } from '../presentation.ts';
import { element, facts, fixText, linkButton, linkItem, policyList, titledList } from './elements.ts';
import type { Condition } from './filter.ts';
import { type Fix, healthFix, leftoverFix } from './problems.ts';

/** The data that `win-hcn show` prints about an endpoint. */
export function endpointDetails(endpoint: GraphEndpoint, graph: GraphData): readonly Node[] {
  const { id, health, stale, remote, owner, namespace, acls, policies } = endpoint;
  const show: Fix = { command: `win-hcn show endpoint ${shortGuid(id)}`, effect: 'shows the current state.' };
  return [
    ...(health === 'ok' ? [] : [alert('error', `HNS reports ${health}. `, healthFix(endpoint))]),
    ...(stale === undefined ? [] : [alert('stale', `Leftover: ${stale}. `, leftoverFix(endpoint))]),
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
      'on node': endpoint.providerAddress,
      routes: endpoint.routes
        .map(({ DestinationPrefix, NextHop }) => `${DestinationPrefix} via ${NextHop}`)
        .join(', '),
      DNS: dnsText(endpoint.dns),
      name: endpoint.name,
      id,
    }),
    ...titledList(
      'load balancers',
      endpoint.loadBalancers.map((one) => loadBalancerItem(one, graph)),
    ),
    ...(remote ? [] : aclTable(acls)),
    ...policyList('other policies', policies),
    element('p', 'hint fix', ...fixText(show)),
  ];
}

function alert(condition: Condition, text: string, fix: Fix | undefined): HTMLElement {
  return element('p', { class: 'alert', 'data-condition': condition }, text, ...(fix ? fixText(fix) : []));
}

function networkText({ networkId, network }: GraphEndpoint, graph: GraphData): HTMLElement | string {
  return graph.networks.some(({ id }) => id === networkId)
    ? linkButton({ kind: 'network', id: networkId }, network)
    : `${networkId} (${absenceOf(networkId, graph)})`;
}

function namespaceText(id: string, graph: GraphData): HTMLElement | string {
  return graph.namespaces.some((one) => one.id === id)
    ? linkButton({ kind: 'namespace', id }, id)
    : `${id} (${absenceOf(id, graph)})`;
}

function loadBalancerItem(id: string, { loadBalancers }: GraphData): HTMLElement {
  const found = loadBalancers.find((one) => one.id === id);
  const text = found ? `${frontendText(found.frontends)} ${found.ports.join(', ')}` : shortGuid(id);
  return linkItem({ kind: 'load balancer', id }, text);
}

function aclTable(acls: readonly AclRow[]): readonly Node[] {
  const title = element('h3', '', 'ACLs');
  if (acls.length === 0) return [title, element('p', 'none', 'none, so HNS blocks nothing')];
  const cells = (tag: 'th' | 'td', texts: readonly string[]) => texts.map((text) => element(tag, '', text));
  const rows = acls.map((acl) =>
    element(
      'tr',
      { 'data-action': acl.action, class: acl.hidden ? 'hidden-rule' : undefined },
      ...cells('td', [
        acl.direction,
        acl.hidden ? 'HNS default' : String(acl.priority ?? '-'),
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
    element('p', 'hint', 'The first match decides. No document contains the HNS default.'),
    element('table', '', element('thead', '', element('tr', '', ...head)), element('tbody', '', ...rows)),
  ];
}
