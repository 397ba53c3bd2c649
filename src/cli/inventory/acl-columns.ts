import type { AclRow } from './acl-row.ts';

/** What a table shows of an access rule, by the column's title. */
export function aclColumns(acl: AclRow): Readonly<Record<string, string>> {
  return {
    direction: acl.direction,
    priority: acl.priority === undefined ? '-' : String(acl.priority),
    action: acl.action,
    protocols: acl.protocols,
    local: where(acl.localAddresses, acl.localPorts),
    remote: where(acl.remoteAddresses, acl.remotePorts),
    type: acl.hidden ? "HNS's own, in no document" : (acl.ruleType ?? '-'),
  };
}

function where(addresses: string, ports: string): string {
  return ports === 'any' ? addresses : `${addresses} port ${ports}`;
}
