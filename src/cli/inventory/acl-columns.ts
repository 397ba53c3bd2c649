import type { AclRow } from './acl-row.ts';
import { placeText } from './detail-texts.ts';

/** What a table shows of an access rule, by the column's title. */
export function aclColumns(acl: AclRow): Readonly<Record<string, string>> {
  return {
    direction: acl.direction,
    priority: acl.priority === undefined ? '-' : String(acl.priority),
    action: acl.action,
    protocols: acl.protocols,
    local: placeText(acl.localAddresses, acl.localPorts),
    remote: placeText(acl.remoteAddresses, acl.remotePorts),
    type: acl.hidden ? "HNS's own, in no document" : (acl.ruleType ?? '-'),
  };
}
