import type { Policy } from '../../hcn/documents.ts';
import { isPolicyOf } from '../../model/network-document.ts';
import { type FiveTuple, fiveTuple } from './five-tuple.ts';
import { addressPortText } from './short-text.ts';

/** An access rule of an endpoint. */
export interface AclRow extends FiveTuple {
  readonly direction: string;
  /** The lowest comes first; absent of one that has none, which comes after those that do. */
  readonly priority?: number;
  readonly action: string;
  readonly ruleType?: string;
  /** HNS's own, which no document shows. */
  readonly hidden: boolean;
}

const directions = ['In', 'Out'] as const;

/**
 * The ACLs among an endpoint's policies in the order in which they count, by direction and then by priority. HNS blocks what none of
 * them matches, in both directions, as soon as there is one: those rows come last.
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

/** A member that HNS leaves out has the first word of its enumeration. */
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

/** What a table shows of an access rule, by the column's title. */
export function aclColumns(acl: AclRow): Readonly<Record<string, string>> {
  return {
    direction: acl.direction,
    priority: acl.priority === undefined ? '-' : String(acl.priority),
    action: acl.action,
    protocols: acl.protocols,
    local: addressPortText(acl.localAddresses, acl.localPorts),
    remote: addressPortText(acl.remoteAddresses, acl.remotePorts),
    type: acl.hidden ? "HNS's own, in no document" : (acl.ruleType ?? '-'),
  };
}
