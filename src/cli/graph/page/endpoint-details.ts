import { podOf } from '../../inventory/namespace-pods.ts';
import { dnsText } from '../../inventory/setting-text.ts';
import { shortGuid } from '../../terminal/short-text.ts';
import type { GraphEndpoint } from '../graph-data.ts';
import { aclTable } from './acl-table.ts';
import {
  element,
  endpointItem,
  facts,
  fixText,
  linkButton,
  linkItem,
  policyList,
  titledList,
} from './elements.ts';
import type { Condition } from './filter.ts';
import { namespaceNeighbors } from './links.ts';
import type { PageGraph } from './page-graph.ts';
import { absenceOf, namespaceTypeText } from './presentation.ts';
import { type Fix, healthFix, leftoverFix } from './problems.ts';

/** The data that `win-hcn show` prints about an endpoint. */
export function endpointDetails(endpoint: GraphEndpoint, graph: PageGraph): readonly Node[] {
  const { id, health, stale, remote, owner, namespace, acls, policies } = endpoint;
  const neighbors = namespaceNeighbors(graph, id);
  const show: Fix = { command: `win-hcn show endpoint ${shortGuid(id)}`, effect: 'shows the current state.' };
  return [
    ...(health === 'ok' ? [] : [alert('error', `HNS reports ${health}. `, healthFix(endpoint))]),
    ...(stale === undefined ? [] : [alert('leftover', `Leftover: ${stale}. `, leftoverFix(endpoint))]),
    facts({
      addresses: endpoint.addresses.join(', ') || 'none',
      MAC: endpoint.macAddress,
      container: endpoint.container,
      interface: endpoint.interface,
      network: networkText(endpoint, graph),
      namespace: namespaceText(namespace, graph),
      'other containers': otherContainers(endpoint, graph),
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
    ...(neighbors.length === 0
      ? []
      : titledList(
          'also in this namespace',
          neighbors.map((neighbor) => endpointItem(neighbor.id, graph)),
        )),
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

function networkText({ networkId, network }: GraphEndpoint, graph: PageGraph): HTMLElement | string {
  return graph.networks.some(({ id }) => id === networkId)
    ? linkButton({ kind: 'network', id: networkId }, network)
    : `${networkId} (${absenceOf(networkId, graph)})`;
}

function namespaceText(id: string | undefined, graph: PageGraph): string {
  if (id === undefined) return 'none';
  const namespace = graph.namespaces.find((one) => one.id === id);
  if (namespace === undefined) return `${id} (${absenceOf(id, graph)})`;
  const { type, compartment } = namespace;
  return [
    id,
    type === 'Host' ? '' : namespaceTypeText(type),
    compartment === 0 ? '' : `compartment\u00a0${compartment}`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** The pods or containers in the namespace of an endpoint, other than its own container. */
function otherContainers({ namespace, container }: GraphEndpoint, { namespaces }: PageGraph): string {
  const { containers = [], pods } = namespaces.find(({ id }) => id === namespace) ?? {};
  const others = containers.filter((id) => id !== container);
  return others.map((id) => podOf(id, pods) ?? id).join(', ');
}

function loadBalancerItem(id: string, { loadBalancers }: PageGraph): HTMLElement {
  const found = loadBalancers.find((one) => one.id === id);
  return linkItem({ kind: 'load balancer', id }, found?.title ?? shortGuid(id), found?.ports.join(', '));
}
