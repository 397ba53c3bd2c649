import { element, endpointItem, facts, policyList, titledList } from './elements.ts';
import { endpointDetails } from './endpoint-details.ts';
import { endpointTexts } from './endpoint-name.ts';
import type { ObjectRef } from './links.ts';
import { overview } from './overview.ts';
import type { PageGraph, ShownLoadBalancer } from './page-graph.ts';
import { frontendText, subnetTexts } from './presentation.ts';

/** All data of the selected object; without a selection, an overview of problems. */
export function details(graph: PageGraph, selected: ObjectRef | undefined): readonly Node[] {
  return (selected && objectDetails(graph, selected)) ?? overview(graph);
}

function objectDetails(graph: PageGraph, { kind, id }: ObjectRef): readonly Node[] | undefined {
  const detailsIn = <Row extends { readonly id: string }>(
    rows: readonly Row[],
    nameOf: (row: Row) => string,
    detailsOf: (row: Row, graph: PageGraph) => readonly Node[],
  ) => {
    const row = rows.find((one) => one.id === id);
    return row && [title(kind, nameOf(row)), ...detailsOf(row, graph)];
  };
  switch (kind) {
    case 'endpoint':
      return detailsIn(graph.endpoints, (row) => endpointTexts(row).name, endpointDetails);
    case 'network':
      return detailsIn(graph.networks, ({ name }) => name, networkDetails);
    case 'load balancer':
      return detailsIn(graph.loadBalancers, (row) => row.title, loadBalancerDetails);
  }
}

function title(kind: ObjectRef['kind'], name: string): HTMLElement {
  const close = { type: 'button', class: 'close', 'data-select': '', 'aria-keyshortcuts': 'Escape' };
  return element(
    'h2',
    '',
    element('span', '', element('span', 'kind', kind), ' ', name),
    element('button', close, 'close'),
  );
}

function networkDetails(network: PageGraph['networks'][number]): readonly Node[] {
  const { id, type, adapter, providerAddress, ready, owner, policies, endpoints, remoteEndpoints } = network;
  return [
    facts({
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

function loadBalancerDetails(loadBalancer: ShownLoadBalancer, graph: PageGraph): readonly Node[] {
  const { ids, networks, frontends, ports, sourceVIP, options, owner, backends } = loadBalancer;
  return [
    facts({
      network: networks.join(', '),
      frontends: frontendText(frontends),
      ports: ports.join(', '),
      'source VIP': sourceVIP,
      options: options.join(', '),
      owner,
      [ids.length === 1 ? 'id' : 'ids']: ids.join('\n'),
    }),
    ...titledList(
      'backends',
      backends.map(({ id, state }) => endpointItem(id, graph, state)),
    ),
  ];
}
