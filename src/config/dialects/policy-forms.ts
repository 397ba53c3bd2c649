import { foldKeys, isObject } from '../../json/members.ts';
import { vocabulary } from '../generated/plugin-config-vocabulary.ts';
import { escaped, type Origins, originOf } from '../given-paths.ts';
import { isNothing, understood } from './understood.ts';

export type Level = 'endpoint' | 'network';

/** A policy in HCN's own form; what is no object stays what it is, for the schema to refuse. */
export interface InheritedPolicy {
  readonly policy: unknown;
  /** Where the policy was given, and those of its members that had another place or name. */
  readonly origins: Origins;
}

/** What HNS called policies before HCN, in lower case. */
const renamedTypes: ReadonlyMap<string, string> = new Map([
  ['route', 'SDNRoute'],
  ['pa', 'ProviderAddress'],
  ['nat', 'PortMapping'],
]);

/** And their members, by what HCN calls the type. */
const renamedMembers: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  [
    'outboundnat',
    new Map([
      ['exceptionlist', 'Exceptions'],
      ['vip', 'VirtualIP'],
    ]),
  ],
  ['provideraddress', new Map([['pa', 'ProviderAddress']])],
  [
    'acl',
    new Map([
      ['protocol', 'Protocols'],
      ['localport', 'LocalPorts'],
      ['remoteport', 'RemotePorts'],
    ]),
  ],
  ['vsid', new Map([['vsid', 'IsolationId']])],
  ['vlan', new Map([['vlan', 'IsolationId']])],
]);

/** A policy in the form of HCN, or in the one HNS had before it; `origin` is its place in the given configuration. */
export function readPolicy(value: Readonly<Record<string, unknown>>, level: Level, origin: string) {
  const { type: givenType, settings } = foldKeys(value);
  const Type = typeof givenType === 'string' ? hcnType(givenType) : givenType;
  const flat = Object.entries(value).filter(([key]) => !['type', 'settings'].includes(key.toLowerCase()));
  const isFlat = isNothing(settings);
  const place = isFlat ? origin : `${origin}/Settings`;
  const read = readMembers(Type, isFlat ? flat : Object.entries(isObject(settings) ? settings : {}), place);
  const origins = new Map([['', origin], ['/Settings', place], ...read.origins]);
  const Settings = isFlat || isObject(settings) ? read.settings : settings;
  const items = vocabulary.keys?.[`${level}Policies`]?.items ?? {};
  const known = understood({ ...(Type !== undefined && { Type }), Settings }, items);
  const beside = isFlat ? [] : flat.map(([key]) => `${origin}/${escaped(key)}`);
  return {
    entry: { policy: known.value, origins },
    ignored: [...known.dropped.map((path) => originOf(origins, path)), ...read.superseded, ...beside],
  };
}

function hcnType(given: string): string {
  return renamedTypes.get(given.toLowerCase()) ?? given;
}

/** Settings by HCN's names; where a member has the older name too, HCN's counts. */
function readMembers(type: unknown, given: readonly (readonly [string, unknown])[], place: string) {
  const isAcl = typeof type === 'string' && type.toLowerCase() === 'acl';
  const renames = typeof type === 'string' ? renamedMembers.get(type.toLowerCase()) : undefined;
  const members = given
    .map(([key, given]) => {
      const older = renames?.get(key.toLowerCase());
      const isOlder = older !== undefined;
      const member = isOlder && isAcl ? listOfOne(given) : given;
      return { name: older ?? key, member, isOlder, origin: `${place}/${escaped(key)}` };
    })
    .filter(({ member }) => !isNothing(member));
  const current = new Set(members.filter(({ isOlder }) => !isOlder).map(({ name }) => name.toLowerCase()));
  const isSuperseded = ({ isOlder, name }: (typeof members)[number]) =>
    isOlder && current.has(name.toLowerCase());
  const counting = members.filter((one) => !isSuperseded(one));
  return {
    settings: Object.fromEntries(counting.map(({ name, member }) => [name, member])),
    origins: counting
      .filter(({ isOlder }) => isOlder)
      .map(({ name, origin }) => [`/Settings/${name}`, origin] as const),
    superseded: members.filter(isSuperseded).map(({ origin }) => origin),
  };
}

/** ACLs had one protocol and one port as numbers, of which none is 0; HCN has lists as texts. */
function listOfOne(member: unknown): unknown {
  if (typeof member !== 'number') return member;
  return member === 0 ? undefined : String(member);
}
