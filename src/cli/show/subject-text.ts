import { aclColumns } from '../inventory/acl-row.ts';
import {
  endpointColumns,
  loadBalancerColumns,
  namespaceColumns,
  networkColumns,
} from '../inventory/columns.ts';
import type { EndpointDetail, EndpointRow } from '../inventory/endpoint-row.ts';
import { dnsText, policyText } from '../inventory/policy-text.ts';
import type { Session } from '../terminal/session.ts';
import { definitionList, rowsTable } from '../terminal/table.ts';
import { fitIds } from '../terminal/wrap.ts';
import { comparisonText } from './compare-pods.ts';
import { type ContainerSubject, isSameId } from './find-container.ts';
import type { NetworkPolicy, Subject } from './find-subject.ts';
import { portText } from './port.ts';

type Cells = Readonly<Record<string, string>>;

/** Returns a subject as text. `wide` prints more columns in its tables. */
export function subjectText(subject: Subject, wide: boolean, session: Session): string {
  const withEndpoints = (about: string, rows: readonly EndpointRow[]) => {
    const table = rowsTable(
      rows.map((row) => endpointColumns(row, wide)),
      session,
    );
    return `${about}\n\n${rows.length === 0 ? 'No endpoints.' : table}`;
  };
  switch (subject.kind) {
    case 'container':
      return containerText(subject, session);
    case 'ip':
      return [
        ...subject.endpoints.map((endpoint) => endpointText(endpoint, session)),
        ...titled(
          'load balancers with this address',
          subject.loadBalancers.map((row) => loadBalancerColumns(row, wide)),
          session,
        ),
        ...titled(
          'networks with this gateway',
          subject.networks.map((row) => networkColumns(row, wide)),
          session,
        ),
      ].join('\n\n');
    case 'endpoint':
      return endpointText(subject.endpoint, session);
    case 'comparison':
      return comparisonText(subject, session);
    case 'port':
      return portText(subject, session);
    case 'namespace': {
      const { namespace, endpoints } = subject;
      const { endpoints: _, addresses: __, ...cells } = namespaceColumns(namespace, true);
      return withEndpoints(objectText(cells, session), endpoints);
    }
    case 'network': {
      const { network, policies } = subject;
      const { endpoints: _, ...cells } = networkColumns(network, true);
      const about = [objectText(cells, session), ...policyTables('policies', policies, session)].join('\n\n');
      return withEndpoints(about, subject.endpoints);
    }
    case 'loadbalancer':
      return withEndpoints(
        objectText(loadBalancerColumns(subject.loadBalancer, true), session),
        subject.endpoints,
      );
  }
}

/** An object as the cells of its row in a wide table, of which the first has its kind and ID. */
function objectText(cells: Cells, session: Session): string {
  const [[kind, id] = ['', ''], ...facts] = Object.entries(cells);
  return factsText(kind, id, Object.fromEntries(facts), session);
}

function factsText(
  kind: string,
  id: string,
  facts: Readonly<Record<string, string | undefined>>,
  { style, width }: Session,
): string {
  const title = style('bold', `${kind} ${fitIds(id, width - kind.length - 1)}`);
  return `${title}\n${definitionList(facts, width)}`;
}

/** A container, with its pod and endpoints. These do not repeat the container. */
function containerText(subject: ContainerSubject, session: Session): string {
  const { container, pod, otherContainers, namespace, endpoints } = subject;
  const isAlone = namespace?.containers.every((one) => isSameId(one, container)) ?? true;
  const facts = {
    container: pod && container,
    'other containers': otherContainers?.join(', '),
    namespace: namespace?.id ?? 'none',
    containers: isAlone ? undefined : namespace?.containers.join(', '),
    endpoints: endpoints.length === 0 ? 'none' : undefined,
  };
  const texts = endpoints.map((endpoint) => {
    const { pod: _pod, container: own, ...others } = endpoint;
    return endpointText(isSameId(own, container) ? others : endpoint, session);
  });
  const [kind, id] = pod === undefined ? ['container', container] : ['pod', pod];
  return [factsText(kind, id, facts, session), ...texts].join('\n\n');
}

/** Returns an endpoint as text: its properties, then its policies in the order of their evaluation. */
function endpointText(endpoint: EndpointDetail, session: Session): string {
  const facts = {
    name: endpoint.name,
    pod: endpoint.pod,
    container: endpoint.container,
    interface: endpoint.interface,
    network: endpoint.network,
    addresses: endpoint.addresses.join(', ') || 'none',
    MAC: endpoint.macAddress,
    routes: endpoint.routes
      .map(({ DestinationPrefix, NextHop }) => `${DestinationPrefix} via ${NextHop}`)
      .join(', '),
    DNS: dnsText(endpoint.dns),
    namespace: endpoint.namespace ?? 'none',
    state: endpoint.state,
    health: endpoint.health,
    owner: endpoint.remote ? `${endpoint.owner} (remote)` : endpoint.owner,
    leftover: endpoint.stale === undefined ? 'no' : session.style('yellow', `yes: ${endpoint.stale}`),
    'load balancers': endpoint.loadBalancers.join(', '),
  };
  const acls = titled('ACLs', endpoint.acls.map(aclColumns), session, ', the first match decides');
  const noAcls = `${session.style('bold', 'ACLs')}: none (HNS allows all traffic)`;
  return [
    factsText('endpoint', endpoint.id, facts, session),
    ...(endpoint.remote || acls.length > 0 ? acls : [noAcls]),
    ...policyTables('other policies', endpoint.policies, session),
  ].join('\n\n');
}

/** Returns policies in words below a title; nothing without policies. */
function policyTables(
  title: string,
  policies: readonly NetworkPolicy[],
  session: Session,
): readonly string[] {
  const rows = policies.map((policy) => ({
    type: policy.Type,
    settings: `${policyText(policy)}${policy.subnet === undefined ? '' : ` on ${policy.subnet}`}`,
  }));
  return titled(title, rows, session);
}

/** Returns a table below a title; nothing without rows. */
function titled(title: string, rows: readonly Cells[], session: Session, more = ''): readonly string[] {
  return rows.length === 0 ? [] : [`${session.style('bold', title)}${more}\n${rowsTable(rows, session)}`];
}
