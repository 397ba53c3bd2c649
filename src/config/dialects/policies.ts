import { foldKeys, isObject } from '../../json/members.ts';
import { type InheritedPolicy, type Level, readPolicy } from './policy-forms.ts';

export interface InheritedPolicies {
  /** A list, or what was given in place of one, for the schema to refuse. */
  readonly endpointPolicies: unknown;
  readonly endpointOrigins: readonly (readonly [string, string])[];
  readonly network: readonly InheritedPolicy[];
  readonly ignored: readonly string[];
}

/**
 * The policies of `policies` and `AdditionalArgs`, which are lists of `{name, value}`, each value in the form of HCN or in the one
 * HNS had before it.
 */
export function inheritedPolicies(members: Readonly<Record<string, unknown>>): InheritedPolicies {
  const containers = ['policies', 'AdditionalArgs'].map((name) => ({
    path: `/${name}`,
    list: members[name.toLowerCase()] ?? [],
  }));
  const read = containers.flatMap(({ path, list }) =>
    Array.isArray(list) ? list.map((item: unknown, index) => readItem(item, `${path}/${index}`)) : [],
  );
  const of = (wanted: Level) => read.flatMap(({ level, entry }) => (level === wanted && entry ? entry : []));
  const endpoint = of('endpoint');
  const broken = containers.find(({ list }) => !Array.isArray(list));
  return {
    endpointPolicies: broken?.list ?? endpoint.map(({ policy }) => policy),
    endpointOrigins:
      broken === undefined
        ? policyOrigins('/endpointPolicies', endpoint)
        : [['/endpointPolicies', broken.path]],
    network: of('network'),
    ignored: read.flatMap(({ ignored }) => ignored),
  };
}

/** Where the policies of one of our own lists were given. */
export function policyOrigins(
  list: string,
  policies: readonly InheritedPolicy[],
): readonly (readonly [string, string])[] {
  return policies.flatMap(({ origins }, index) =>
    [...origins].map(([path, origin]) => [`${list}/${index}${path}`, origin] as const),
  );
}

interface Item {
  readonly level?: Level;
  readonly entry?: InheritedPolicy;
  readonly ignored: readonly string[];
}

function readItem(item: unknown, path: string): Item {
  const { name, value } = isObject(item) ? foldKeys(item) : {};
  const level = levelOf(name);
  if (level === undefined) return { ignored: [path] };
  const origin = `${path}/value`;
  if (isObject(value)) return { level, ...readPolicy(value, level, origin) };
  return { level, entry: { policy: value, origins: new Map([['', origin]]) }, ignored: [] };
}

function levelOf(name: unknown): Level | undefined {
  const text = typeof name === 'string' ? name.toLowerCase() : '';
  if (text.includes('endpointpolicy')) return 'endpoint';
  return text.includes('networkpolicy') ? 'network' : undefined;
}
