import type { ConfigKeys } from '../../config/read-config.ts';
import type { Policy } from '../../hcn/documents.ts';
import { isPolicyOf } from '../../model/network-document.ts';
import { families, familyOf } from '../../net/address.ts';
import { contains, everyAddress, type Prefix, parsePrefix, withLength } from '../../net/prefix.ts';
import { aclPolicy, portMappingAcls } from '../../plan/policies.ts';

/** An ACL of a configuration, with the JSON pointer of its member. */
interface Acl {
  readonly path: string;
  readonly settings: AclSettings;
}

/** Two ACLs with the same direction and priority but different actions that can match the same traffic. */
export interface AclTie {
  readonly acl: Acl;
  readonly earlier: Acl;
}

/**
 * The ACLs of a configuration that tie with an earlier one, each with the first that it ties with. HNS chooses which one applies
 * (projectcalico/calico, felix/dataplane/windows/policysets/policysets.go). The rules of `defaultAction` have the lowest priority.
 */
export function aclTies(config: ConfigKeys): readonly AclTie[] {
  const acls = aclsOf(config);
  return acls.flatMap((acl, index) => {
    const earlier = acls.slice(0, index).find((other) => isTie(acl.settings, other.settings));
    return earlier === undefined ? [] : [{ acl, earlier }];
  });
}

function isTie(one: AclSettings, other: AclSettings): boolean {
  const isSame = (member: string) => one[member] === other[member];
  return isSame('Direction') && isSame('Priority') && !isSame('Action') && overlap(one, other);
}

function aclsOf({ acls, endpointPolicies, portMapping, behavior }: ConfigKeys): readonly Acl[] {
  const mapped = portMapping.allowAcl ? portMappingAcls(anyMapping, behavior.portMappingRuleType) : [];
  return [
    ...acls.map((acl, index) => ({ path: `/acls/${index}`, settings: aclPolicy(acl).Settings ?? {} })),
    ...mapped.map(({ Settings: { LocalPorts: _, ...settings } = {} }) => ({
      path: '/portMapping/allowAcl',
      settings,
    })),
    ...endpointPolicies.flatMap((policy, index) =>
      isPolicyOf('ACL', policy)
        ? [{ path: `/endpointPolicies/${index}`, settings: policy.Settings ?? {} }]
        : [],
    ),
  ];
}

/** A pod's port mappings are unknown here, so these stand for all of them. */
const anyMapping = (['tcp', 'udp'] as const).map((protocol) => ({
  protocol,
  hostPort: 1,
  containerPort: 1,
}));

/** The Settings of an ACL policy, as HCN takes them. */
export type AclSettings = NonNullable<Policy['Settings']>;

/**
 * Whether a packet can match both ACLs: they share a protocol, local and remote addresses of one family, and local and remote ports.
 * An absent list matches everything. Ports are compared for every protocol.
 */
export function overlap(one: AclSettings, other: AclSettings): boolean {
  const shares = (list: string, meet: (one: string | undefined, other: string | undefined) => boolean) =>
    meet(textOf(one[list]), textOf(other[list]));
  return (
    shares('Protocols', protocolsMeet) &&
    shares('LocalPorts', portsMeet) &&
    shares('RemotePorts', portsMeet) &&
    families.some((family) => {
      const meet = (mine: string | undefined, theirs: string | undefined) =>
        prefixesMeet(prefixesOf(mine, family), prefixesOf(theirs, family));
      return shares('LocalAddresses', meet) && shares('RemoteAddresses', meet);
    })
  );
}

/** An empty list counts as absent. */
function textOf(list: unknown): string | undefined {
  return typeof list === 'string' && list !== '' ? list : undefined;
}

/** HCN's number for any protocol. */
const anyProtocol = '256';

function protocolsMeet(one = anyProtocol, other = anyProtocol): boolean {
  const [mine, theirs] = [one.split(','), other.split(',')];
  return [mine, theirs].some((list) => list.includes(anyProtocol)) || mine.some((it) => theirs.includes(it));
}

function portsMeet(one = '0-65535', other = '0-65535'): boolean {
  return rangesOf(one).some(([first, last]) =>
    rangesOf(other).some(([otherFirst, otherLast]) => first <= otherLast && otherFirst <= last),
  );
}

function rangesOf(ports: string): readonly (readonly [number, number])[] {
  return ports.split(',').map((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return [first, last];
  });
}

/** The prefixes of one family; all of it if the list is absent. */
function prefixesOf(addresses: string | undefined, family: (typeof families)[number]): readonly Prefix[] {
  const texts = addresses?.split(',').filter((text) => familyOf(text) === family) ?? [everyAddress(family)];
  return texts.flatMap((text) => parsePrefix(withLength(text)) ?? []);
}

function prefixesMeet(some: readonly Prefix[], others: readonly Prefix[]): boolean {
  return some.some((one) =>
    others.some((other) => contains(one, other.address) || contains(other, one.address)),
  );
}
