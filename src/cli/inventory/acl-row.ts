import type { Policy } from '../../hcn/documents.ts';
import { isPolicyOf } from '../../plan/observed-network.ts';
import { protocolName } from './protocol-name.ts';

/** An access rule of an endpoint; what it says nothing of is `any`. */
export interface AclRow {
  readonly direction: string;
  /** The lowest comes first; absent of one that has none, which comes after those that do. */
  readonly priority?: number;
  readonly action: string;
  readonly protocols: string;
  readonly localAddresses: string;
  readonly localPorts: string;
  readonly remoteAddresses: string;
  readonly remotePorts: string;
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

function aclRow({ Settings = {} }: Policy): AclRow {
  const text = (key: string) => String(Settings[key] || 'any');
  const { Priority, RuleType } = Settings;
  const direction = text('Direction');
  return {
    direction: directions.find((known) => known.toLowerCase() === direction.toLowerCase()) ?? direction,
    ...(typeof Priority === 'number' && { priority: Priority }),
    action: text('Action'),
    protocols: text('Protocols').replaceAll(/\d+/g, (number) => protocolName(Number(number))),
    localAddresses: text('LocalAddresses'),
    localPorts: text('LocalPorts'),
    remoteAddresses: text('RemoteAddresses'),
    remotePorts: text('RemotePorts'),
    ...(typeof RuleType === 'string' && { ruleType: RuleType }),
    hidden: false,
  };
}
