import fc from 'fast-check';
import { defaultBehavior, dropInBehavior } from '../../src/config/behavior.ts';
import type {
  HostComputeNamespace,
  ObservedEndpoint,
  ObservedLoadBalancer,
} from '../../src/hcn/documents.ts';
import type { EndpointId, NamespaceId } from '../../src/hcn/guid.ts';
import { endpointId, hostEndpointId, networkId } from '../../src/model/identity.ts';
import type { Owner } from '../../src/model/ownership.ts';
import { macFromAddress } from '../../src/net/mac.ts';

export const network = 'cbr0';
export const dialects = { 'its own': defaultBehavior, "a replaced plugin's": dropInBehavior };

type Dialect = keyof typeof dialects;

const SchemaVersion = { Major: 2, Minor: 0 };
const hostNamespace = '7cb720c0-0c39-4b8f-a1f7-3f4a2d9e6b02';
const podNamespace = '7cb720c0-0c39-4b8f-a1f7-3f4a2d9e6b01';
const missingNamespace = '7cb720c0-0c39-4b8f-a1f7-3f4a2d9e6b03';
const zeroNamespace = '00000000-0000-0000-0000-000000000000';

export const namespaces: readonly (HostComputeNamespace & { readonly ID: NamespaceId })[] = [
  { ID: hostNamespace, Type: 'HostDefault', NamespaceId: 1, SchemaVersion },
  { ID: podNamespace, Type: 'Host', NamespaceId: 2, SchemaVersion },
];

/** Who created an endpoint, and whose configuration may delete it. */
interface Kind {
  readonly owner: Owner;
  readonly managedBy: readonly Dialect[];
  /** The owner in a pod's namespace, if it is another one there. */
  readonly attachedOwner?: Owner;
  readonly isRemote?: true;
  /** Its container is its number, `c1`. */
  readonly identity: (number: number) => {
    readonly id?: EndpointId;
    readonly name: string;
    readonly mac?: string;
  };
  readonly namespace?: NamespaceId;
}

const both: readonly Dialect[] = ['its own', "a replaced plugin's"];
const attachment = (number: number) => ({ containerId: `c${number}`, ifname: 'eth0', network });
const addressOf = (number: number) => `10.0.0.${number + 10}`;

/** Endpoints on a network whose HNS honors requested ids. Without an id in the table, HNS generated it. */
const honoredKinds = {
  'of win-hcn': {
    owner: 'win-hcn',
    managedBy: both,
    identity: (n) => ({ id: endpointId(attachment(n)), name: `c${n}_cbr0_eth0` }),
  },
  "of win-hcn with a replaced plugin's name": {
    owner: 'win-hcn',
    managedBy: ["a replaced plugin's"],
    identity: (n) => ({ id: endpointId(attachment(n)), name: `c${n}_cbr0` }),
  },
  'with the name of win-hcn, but a generated id': {
    owner: 'unknown',
    managedBy: [],
    identity: (n) => ({ name: `c${n}_cbr0_eth0` }),
  },
} as const satisfies Readonly<Record<string, Kind>>;

/** Endpoints on a network whose HNS generates every id. */
const generatedKinds = {
  'of win-hcn': { owner: 'win-hcn', managedBy: both, identity: (n) => ({ name: `c${n}_cbr0_eth0` }) },
} as const satisfies Readonly<Record<string, Kind>>;

/** Endpoints of others, whose ids HNS generates in any case. */
const foreignKinds = {
  'of a replaced plugin': {
    owner: 'another plugin',
    managedBy: ["a replaced plugin's"],
    identity: (n) => ({ name: `c${n}_cbr0` }),
  },
  'of kube-proxy': {
    owner: 'kube-proxy',
    managedBy: [],
    isRemote: true,
    identity: (n) => ({ name: `c${n}_cbr0`, mac: macFromAddress('02-11', addressOf(n)) }),
  },
  'for a backend, of another program': {
    owner: 'unknown',
    managedBy: [],
    isRemote: true,
    identity: (n) => ({ name: `c${n}_cbr0_eth0`, mac: '00-15-5D-00-00-01' }),
  },
  'in the namespace of the node': {
    owner: 'node',
    managedBy: [],
    identity: (n) => ({ name: `c${n}_cbr0_eth0` }),
    namespace: hostNamespace,
  },
  'with the name of the host endpoint': {
    owner: 'node',
    managedBy: [],
    attachedOwner: 'unknown',
    identity: () => ({ name: 'cbr0_ep' }),
  },
  'of azure-vnet': {
    owner: 'another plugin',
    managedBy: [],
    identity: (n) => ({ name: `0000000${n}-eth0` }),
  },
  'of another program': { owner: 'unknown', managedBy: [], identity: (n) => ({ name: `by-hand-${n}` }) },
} as const satisfies Readonly<Record<string, Kind>>;

