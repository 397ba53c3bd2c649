import { aclColumns } from '../inventory/acl-row.ts';
import {
  type Columns,
  endpointColumns,
  loadBalancerColumns,
  namespaceColumns,
  networkColumns,
} from '../inventory/columns.ts';
import type { EndpointDetail } from '../inventory/endpoint-row.ts';
import { settingsText } from '../inventory/policy-text.ts';
import type { Session } from '../terminal/session.ts';
import { definitionList, rowsTable } from '../terminal/table.ts';
import { fitIds } from '../terminal/wrap.ts';
import { restartKubeProxy } from '../traffic/service.ts';
import type { NetworkPolicy, Subject } from './find-subject.ts';

type Cells = Readonly<Record<string, string>>;

/** Returns a subject as text: objects of its kind in detail, then tables of the related ones. `wide` prints more columns in tables. */
export function subjectText(subject: Subject, wide: boolean, session: Session): string {
  const { kind, networks, endpoints, namespaces, services, policies = [] } = subject;
  const ofPod = kind === 'pod' ? ': recreate the pod' : '';
  const remedy = services.some(({ backends }) => backends.length > 0) ? `: ${restartKubeProxy}` : ofPod;
  const texts = <Row>(rows: readonly Row[], isSubject: boolean, columns: Columns<Row>): readonly string[] =>
    isSubject
      ? rows.map((row) => objectText(columns(row, true), session))
      : tableOf(
          rows.map((row) => columns(row, wide)),
          session,
        );
  return [
    ...texts(networks, kind === 'network', networkColumns),
    ...texts(namespaces, kind === 'namespace', namespaceColumns),
    ...texts(services, kind === 'service', loadBalancerColumns),
    ...policyTable('policies', policies, session),
    ...(kind === 'pod' || kind === 'endpoint' || kind === 'ip'
      ? endpoints.map((endpoint) => endpointText(endpoint, session))
      : texts(endpoints, false, endpointColumns)),
    ...(endpoints.length === 0 && kind !== 'ip' ? [`No endpoints${remedy}.`] : []),
  ].join('\n\n');
}

/** An object as the cells of its row in a wide table, of which the first has its kind and ID. */
function objectText(cells: Cells, { style, width }: Session): string {
  const [[kind, id] = ['', ''], ...facts] = Object.entries(cells);
  const title = style('bold', `${kind} ${fitIds(id, width - kind.length - 1)}`);
  return `${title}\n${definitionList(Object.fromEntries(facts), width)}`;
}

/** Returns an endpoint as text: its properties, then its policies in the order of their evaluation. */
function endpointText(endpoint: EndpointDetail, session: Session): string {
  const { routes, dns, leftover, loadBalancers, acls, policies, remote } = endpoint;
  const cells = {
    ...endpointColumns(endpoint, true),
    routes: routes.map(({ DestinationPrefix, NextHop }) => `${DestinationPrefix} via ${NextHop}`).join(', '),
    DNS: settingsText(dns),
    'load balancers': loadBalancers.join(', '),
    ...(leftover !== undefined && { leftover: session.style('yellow', leftover) }),
  };
  const rules = tableOf(acls.map(aclColumns), session, 'ACLs', ', the first match decides');
  const noRules = `${session.style('bold', 'ACLs')}: none (HNS allows all traffic)`;
  return [
    objectText(cells, session),
    ...(remote || rules.length > 0 ? rules : [noRules]),
    ...policyTable('other policies', policies, session),
  ].join('\n\n');
}

function policyTable(title: string, policies: readonly NetworkPolicy[], session: Session): readonly string[] {
  const rows = policies.map(({ Type, Settings, subnet }) => ({
    type: Type,
    settings: [settingsText(Settings), subnet === undefined ? '' : `on ${subnet}`].join(' ').trim() || '-',
  }));
  return tableOf(rows, session, title);
}

/** Returns a table, below its title if it has one; nothing without rows. */
function tableOf(rows: readonly Cells[], session: Session, title = '', more = ''): readonly string[] {
  if (rows.length === 0) return [];
  const table = rowsTable(rows, session);
  return [title === '' ? table : `${session.style('bold', title)}${more}\n${table}`];
}
