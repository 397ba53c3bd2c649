import type { Policy } from '../../hcn/documents.ts';
import { type AclRow, aclColumns } from '../inventory/acl-row.ts';
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
import type { Subject, SubnetPolicy } from './find-subject.ts';
import { portText } from './port/port-subject.ts';

/** Returns a subject as text. `wide` prints more columns in its tables. */
export function subjectText(subject: Subject, wide: boolean, session: Session): string {
  switch (subject.kind) {
    case 'container': {
      const { container, pod, otherContainers, namespace, endpoints } = subject;
      const facts = {
        container: pod && container,
        'other containers': otherContainers?.join(', '),
        namespace: namespace?.id ?? 'none',
        containers: isOnly(container, namespace?.containers) ? undefined : namespace?.containers.join(', '),
        endpoints: endpoints.length === 0 ? 'none' : undefined,
      };
      return paragraphs(
        `${pod === undefined ? title('container', container, session) : title('pod', pod, session)}\n${definitionList(facts, session.width)}`,
        ...endpoints.map((endpoint) => endpointText(withoutContainer(container, endpoint), session)),
      );
    }
    case 'ip':
      return paragraphs(
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
      );
    case 'endpoint':
      return endpointText(subject.endpoint, session);
    case 'comparison':
      return comparisonText(subject, session);
    case 'port':
      return portText(subject, session);
    case 'namespace': {
      const { namespace, endpoints } = subject;
      const { type, compartment, pods, containers } = namespaceColumns(namespace, true);
      return paragraphs(
        `${title('namespace', namespace.id, session)}\n${definitionList({ type, compartment, pods: namespace.pods && pods, containers }, session.width)}`,
        endpointsOrNone(endpoints, wide, session),
      );
    }
    case 'network': {
      const { network, policies, subnetPolicies = [], endpoints } = subject;
      const { network: _id, endpoints: _endpoints, ...facts } = networkColumns(network, true);
      const about = `${title('network', network.id, session)}\n${definitionList(facts, session.width)}`;
      return paragraphs(
        [about, ...policyLines('policies', [...policies, ...subnetPolicies], session)].join('\n'),
        endpointsOrNone(endpoints, wide, session),
      );
    }
    case 'loadbalancer': {
      const { loadBalancer, endpoints } = subject;
      const { 'load balancer': _id, ...facts } = loadBalancerColumns(loadBalancer, true);
      return paragraphs(
        `${title('load balancer', loadBalancer.id, session)}\n${definitionList(facts, session.width)}`,
        endpointsOrNone(endpoints, wide, session),
      );
    }
  }
}

function isOnly(container: string, containers: readonly string[] | undefined): boolean {
  return containers?.every((one) => isSame(one, container)) ?? false;
}

/** An endpoint without its pod and container if these are of the container. */
function withoutContainer(container: string, endpoint: EndpointDetail): EndpointDetail {
  const { pod: _pod, container: own, ...others } = endpoint;
  return own !== undefined && isSame(own, container) ? others : endpoint;
}

function isSame(id: string, other: string): boolean {
  return id.toLowerCase() === other.toLowerCase();
}

function endpointsOrNone(rows: readonly EndpointRow[], wide: boolean, session: Session): string {
  if (rows.length === 0) return 'No endpoints.';
  return rowsTable(
    rows.map((row) => endpointColumns(row, wide)),
    session,
  );
}

/** Returns a table below a title; nothing without rows. */
function titled(
  title: string,
  rows: readonly Readonly<Record<string, string>>[],
  session: Session,
): readonly string[] {
  return rows.length === 0 ? [] : [`${session.style('bold', title)}\n${rowsTable(rows, session)}`];
}

function title(kind: string, id: string, { style, width }: Session): string {
  return style('bold', `${kind} ${fitIds(id, width - kind.length - 1)}`);
}

function paragraphs(...texts: readonly string[]): string {
  return texts.join('\n\n');
}

/** Returns an endpoint as text: its properties, then its policies in the order of their evaluation. */
function endpointText(endpoint: EndpointDetail, session: Session): string {
  const { style } = session;
  const facts = definitionList(
    {
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
      leftover: endpoint.stale === undefined ? 'no' : style('yellow', `yes: ${endpoint.stale}`),
      'load balancers': endpoint.loadBalancers.join(', '),
    },
    session.width,
  );
  return [
    title('endpoint', endpoint.id, session),
    facts,
    ...(endpoint.remote ? [] : aclLines(endpoint.acls, session)),
    ...policyLines('other policies', endpoint.policies, session),
  ].join('\n');
}

/** Returns policies in words below a title; nothing without policies. */
function policyLines(
  title: string,
  policies: readonly (Policy | SubnetPolicy)[],
  session: Session,
): readonly string[] {
  if (policies.length === 0) return [];
  const rows = policies.map((policy) => ({
    type: policy.Type,
    settings: 'subnet' in policy ? `${policyText(policy)} on ${policy.subnet}` : policyText(policy),
  }));
  return ['', session.style('bold', title), rowsTable(rows, session)];
}

function aclLines(acls: readonly AclRow[], session: Session): readonly string[] {
  const heading = session.style('bold', 'ACLs');
  if (acls.length === 0) return ['', `${heading}: none (HNS allows all traffic)`];
  return ['', `${heading}, the first match decides`, rowsTable(acls.map(aclColumns), session)];
}
