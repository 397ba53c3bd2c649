import type { Policy } from '../../hcn/documents.ts';
import { aclColumns } from '../inventory/acl-columns.ts';
import type { AclRow } from '../inventory/acl-row.ts';
import { dnsText, settingsText } from '../inventory/detail-texts.ts';
import type { EndpointDetail } from '../inventory/endpoint-detail.ts';
import type { Session } from '../session.ts';
import { definitionList, rowsTable } from '../table.ts';

/** An endpoint as people read it: what it is, then its policies in the order in which they count. */
export function endpointText(endpoint: EndpointDetail, session: Session): string {
  const { style } = session;
  const title = style('bold', `endpoint ${endpoint.id}`);
  const facts = definitionList(
    {
      name: endpoint.name,
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
      stale: endpoint.stale === undefined ? 'no' : style('yellow', `yes: ${endpoint.stale}`),
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

/** Policies below a title, each with its settings; nothing where there are none. */
export function policyLines(title: string, policies: readonly Policy[], session: Session): readonly string[] {
  if (policies.length === 0) return [];
  const rows = policies.map(({ Type, Settings = {} }) => ({
    type: Type,
    settings: settingsText(Settings),
  }));
  return ['', session.style('bold', title), rowsTable(rows, session)];
}

function aclLines(acls: readonly AclRow[], session: Session): readonly string[] {
  const title = session.style('bold', 'ACLs');
  if (acls.length === 0) return ['', `${title}: none, and HNS blocks nothing by itself`];
  return ['', `${title}, the first that matches decides`, rowsTable(acls.map(aclColumns), session)];
}
