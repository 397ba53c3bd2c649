import { families, familyOf } from '../../net/address.ts';
import { contains, everyAddress, type Prefix, parsePrefix, withLength } from '../../net/prefix.ts';
import { type Acl, type AclSettings, aclGroups, anyProtocol, listIn } from './acls.ts';
import type { Check } from './checked-config.ts';

/** Two ACLs with the same direction and priority but different actions that can match the same traffic. */
export interface AclTie {
  readonly acl: Acl;
  readonly earlier: Acl;
}

/**
 * The ACLs of a configuration that tie with an earlier one, each with the first that it ties with. HNS chooses which one applies
 * (projectcalico/calico, felix/dataplane/windows/policysets/policysets.go). The rules of `defaultAction` have the lowest priority.
 */
export function aclTies(config: Parameters<typeof aclGroups>[0]): readonly AclTie[] {
  return aclGroups(config).flatMap((acls) =>
    acls.flatMap((acl, index) => {
      const earlier = acls.slice(0, index).find((other) => isTie(acl.settings, other.settings));
      return earlier === undefined ? [] : [{ acl, earlier }];
    }),
  );
}

function isTie(one: AclSettings, other: AclSettings): boolean {
  const isSame = (member: string) => one[member] === other[member];
  return isSame('Direction') && isSame('Priority') && !isSame('Action') && overlap(one, other);
}

/**
 * Whether a packet can match both ACLs: they share a protocol, local and remote addresses of one family, and local and remote ports.
 * An absent list matches everything. Ports are compared for every protocol.
 */
export function overlap(one: AclSettings, other: AclSettings): boolean {
  const shares = (
    list: string,
    meet: (one: readonly string[] | undefined, other: readonly string[] | undefined) => boolean,
  ) => meet(listIn(one, list), listIn(other, list));
  return (
    shares('Protocols', protocolsMeet) &&
    shares('LocalPorts', portsMeet) &&
    shares('RemotePorts', portsMeet) &&
    families.some((family) => {
      const meet = (mine: readonly string[] | undefined, theirs: readonly string[] | undefined) =>
        prefixesMeet(prefixesOf(mine, family), prefixesOf(theirs, family));
      return shares('LocalAddresses', meet) && shares('RemoteAddresses', meet);
    })
  );
}

function protocolsMeet(
  one: readonly string[] = [anyProtocol],
  other: readonly string[] = [anyProtocol],
): boolean {
  return [one, other].some((list) => list.includes(anyProtocol)) || one.some((it) => other.includes(it));
}

function portsMeet(one: readonly string[] = ['0-65535'], other: readonly string[] = ['0-65535']): boolean {
  return rangesOf(one).some(([first, last]) =>
    rangesOf(other).some(([otherFirst, otherLast]) => first <= otherLast && otherFirst <= last),
  );
}

function rangesOf(ports: readonly string[]): readonly (readonly [number, number])[] {
  return ports.map((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return [first, last];
  });
}

/** The prefixes of one family; all of it if the list is absent. */
function prefixesOf(
  addresses: readonly string[] | undefined,
  family: (typeof families)[number],
): readonly Prefix[] {
  const texts = addresses?.filter((text) => familyOf(text) === family) ?? [everyAddress(family)];
  return texts.flatMap((text) => parsePrefix(withLength(text)) ?? []);
}

function prefixesMeet(some: readonly Prefix[], others: readonly Prefix[]): boolean {
  return some.some((one) =>
    others.some((other) => contains(one, other.address) || contains(other, one.address)),
  );
}

/** Warns about ties. */
export const warnOfTies: Check = ({ keys, place }) =>
  aclTies(keys).map(({ acl, earlier }) => {
    const [path, other] = [place(acl.path), place(earlier.path)];
    const { Direction, Priority, Action } = acl.settings;
    const priority = Priority === undefined ? 'no priority' : `priority ${Priority}`;
    return {
      path,
      related: [other],
      text:
        `${path} (${Action}) ties with ${other} (${earlier.settings['Action']}): direction ${Direction}, ${priority}, overlapping ` +
        'traffic; HNS chooses which one applies: give them different priorities',
    };
  });
