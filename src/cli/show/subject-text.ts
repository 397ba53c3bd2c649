import type { Policy } from '../../hcn/documents.ts';
import { type AclRow, aclColumns } from '../inventory/acl-row.ts';
import {
  endpointColumns,
  expendable,
  loadBalancerColumns,
  namespaceColumns,
  networkColumns,
} from '../inventory/columns.ts';
import type { EndpointDetail, EndpointRow } from '../inventory/endpoint-row.ts';
import { policyText } from '../inventory/policy-text.ts';
import { dnsText } from '../inventory/short-text.ts';
import { type Session, unbounded } from '../session.ts';
import { definitionList, rowsTable } from '../table.ts';
import type { Subject, SubnetPolicy } from './find-subject.ts';

/** Returns a subject as text. `wide` prints more columns in its tables. */
export function subjectText(subject: Subject, wide: boolean, given: Session): string {
  const session = wide ? unbounded(given) : given;
  const { style } = session;
  switch (subject.kind) {
    case 'container': {
      const { container, pod, otherContainers, namespace, endpoints } = subject;
      const facts = {
        container: pod && container,
        'other containers': otherContainers?.join(', '),
        namespace: namespace?.id ?? 'none',
        containers: namespace?.containers.join(', '),
        endpoints: endpoints.length === 0 ? 'none' : undefined,
      };
      return paragraphs(
        `${style('bold', pod === undefined ? `container ${container}` : `pod ${pod}`)}\n${definitionList(facts, session.width)}`,
        ...endpoints.map((endpoint) => endpointText(endpoint, session)),
      );
    }
    case 'ip':
      return paragraphs(
        ...subject.endpoints.map((endpoint) => endpointText(endpoint, session)),
        ...titled(
          'load balancers with this address',
          subject.loadBalancers.map((row) => loadBalancerColumns(row, wide)),
          expendable.loadBalancers,
          session,
        ),
        ...titled(
          'networks with this gateway',
          subject.networks.map((row) => networkColumns(row, wide)),
          expendable.networks,
          session,
        ),
      );
    case 'endpoint':
      return endpointText(subject.endpoint, session);
    case 'namespace': {
      const { namespace, endpoints } = subject;
      const { type, compartment, pods, containers } = namespaceColumns(namespace, true);
      return paragraphs(
        `${style('bold', `namespace ${namespace.id}`)}\n${definitionList({ type, compartment, pods: namespace.pods && pods, containers }, session.width)}`,
        endpointsOrNone(endpoints, wide, session),
      );
    }
    case 'network': {
      const { network, policies, subnetPolicies = [], endpoints } = subject;
      const { network: id, endpoints: _local, remote: _remote, ...facts } = networkColumns(network, true);
      const about = `${style('bold', `network ${id}`)}\n${definitionList(facts, session.width)}`;
      return paragraphs(
        [about, ...policyLines('policies', [...policies, ...subnetPolicies], session)].join('\n'),
        endpointsOrNone(endpoints, wide, session),
      );
    }
    case 'loadbalancer': {
      const { loadBalancer, endpoints } = subject;
      const { 'load balancer': id, ...facts } = loadBalancerColumns(loadBalancer, true);
      return paragraphs(
        `${style('bold', `load balancer ${id}`)}\n${definitionList(facts, session.width)}`,
        endpointsOrNone(endpoints, wide, session),
      );
    }
  }
}

function endpointsOrNone(rows: readonly EndpointRow[], wide: boolean, session: Session): string {
  if (rows.length === 0) return 'No endpoints.';
  return rowsTable(
    rows.map((row) => endpointColumns(row, wide)),
    session,
    expendable.endpoints,
  );
}

/** Returns a table below a title; nothing without rows. */
function titled(
  title: string,
  rows: readonly Readonly<Record<string, string>>[],
  dispensable: readonly string[],
  session: Session,
): readonly string[] {
  return rows.length === 0
    ? []
    : [`${session.style('bold', title)}\n${rowsTable(rows, session, dispensable)}`];
}

function paragraphs(...texts: readonly string[]): string {
  return texts.join('\n\n');
}

/** Returns an endpoint as text: its properties, then its policies in the order of their evaluation. */
export function endpointText(endpoint: EndpointDetail, session: Session): string {
  const { style } = session;
  const title = style('bold', `endpoint ${endpoint.id}`);
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
    title,
    facts,
    ...(endpoint.remote ? [] : aclLines(endpoint.acls, session)),
    ...policyLines('other policies', endpoint.policies, session),
  ].join('\n');
}

/** Returns policies in words below a title; nothing without policies. */
export function policyLines(
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
  const title = session.style('bold', 'ACLs');
  if (acls.length === 0) return ['', `${title}: none (HNS allows all traffic)`];
  return ['', `${title}, the first match decides`, rowsTable(acls.map(aclColumns), session)];
}
