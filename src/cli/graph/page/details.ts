import { countText, shortGuid } from '../../inventory/short-text.ts';
import type { GraphData } from '../graph-data.ts';
import { frontendText, namespaceTypeText, subnetTexts } from '../presentation.ts';
import { element, endpointItem, facts, fixText, linkItem, policyList, titledList } from './elements.ts';
import { endpointDetails } from './endpoint-details.ts';
import type { ObjectRef } from './links.ts';
import { findProblems, type Problem } from './problems.ts';

/** All data of the selected object; without a selection, an overview of problems. */
export function details(graph: GraphData, selected: ObjectRef | undefined): readonly Node[] {
  const data = selected && objectDetails(graph, selected);
  return data ? [detailsTitle(selected), ...data] : overview(graph);
}

function detailsTitle({ kind, id }: ObjectRef): HTMLElement {
  const close = { type: 'button', class: 'close', 'data-select': '', 'aria-keyshortcuts': 'Escape' };
  return element('h2', '', `${kind} `, element('code', '', shortGuid(id)), element('button', close, 'close'));
}

function objectDetails(graph: GraphData, { kind, id }: ObjectRef): readonly Node[] | undefined {
  const detailsIn = <Row extends { readonly id: string }>(
    rows: readonly Row[],
    detailsOf: (row: Row, graph: GraphData) => readonly Node[],
  ) => {
    const row = rows.find((one) => one.id === id);
    return row && detailsOf(row, graph);
  };
  switch (kind) {
    case 'endpoint':
      return detailsIn(graph.endpoints, endpointDetails);
    case 'network':
      return detailsIn(graph.networks, networkDetails);
    case 'namespace':
      return detailsIn(graph.namespaces, namespaceDetails);
    case 'load balancer':
      return detailsIn(graph.loadBalancers, loadBalancerDetails);
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

/** The details without a selection: all problems, with links to their objects. */
export function overview(graph: GraphData): readonly Node[] {
  const problems = findProblems(graph);
  const { unreadable } = graph;
  const count = problems.reduce((sum, { objects }) => sum + objects.length, unreadable.length);
  const hasErrors = unreadable.length > 0 || problems.some(({ condition }) => condition === 'error');
  return [
    count === 0
      ? element('h2', '', 'No problems in the HCN data')
      : element(
          'h2',
          { class: 'alert', 'data-condition': hasErrors ? 'error' : 'stale' },
          countText(count, 'problem'),
        ),
    ...(unreadable.length === 0
      ? []
      : [
          problemTitle('unreadable, not on this page', 'error', unreadable.length),
          element('ul', '', ...unreadable.map(({ error }) => element('li', '', error))),
        ]),
    ...problems.flatMap(({ title, condition, fix, objects }) => [
      problemTitle(title, condition, objects.length),
      ...(fix ? [element('p', 'hint fix', ...fixText(fix))] : []),
      element('ul', '', ...objects.map(({ ref, label }) => linkItem(ref, label))),
    ]),
    keyboardHint(),
  ];
}

function problemTitle(title: string, condition: Problem['condition'], count: number): HTMLElement {
  return element(
    'h3',
    { class: 'problem', 'data-condition': condition },
    title,
    ' ',
    element('span', 'count', String(count)),
  );
}

function keyboardHint(): HTMLElement {
  const keys = { '/': ' search, ', arrows: ' move, ', Enter: ' select, ', Escape: ' close.' };
  return element(
    'p',
    'hint',
    'Click an object for details. Keys: ',
    ...Object.entries(keys).flatMap(([key, effect]) => [element('kbd', '', key), effect]),
  );
}
