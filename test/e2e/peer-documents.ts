// Compares endpoint documents of different plugins, independent of case, order, defaults and the number of policies.

// biome-ignore lint/suspicious/noExplicitAny: documents are JSON
type Json = any;

export interface CanonicalEndpoint {
  readonly name: string;
  readonly addresses: readonly string[];
  /** The next hop by destination. */
  readonly routes: ReadonlyMap<string, string>;
  readonly dns: object;
  readonly mac: string | undefined;
  readonly policies: readonly object[];
  /** A plugin that does not know the endpoint's address writes "<nil>". */
  policiesOn(addresses: readonly string[]): readonly object[];
}

export function canonical(document: Json): CanonicalEndpoint {
  const policies = merged((document.Policies ?? []).map(policy));
  return {
    name: document.Name,
    addresses: (document.IpConfigurations ?? []).map((one: Json) => one.IpAddress),
    routes: new Map((document.Routes ?? []).map((one: Json) => [one.DestinationPrefix, one.NextHop])),
    dns: withoutDefaults(document.Dns ?? {}),
    mac: document.MacAddress?.toLowerCase(),
    policies,
    policiesOn: (addresses) =>
      JSON.parse(JSON.stringify(policies).replaceAll('"<nil>"', JSON.stringify(addresses[0]))),
  };
}

export function isOwnAddress(address: string, { addresses }: CanonicalEndpoint): boolean {
  return addresses.includes(address);
}

/** Whether a policy has all members of the peer's policy. */
export function includesMembers(own: Json, peer: Json): boolean {
  if (typeof peer !== 'object' || peer === null) return own === peer;
  if (Array.isArray(peer))
    return Array.isArray(own) && peer.every((item) => own.some((one) => includesMembers(one, item)));
  return Object.entries(peer).every(([key, value]) => includesMembers(own?.[key], value));
}

function policy({ Type, Settings }: Json): Json {
  return { type: Type.toLowerCase(), settings: withoutDefaults(Settings ?? {}) };
}

/** Several outbound NAT policies without destinations are equivalent to one with all their exceptions. */
function merged(policies: readonly Json[]): readonly object[] {
  const isGeneral = ({ type, settings }: Json) =>
    type === 'outboundnat' && settings.Destinations === undefined;
  const general = policies.filter(isGeneral);
  const exceptions = general.flatMap(({ settings }) => settings.Exceptions ?? []);
  const others = policies.filter((one) => !isGeneral(one));
  return general.length === 0
    ? others
    : [...others, { type: 'outboundnat', settings: withoutDefaults({ Exceptions: exceptions }) }];
}

function withoutDefaults(members: Json): object {
  const isDefault = (value: unknown) =>
    value === '' || value === 0 || value === false || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(members).filter(([, value]) => !isDefault(value)));
}
