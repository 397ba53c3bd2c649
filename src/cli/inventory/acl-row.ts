import type { Policy } from '../../hcn/documents.ts';
import { isPolicyOf } from '../../model/network-document.ts';
import { protocolName } from '../../net/protocols.ts';

/** An ACL as a row of `show`. HNS applies a default one without showing it in a document. */
export type AclRow = ReturnType<typeof aclRow>;

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
      { ...aclRow({ Type: 'ACL', Settings: { Direction: direction, Action: 'Block' } }), hnsDefault: true },
    ]),
    ...ordered.filter(({ direction }) => !known.includes(direction)),
  ];
}

/** A member that HNS omits has the first value of its enumeration. */
function aclRow({ Settings = {} }: Policy) {
  const { Priority, RuleType, Direction, Action } = Settings;
  const direction = String(Direction || 'In');
  return {
    direction: directions.find((known) => known.toLowerCase() === direction.toLowerCase()) ?? direction,
    ...(typeof Priority === 'number' && { priority: Priority }),
    action: String(Action || 'Allow'),
    ...fiveTuple(Settings),
    ...(typeof RuleType === 'string' && { ruleType: RuleType }),
    hnsDefault: false,
  };
}

/** Returns an ACL in one line: `In 200 Block: any protocol, remote 10.9.0.0/16 (Switch)`. */
export function aclText(acl: AclRow): string {
  const rank = acl.priority === undefined ? acl.direction : `${acl.direction} ${acl.priority}`;
  const type = acl.hnsDefault ? 'HNS default' : (acl.ruleType ?? 'no RuleType');
  return `${rank} ${acl.action}: ${describeTuple(acl)} (${type})`;
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
    type: acl.hnsDefault ? 'HNS default' : (acl.ruleType ?? '-'),
  };
}

/** The traffic that a policy matches. Each member is a comma-separated list, or `any`. */
export type FiveTuple = ReturnType<typeof fiveTuple>;

/** Reads these members of a policy's settings, with protocol names for numbers. https://learn.microsoft.com/virtualization/api/hcn/hns_schema#FiveTuple */
export function fiveTuple(settings: NonNullable<Policy['Settings']>) {
  const text = (key: string) => String(settings[key] || 'any');
  return {
    protocols: text('Protocols').replaceAll(/\d+/g, (number) => protocolName(Number(number))),
    localAddresses: text('LocalAddresses'),
    localPorts: text('LocalPorts'),
    remoteAddresses: text('RemoteAddresses'),
    remotePorts: text('RemotePorts'),
  };
}

/** Returns the matched traffic in a few words. */
export function describeTuple({
  protocols,
  localAddresses,
  localPorts,
  remoteAddresses,
  remotePorts,
}: FiveTuple): string {
  const named = {
    local: localAddresses,
    'local port': localPorts,
    remote: remoteAddresses,
    'remote port': remotePorts,
  };
  const parts = Object.entries(named).flatMap(([name, list]) => (list === 'any' ? [] : `${name} ${list}`));
  const protocol = protocols === 'any' ? 'any protocol' : protocols;
  return parts.length === 0 && protocols === 'any' ? 'everything' : [protocol, ...parts].join(', ');
}

/** Returns the local or remote side of an ACL. */
function addressPortText(addresses: string, ports: string): string {
  return ports === 'any' ? addresses : `${addresses} port ${ports}`;
}
