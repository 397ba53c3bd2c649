import { shortGuid } from '../../inventory/short-text.ts';
import type { GraphData } from '../graph-data.ts';
import { frontendText, namespaceTypeText, subnetTexts } from '../presentation.ts';
import { element, endpointItem, facts, policyList, titledList } from './elements.ts';
import { endpointDetails } from './endpoint-details.ts';
import type { ObjectRef } from './object-links.ts';
import { overview } from './overview.ts';

/** All data of the selected object; without a selection, an overview of problems. */
export function details(graph: GraphData, selected: ObjectRef | undefined): readonly Node[] {
  const data = selected && objectDetails(graph, selected);
  return data ? [detailsTitle(selected), ...data] : overview(graph);
}

function detailsTitle({ kind, id }: ObjectRef): HTMLElement {
  const close = { type: 'button', class: 'close', 'data-select': '', 'aria-keyshortcuts': 'Escape' };
  return element('h2', {}, `${kind} `, element('code', {}, shortGuid(id)), element('button', close, 'close'));
}

function objectDetails(graph: GraphData, { kind, id }: ObjectRef): readonly Node[] | undefined {
  switch (kind) {
    case 'endpoint': {
      const endpoint = graph.endpoints.find((one) => one.id === id);
      return endpoint && endpointDetails(endpoint, graph);
    }
    case 'network': {
      const network = graph.networks.find((one) => one.id === id);
      return network && networkDetails(network);
    }
    case 'namespace': {
      const namespace = graph.namespaces.find((one) => one.id === id);
      return namespace && namespaceDetails(namespace, graph);
    }
    case 'load balancer': {
      const loadBalancer = graph.loadBalancers.find((one) => one.id === id);
      return loadBalancer && loadBalancerDetails(loadBalancer, graph);
    }
  }
}

function networkDetails(network: GraphData['networks'][number]): readonly Node[] {
  const { id, name, type, adapter, providerAddress, ready, owner, policies, endpoints, remoteEndpoints } =
    network;
  return [
    facts({
      name,
      id,
      type,
      subnets: subnetTexts(network).join(', '),
      adapter,
      'provider address': providerAddress,
      ready: ready ? 'yes' : 'no: no provider address from HNS yet',
      owner,
      endpoints: `${endpoints} on this node, ${remoteEndpoints} remote`,
    }),
    ...policyList('policies', policies),
  ];
}

function namespaceDetails(namespace: GraphData['namespaces'][number], graph: GraphData): readonly Node[] {
  const { id, type, compartment, containers, endpoints } = namespace;
  return [
    facts({
      id,
      type: namespaceTypeText(type),
      compartment: compartment === 0 ? undefined : String(compartment),
      containers: containers.join(', ') || 'none',
    }),
    ...titledList(
      'endpoints',
      endpoints.map((endpoint) => endpointItem(endpoint.id, graph)),
    ),
  ];
}

function loadBalancerDetails(
  loadBalancer: GraphData['loadBalancers'][number],
  graph: GraphData,
): readonly Node[] {
  const { id, frontends, ports, sourceVIP, options, owner, backends } = loadBalancer;
  return [
    facts({
      id,
      frontends: frontendText(frontends),
      ports: ports.join(', '),
      'source VIP': sourceVIP,
      options: options.join(', '),
      owner,
    }),
    ...titledList(
      'backends',
      backends.map((backend) => endpointItem(backend.id, graph)),
    ),
  ];
}
