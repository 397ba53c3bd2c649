import { shortGuid } from '../../inventory/short-text.ts';
import type { GraphData } from '../graph-data.ts';
import { counted, frontendText, subnetTexts } from '../labels.ts';
import { endpointLink, facts, linkTo, list, policyList, remedyHint } from './detail-parts.ts';
import { element } from './element.ts';
import { endpointDetails } from './endpoint-details.ts';
import type { Condition } from './matching.ts';
import type { Picked } from './picked.ts';
import { type Problem, problemsOf } from './problems.ts';

/** All that HCN says of what is picked; what needs a look where nothing is. */
export function details(graph: GraphData, picked: Picked | undefined): readonly Node[] {
  const title =
    picked && element('h2', {}, `${picked.kind} `, element('code', {}, shortGuid(picked.id)), close());
  const about = picked && aboutOf(graph, picked);
  return title && about ? [title, ...about] : overview(graph);
}

function close(): HTMLElement {
  return element(
    'button',
    { type: 'button', class: 'close', 'data-pick': '', 'aria-keyshortcuts': 'Escape' },
    'close',
  );
}

function aboutOf(graph: GraphData, { kind, id }: Picked): readonly Node[] | undefined {
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
      ready: ready ? 'yes' : 'no: HNS has given it no provider address yet',
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
      type: type === 'HostDefault' ? "HostDefault, the node's own" : type,
      compartment: compartment === 0 ? undefined : String(compartment),
      containers: containers.join(', ') || 'none',
    }),
    ...list(
      'endpoints',
      endpoints.map(({ id: endpoint }) => endpointLink(endpoint, graph)),
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
    ...list(
      'backends',
      backends.map((backend) => endpointLink(backend.id, graph)),
    ),
  ];
}

function overview(graph: GraphData): readonly Node[] {
  const problems = problemsOf(graph);
  const { unreadable } = graph;
  const count = problems.reduce((sum, { places }) => sum + places.length, unreadable.length);
  const isWrong = unreadable.length > 0 || problems.some(({ wrong }) => wrong);
  return [
    count === 0
      ? element('h2', {}, 'No problem in what HCN says')
      : element('h2', { class: 'alert', 'data-condition': conditionOf(isWrong) }, counted(count, 'problem')),
    ...(unreadable.length === 0
      ? []
      : [
          problemTitle('left out of this page, as HCN did not show it', true, unreadable.length),
          element('ul', {}, ...unreadable.map(({ error }) => element('li', {}, error))),
        ]),
    ...problems.flatMap(problemSection),
    keyboardHint(),
  ];
}

function problemSection({ problem, wrong, remedy, places }: Problem): readonly Node[] {
  return [
    problemTitle(problem, wrong, places.length),
    ...(remedy ? [remedyHint(remedy)] : []),
    element('ul', {}, ...places.map(({ of, where }) => linkTo(of, where))),
  ];
}

function problemTitle(problem: string, isWrong: boolean, count: number): HTMLElement {
  return element(
    'h3',
    { class: 'problem', 'data-condition': conditionOf(isWrong) },
    problem,
    ' ',
    element('span', { class: 'count' }, String(count)),
  );
}

function conditionOf(isWrong: boolean): Condition {
  return isWrong ? 'error' : 'stale';
}

function keyboardHint(): HTMLElement {
  const keyboard = { '/': ' searches, ', arrows: ' move, ', Enter: ' picks, ', Escape: ' closes.' };
  return element(
    'p',
    { class: 'hint' },
    'Click anything to see all of it. ',
    ...Object.entries(keyboard).flatMap(([key, does]) => [element('kbd', {}, key), does]),
  );
}