/** The node's endpoint with a derived id, which shows that HNS honors ids. */
const hostEndpoint: Kind = {
  owner: 'node',
  managedBy: [],
  identity: () => ({ id: hostEndpointId(network), name: 'cbr0_ep' }),
};

/** An endpoint, and what is true of it. */
export interface KnownEndpoint {
  readonly document: ObservedEndpoint;
  readonly owner: Owner;
  readonly isRemote: boolean;
  /** The dialects of the configurations that may delete it for a container. */
  readonly managedBy: readonly Dialect[];
  readonly container: string;
  readonly namespace: 'none' | 'missing' | 'exists';
  readonly isBackend: boolean;
}

export interface NodeObjects {
  readonly endpoints: readonly KnownEndpoint[];
  readonly loadBalancers: readonly ObservedLoadBalancer[];
}

const placements = {
  none: undefined,
  zero: zeroNamespace,
  missing: missingNamespace,
  exists: podNamespace,
} as const;

interface Draw {
  readonly kind: Kind;
  readonly placement: keyof typeof placements;
  readonly state: number | undefined;
  readonly isBackend: boolean;
}

function drawOf(kinds: Readonly<Record<string, Kind>>): fc.Arbitrary<Draw> {
  return fc.record({
    kind: fc.constantFrom(...Object.values(kinds)),
    placement: fc.constantFrom(...(Object.keys(placements) as (keyof typeof placements)[])),
    state: fc.constantFrom(undefined, 1, 2, 3, 4, 5, 6),
    isBackend: fc.boolean(),
  });
}

function known({ kind, placement, state, isBackend }: Draw, number: number): KnownEndpoint {
  const { id, name, mac } = kind.identity(number);
  const namespace = kind.namespace ?? placements[placement];
  const isInPodNamespace = placement === 'missing' || placement === 'exists';
  return {
    document: {
      ID: id ?? `0b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c${number.toString(16).padStart(2, '0')}`,
      Name: name,
      HostComputeNetwork: networkId(network),
      IpConfigurations: [{ IpAddress: addressOf(number), PrefixLength: 24 }],
      ...(namespace !== undefined && { HostComputeNamespace: namespace }),
      ...(mac !== undefined && { MacAddress: mac }),
      ...(state !== undefined && { State: state }),
      ...(kind.isRemote && { Flags: 1 }),
      SchemaVersion,
    },
    owner: isInPodNamespace ? (kind.attachedOwner ?? kind.owner) : kind.owner,
    isRemote: kind.isRemote ?? false,
    managedBy: kind.managedBy,
    container: `c${number}`,
    namespace:
      kind.namespace !== undefined || placement === 'exists'
        ? 'exists'
        : placement === 'missing'
          ? 'missing'
          : 'none',
    isBackend,
  };
}

/** The endpoints and load balancers of one network, with endpoints of every owner in every state. */
export const nodeObjects: fc.Arbitrary<NodeObjects> = fc
  .boolean()
  .chain((honored) => {
    const kinds = { ...(honored ? honoredKinds : generatedKinds), ...foreignKinds };
    const proof: readonly Draw[] = honored
      ? [{ kind: hostEndpoint, placement: 'none', state: undefined, isBackend: false }]
      : [];
    return fc.array(drawOf(kinds), { maxLength: 6 }).map((draws) => [...proof, ...draws]);
  })
  .map((draws) => {
    const endpoints = draws.map(known);
    const backends = endpoints.filter(({ isBackend }) => isBackend).map(({ document }) => document.ID);
    const loadBalancers =
      backends.length === 0
        ? []
        : [
            {
              ID: '8c621451-04d1-4958-8253-70a8337109b0',
              HostComputeEndpoints: backends,
              PortMappings: [],
              SchemaVersion,
            },
          ];
    return { endpoints, loadBalancers };
  });
