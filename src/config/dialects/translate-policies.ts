import { foldKeys, isObject, type JsonObject } from '../../json/members.ts';
import { knownKeys } from '../generated/plugin-config-keys.ts';
import { dropUnknownKeys, isEmpty, normalizeCase } from '../known-keys.ts';
import { escapeToken, type SourcePaths, sourcePathOf } from '../source-paths.ts';

/** A policy in HCN's form. An invalid one is unchanged: the schema refuses it later. */
export interface TranslatedPolicy {
  readonly policy: unknown;
  readonly sourcePaths: SourcePaths;
}

/** A replaced plugin's policies as keys of win-hcn, and the paths that were ignored. */
export interface TranslatedPolicies {
  /** A list, or the invalid value given instead. */
  readonly endpointPolicies: unknown;
  readonly endpointPaths: readonly (readonly [string, string])[];
  readonly network: readonly TranslatedPolicy[];
  readonly ignored: readonly string[];
}

/**
 * Translates the policies of `policies` and `AdditionalArgs`: lists of `{name, value}`, with each value in HCN's form or in that of
 * the HNS API before it.
 */
export function translatePolicies(members: JsonObject): TranslatedPolicies {
  const containers = ['policies', 'AdditionalArgs'].map((name) => ({
    path: `/${name}`,
    list: members[name.toLowerCase()] ?? [],
  }));
  const items = containers.flatMap(({ path, list }) =>
    Array.isArray(list) ? list.map((item: unknown, index) => translateItem(item, `${path}/${index}`)) : [],
  );
  const policiesOf = (wanted: Level) =>
    items.flatMap(({ level, translated }) => (level === wanted && translated ? translated : []));
  const endpoint = policiesOf('endpoint');
  const invalid = containers.find(({ list }) => !Array.isArray(list));
  return {
    endpointPolicies: invalid?.list ?? endpoint.map(({ policy }) => policy),
    endpointPaths:
      invalid === undefined
        ? policyPaths('/endpointPolicies', endpoint)
        : [['/endpointPolicies', invalid.path]],
    network: policiesOf('network'),
    ignored: items.flatMap(({ ignored }) => ignored),
  };
}

/** The source paths of policies that become the list at `path`. */
export function policyPaths(
  path: string,
  policies: readonly TranslatedPolicy[],
): readonly (readonly [string, string])[] {
  return policies.flatMap(({ sourcePaths }, index) =>
    [...sourcePaths].map(([inner, source]) => [`${path}/${index}${inner}`, source] as const),
  );
}

type Level = 'endpoint' | 'network';

interface Item {
  readonly level?: Level;
  readonly translated?: TranslatedPolicy;
  readonly ignored: readonly string[];
}

function translateItem(item: unknown, path: string): Item {
  const { name, value } = isObject(item) ? foldKeys(item) : {};
  const level = levelOf(name);
  if (level === undefined) return { ignored: [path] };
  const source = `${path}/value`;
  if (isObject(value)) return { level, ...translatePolicy(value, level, source) };
  return { level, translated: { policy: value, sourcePaths: new Map([['', source]]) }, ignored: [] };
}

function levelOf(name: unknown): Level | undefined {
  if (typeof name !== 'string') return undefined;
  const text = name.toLowerCase();
  if (text.includes('endpointpolicy')) return 'endpoint';
  return text.includes('networkpolicy') ? 'network' : undefined;
}

/** HCN's types of policies, by their types in the older HNS API, in lower case. */
const renamedTypes: ReadonlyMap<string, string> = new Map([
  ['route', 'SDNRoute'],
  ['pa', 'ProviderAddress'],
  ['nat', 'PortMapping'],
]);

const renamedAclMembers: ReadonlyMap<string, string> = new Map([
  ['protocol', 'Protocols'],
  ['localport', 'LocalPorts'],
  ['remoteport', 'RemotePorts'],
]);

/** HCN's members, by type in lower case and by the older name in lower case. */
const renamedMembers: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  [
    'outboundnat',
    new Map([
      ['exceptionlist', 'Exceptions'],
      ['vip', 'VirtualIP'],
    ]),
  ],
  ['provideraddress', new Map([['pa', 'ProviderAddress']])],
  ['acl', renamedAclMembers],
  ['vsid', new Map([['vsid', 'IsolationId']])],
  ['vlan', new Map([['vlan', 'IsolationId']])],
]);

/** Translates a policy in HCN's form or in the older one. `source` is its JSON pointer in the given configuration. */
function translatePolicy(value: JsonObject, level: Level, source: string) {
  const { type: givenType, settings } = foldKeys(value);
  const Type =
    typeof givenType === 'string' ? (renamedTypes.get(givenType.toLowerCase()) ?? givenType) : givenType;
  const flat = Object.entries(value).filter(([key]) => !['type', 'settings'].includes(key.toLowerCase()));
  const isFlat = isEmpty(settings);
  const place = isFlat ? source : `${source}/Settings`;
  const read = renameMembers(Type, isFlat ? flat : Object.entries(isObject(settings) ? settings : {}), place);
  const sourcePaths = new Map([['', source], ['/Settings', place], ...read.sourcePaths]);
  const Settings = isFlat || isObject(settings) ? read.settings : settings;
  const items = knownKeys.keys?.[`${level}Policies`]?.items ?? {};
  const policy = normalizeCase({ ...(Type !== undefined && { Type }), Settings }, items);
  const known = dropUnknownKeys(policy, items);
  const beside = isFlat ? [] : flat.map(([key]) => `${source}/${escapeToken(key)}`);
  return {
    translated: { policy: known.value, sourcePaths },
    ignored: [...known.dropped.map((path) => sourcePathOf(sourcePaths, path)), ...read.overridden, ...beside],
  };
}

/** Settings with HCN's names. If a setting has both names, HCN's name wins. */
function renameMembers(type: unknown, given: readonly (readonly [string, unknown])[], place: string) {
  const renames = typeof type === 'string' ? renamedMembers.get(type.toLowerCase()) : undefined;
  const members = given
    .map(([key, value]) => {
      const renamed = renames?.get(key.toLowerCase());
      const member = renamed !== undefined && renames === renamedAclMembers ? listOfOne(value) : value;
      return {
        name: renamed ?? key,
        member,
        isRenamed: renamed !== undefined,
        source: `${place}/${escapeToken(key)}`,
      };
    })
    .filter(({ member }) => !isEmpty(member));
  const current = new Set(
    members.filter(({ isRenamed }) => !isRenamed).map(({ name }) => name.toLowerCase()),
  );
  const isOverridden = ({ isRenamed, name }: (typeof members)[number]) =>
    isRenamed && current.has(name.toLowerCase());
  const kept = members.filter((one) => !isOverridden(one));
  return {
    settings: Object.fromEntries(kept.map(({ name, member }) => [name, member])),
    sourcePaths: kept.map(({ name, source }) => [`/Settings/${name}`, source] as const),
    overridden: members.filter(isOverridden).map(({ source }) => source),
  };
}

/** The older ACLs have one protocol and one port, as numbers with 0 for any; HCN has lists in strings. */
function listOfOne(member: unknown): unknown {
  if (typeof member !== 'number') return member;
  return member === 0 ? undefined : String(member);
}
