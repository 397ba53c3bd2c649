import type { Policy } from '../../../hcn/documents.ts';
import { isPolicyOf } from '../../../model/network-document.ts';
import { families, familyOf } from '../../../net/address.ts';
import { isNested } from '../../../net/prefix.ts';
import { protocolName } from '../../../net/protocols.ts';
import { aclPolicy } from '../../../plan/policies.ts';
import type { Check, CheckedConfig, PathDiagnostic } from './check.ts';

/** The Settings of an ACL policy, as HCN takes them: lists are comma-separated strings. */
type AclSettings = NonNullable<Policy['Settings']>;

/** An ACL of a configuration, with the JSON pointer of its member in the file, and of a setting such as `LocalPorts`. */
interface Acl {
  readonly path: string;
  readonly settings: AclSettings;
  readonly pathOf: (setting: string) => string;
}

/** HCN's number for any protocol. */
const anyProtocol = '256';
/** TCP, UDP, DCCP, SCTP, UDP-Lite: https://www.iana.org/assignments/protocol-numbers */
const withPorts = ['6', '17', '33', '132', '136', anyProtocol];

/**
 * Warns about ACLs that tie, and about lists that HNS may refuse: docs/notes/acls.md. Of two ACLs with the same
 * priority but different actions, HNS chooses which one applies (projectcalico/calico, felix/dataplane/windows/policysets/policysets.go).
 */
export const warnOfAcls: Check = (config) =>
  aclGroups(config).flatMap((acls) =>
    acls.flatMap((acl, index) => {
      const earlier = acls.slice(0, index).find((other) => isTie(acl.settings, other.settings));
      return [
        ...(earlier === undefined ? [] : [describeTie(acl, earlier)]),
        ...portsWithoutProtocol(acl),
        ...mixedFamilies(acl),
      ];
    }),
  );

/** The ACLs of a configuration, in groups whose priorities HNS compares: those of the endpoint and of the network. */
function aclGroups({ keys, place }: CheckedConfig): readonly (readonly Acl[])[] {
  const own = keys.acls.map((acl, index) => {
    const path = place(`/acls/${index}`);
    const pathOf = (setting: string) => `${path}/${setting.charAt(0).toLowerCase()}${setting.slice(1)}`;
    return { path, settings: aclPolicy(acl).Settings ?? {}, pathOf };
  });
  const policiesOf = (type: string, list: 'endpointPolicies' | 'networkPolicies'): readonly Acl[] =>
    keys[list].flatMap((policy, index) => {
      const path = place(`/${list}/${index}`);
      const pathOf = (setting: string) => `${path}/Settings/${setting}`;
      return isPolicyOf(type, policy) ? [{ path, settings: policy.Settings ?? {}, pathOf }] : [];
    });
  return [[...own, ...policiesOf('ACL', 'endpointPolicies')], policiesOf('NetworkACL', 'networkPolicies')];
}

function isTie(one: AclSettings, other: AclSettings): boolean {
  const isSame = (member: string) => one[member] === other[member];
  return isSame('Direction') && isSame('Priority') && !isSame('Action') && overlap(one, other);
}

/** Whether a packet can match both ACLs. An absent list matches everything. */
function overlap(one: AclSettings, other: AclSettings): boolean {
  const meet = (list: string, meets: (one: string, other: string) => boolean) => {
    const [mine, theirs] = [listIn(one, list), listIn(other, list)];
    return mine === undefined || theirs === undefined || mine.some((a) => theirs.some((b) => meets(a, b)));
  };
  const isSameProtocol = (a: string, b: string) => a === b || a === anyProtocol || b === anyProtocol;
  return (
    meet('Protocols', isSameProtocol) &&
    ['LocalPorts', 'RemotePorts'].every((list) => meet(list, portsMeet)) &&
    ['LocalAddresses', 'RemoteAddresses'].every((list) => meet(list, isNested))
  );
}

/** Whether two ports or ranges such as `80-90` share a port. */
function portsMeet(one: string, other: string): boolean {
  const ends = (range: string) => range.split('-').map(Number);
  const [first = 0, last = first] = ends(one);
  const [otherFirst = 0, otherLast = otherFirst] = ends(other);
  return first <= otherLast && otherFirst <= last;
}

function describeTie(acl: Acl, earlier: Acl): PathDiagnostic {
  const { Direction, Priority, Action } = acl.settings;
  const priority = Priority === undefined ? 'no priority' : `priority ${Priority}`;
  return {
    path: acl.path,
    text:
      `${acl.path} (${Action}) ties with ${earlier.path} (${earlier.settings['Action']}): direction ${Direction}, ${priority}, overlapping ` +
      'traffic; HNS chooses which one applies: give them different priorities',
  };
}

/** Ports with protocols that have none. */
function portsWithoutProtocol({ settings, pathOf }: Acl): readonly PathDiagnostic[] {
  const without = (listIn(settings, 'Protocols') ?? []).filter((protocol) => !withPorts.includes(protocol));
  if (without.length === 0) return [];
  const names = without.map((protocol) => protocolName(Number(protocol))).join(' and ');
  return ['LocalPorts', 'RemotePorts']
    .filter((list) => listIn(settings, list) !== undefined)
    .map((list) => ({
      path: pathOf(list),
      text: `${pathOf(list)} is set, but ${names} ${without.length === 1 ? 'has' : 'have'} no ports; HNS may refuse or ignore them: use a separate rule without ports`,
    }));
}

/**
 * Addresses of both families. HNS refused such a list of remote addresses with ERROR_BUFFER_OVERFLOW on Windows Server 2022
 * (AppMana/forks-calico-windows-ipv6, docs/windows-dual-stack.md). Whether every HNS does is unknown.
 */
function mixedFamilies({ settings, pathOf }: Acl): readonly PathDiagnostic[] {
  const familiesIn = (list: string) =>
    families.filter((family) => listIn(settings, list)?.some((text) => familyOf(text) === family));
  return ['LocalAddresses', 'RemoteAddresses']
    .filter((list) => familiesIn(list).length > 1)
    .map((list) => ({
      path: pathOf(list),
      text: `${pathOf(list)} has IPv4 and IPv6 addresses, which HNS may refuse: use a separate rule for each family`,
    }));
}

/** The items of a list; undefined if it is absent or empty, so that everything matches. */
function listIn(settings: AclSettings, member: string): readonly string[] | undefined {
  const list = settings[member];
  return typeof list === 'string' && list !== '' ? list.split(',') : undefined;
}
