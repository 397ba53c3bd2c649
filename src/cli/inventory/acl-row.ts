import type { Policy } from '../../hcn/documents.ts';
import { isPolicyOf } from '../../model/network-document.ts';
import { type FiveTuple, fiveTuple } from './five-tuple.ts';
import { addressPortText } from './short-text.ts';

export interface AclRow extends FiveTuple {
  readonly direction: string;
  /** Lower priorities are evaluated first, an ACL without priority last. */
  readonly priority?: number;
  readonly action: string;
  readonly ruleType?: string;
  /** Whether HNS applies it by default, without showing it in a document. */
  readonly hidden: boolean;
}

const directions = ['In', 'Out'] as const;

/**
 * Returns the ACLs of an endpoint in the order of their evaluation, by direction and then by priority. With any ACL, HNS blocks the
 * traffic in both directions that no ACL matches: these rows come last.
 */
export function aclRows(policies: readonly Policy[]): readonly AclRow[] {
  const rows = policies.filter((policy) => isPolicyOf('ACL', policy)).map(aclRow);
  if (rows.length === 0) return [];
  const ordered = rows.toSorted((a, b) => (a.priority ?? Infinity) - (b.priority ?? Infinity) || 0);
  const known: readonly string[] = directions;
  return [
    ...directions.flatMap((direction) => [
      ...ordered.filter((row) => row.direction === direction),
      { ...aclRow({ Type: 'ACL', Settings: { Direction: direction, Action: 'Block' } }), hidden: true },
    ]),
    ...ordered.filter(({ direction }) => !known.includes(direction)),
  ];
}

/** A member that HNS omits has the first value of its enumeration. */
function aclRow({ Settings = {} }: Policy): AclRow {
  const { Priority, RuleType, Direction, Action } = Settings;
  const direction = String(Direction || 'In');
  return {
    direction: directions.find((known) => known.toLowerCase() === direction.toLowerCase()) ?? direction,
    ...(typeof Priority === 'number' && { priority: Priority }),
    action: String(Action || 'Allow'),
    ...fiveTuple(Settings),
    ...(typeof RuleType === 'string' && { ruleType: RuleType }),
    hidden: false,
  };
}

/** Returns the cells of an ACL in a table, by column title. */
export function aclColumns(acl: AclRow): Readonly<Record<string, string>> {
  return {
    direction: acl.direction,
    priority: acl.priority === undefined ? '-' : String(acl.priority),
    action: acl.action,
    protocols: acl.protocols,
    local: addressPortText(acl.localAddresses, acl.localPorts),
    remote: addressPortText(acl.remoteAddresses, acl.remotePorts),
    type: acl.hidden ? 'HNS default' : (acl.ruleType ?? '-'),
  };
}
