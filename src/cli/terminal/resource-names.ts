/** The names of each kind of objects on the command line, as kubectl has them: singular, plural, and short if there is one. */
const namesOfKinds = [
  ['pod', 'pods', 'po'],
  ['container', 'containers'],
  ['ip', 'ips'],
  ['endpoint', 'endpoints', 'ep'],
  ['namespace', 'namespaces', 'ns'],
  ['network', 'networks', 'net'],
  ['loadbalancer', 'loadbalancers', 'lb'],
  ['port', 'ports'],
] as const;

/** Returns all names of the kind that has this name; only the name itself if it is of no kind. */
export function namesOf(name: string): readonly string[] {
  return namesOfKinds.find((names) => names.some((one) => one === name)) ?? [name];
}

/** Returns the one of `kinds` that has a name, in any of its forms. Ignores case. */
export function kindNamed<Kind extends string>(name: string, kinds: readonly Kind[]): Kind | undefined {
  const names = namesOf(name.toLowerCase());
  return kinds.find((kind) => names.includes(kind));
}

/** Returns the other names of the command of a kind, the short one first. */
export function aliasesOf(kind: string): string[] {
  return namesOf(kind)
    .filter((name) => name !== kind)
    .toReversed();
}

/** Describes the names that an argument accepts besides its choices. */
export const otherNamesText = 'singular, plural or short (net, ep, ns, lb)';
