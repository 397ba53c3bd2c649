import { describe, expect, test } from 'vitest';
import { HcnError } from '../../../src/hcn/errors.ts';
import { newNodeRoute } from '../../../src/net/node-route.ts';
import { previewSteps, unknownId } from '../../../src/steps/preview.ts';
import type { Step } from '../../../src/steps/step.ts';
import { changesIn, type SmallHcnOptions, smallHcn } from '../hcn/small-hcn.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
/** Ids that win-hcn derives have the version 5, those that HNS chooses have not. */
const id = (kind: 'network' | 'endpoint' | 'namespace' | 'load balancer', number: number, version = 5) => {
  const first = ['network', 'endpoint', 'namespace', 'load balancer'].indexOf(kind) + 1;
  return `${first}0000000-0000-${version}000-8000-00000000000${number}`;
};
const network = id('network', 1);
const otherNetwork = id('network', 2);
const newNetwork = id('network', 3);
const pod = id('endpoint', 1);
const other = id('endpoint', 2);
const created = id('endpoint', 3);
const host = id('namespace', 1);
const podNamespace = id('namespace', 2);
const balancer = id('load balancer', 1);
const otherBalancer = id('load balancer', 2);
const remoteSubnet = (DestinationPrefix: string) => ({
  Type: 'RemoteSubnetRoute',
  Settings: {
    DestinationPrefix,
    IsolationId: 4096,
    ProviderAddress: '10.0.0.5',
    DistributedRouterMacAddress: '00-15-5D-0A-0B-0C',
  },
});

/** A node with two networks, endpoints, namespaces and load balancers. */
const node: SmallHcnOptions = {
  networks: [
    { ID: network, Name: 'cbr0', Type: 'L2Bridge', Policies: [], SchemaVersion },
    { ID: otherNetwork, Name: 'nat', Type: 'NAT', SchemaVersion },
  ],
  endpoints: [
    {
      ID: pod,
      Name: 'pod',
      HostComputeNetwork: network,
      HostComputeNamespace: podNamespace,
      IpConfigurations: [{ IpAddress: '10.1.0.5' }],
      SchemaVersion,
    },
    { ID: other, Name: 'other', HostComputeNetwork: network, SchemaVersion },
  ],
  namespaces: [
    { ID: host, Type: 'HostDefault', IsDefault: true, SchemaVersion },
    { ID: podNamespace, Type: 'Guest', SchemaVersion },
  ],
  loadBalancers: [
    { ID: balancer, HostComputeEndpoints: [pod], PortMappings: [], SchemaVersion },
    { ID: otherBalancer, HostComputeEndpoints: [], PortMappings: [], SchemaVersion },
  ],
};

const preview = (options: SmallHcnOptions = node) => {
  const { hcn, calls } = smallHcn(options);
  return { ...previewSteps(hcn), calls };
};
type Preview = ReturnType<typeof preview>;

/** Reads everything, in short. */
async function readAll({ hcn }: Preview) {
  const names = (found: readonly { readonly Name: string }[]) => found.map(({ Name }) => Name);
  const ids = (found: readonly { readonly ID?: string }[]) => found.map(({ ID }) => ID);
  const endpoints = await hcn.findEndpoints();
  return {
    networks: names(await hcn.findNetworks()),
    endpoints: names(endpoints),
    attached: endpoints.filter(({ HostComputeNamespace: at = '' }) => at > '1').map(({ Name }) => Name),
    ofNetwork: await hcn.findEndpointsOfNetwork(network),
    namespaces: ids(await hcn.findNamespaces()),
    defaults: ids(await hcn.findDefaultNamespaces()),
    loadBalancers: ids(await hcn.findLoadBalancers()),
  };
}

const before = {
  networks: ['cbr0', 'nat'],
  endpoints: ['pod', 'other'],
  attached: ['pod'],
  ofNetwork: [pod, other],
  namespaces: [host, podNamespace],
  defaults: [host],
  loadBalancers: [balancer, otherBalancer],
};

const endpointDocument = { Name: 'new', HostComputeNetwork: network, SchemaVersion };
const document = { HostComputeEndpoints: [other], PortMappings: [], SchemaVersion };
const route = newNodeRoute(7, '10.244.2.0/24', '10.0.0.5');
const ofNetwork = { id: network, name: 'cbr0' };

/** Each step, its result, and its changes to `before`. */
const rows: readonly (readonly [Step, unknown, Partial<typeof before>])[] = [
  [{ do: 'add network policies', ...ofNetwork, policies: [{ Type: 'HostRoute' }] }, undefined, {}],
  [
    { do: 'delete unused network', ...ofNetwork, hostEndpoints: [other] },
    undefined,
    { networks: ['nat'], endpoints: ['pod'], ofNetwork: [] },
  ],
  ...(['create endpoint', 'create host endpoint'] as const).map(
    (name): readonly [Step, unknown, Partial<typeof before>] => [
      { do: name, id: created, document: endpointDocument, network },
      undefined,
      { endpoints: ['pod', 'other', 'new'], ofNetwork: [pod, other, created] },
    ],
  ),
  [{ do: 'add endpoint policies', id: pod, name: 'pod', policies: [{ Type: 'ACL' }] }, undefined, {}],
  ...(['attach endpoint', 'attach host endpoint'] as const).map(
    (name): readonly [Step, unknown, Partial<typeof before>] => [
      { do: name, endpoint: other, name: 'other', namespace: host, addresses: [] },
      undefined,
      { endpoints: ['pod', 'other'], attached: ['pod', 'other'] },
    ],
  ),
  [
    { do: 'attach endpoint', endpoint: created, name: 'absent', namespace: host, addresses: [] },
    undefined,
    {},
  ],
  [
    { do: 'detach endpoint', endpoint: pod, name: 'pod', namespace: podNamespace },
    true,
    { endpoints: ['other', 'pod'], attached: [], ofNetwork: [other, pod] },
  ],
  [
    { do: 'delete leftover endpoint', id: other, name: 'other' },
    true,
    { endpoints: ['pod'], ofNetwork: [pod] },
  ],
  [
    { do: 'delete load balancer', id: balancer, previous: document },
    true,
    { loadBalancers: [otherBalancer] },
  ],
  [
    { do: 'create namespace', id: id('namespace', 3), document: { Type: 'Guest', SchemaVersion } },
    undefined,
    { namespaces: [host, podNamespace, id('namespace', 3)] },
  ],
  [{ do: 'delete namespace', id: host }, true, { namespaces: [podNamespace], defaults: [] }],
  [{ do: 'assign addresses', plugin: 'host-local' }, { ips: [], routes: [], dns: {} }, {}],
  [{ do: 'create route', route }, undefined, {}],
  [{ do: 'delete route', route }, true, {}],
];

describe('a preview', () => {
  test.each(rows)('of $do records it, changes nothing, and reads HCN as it would be', async (...row) => {
    const [step, result, changes] = row;
    const previewed = preview();
    expect(await previewed.changes.apply(step)).toEqual(result);
    expect(previewed.steps).toEqual([step]);
    expect(await readAll(previewed)).toEqual({ ...before, ...changes });
    expect(changesIn(previewed.calls)).toEqual([]);
  });

  test('does not record a step that would change nothing', async () => {
    const { changes, steps } = preview();
    const step = {
      do: 'detach endpoint',
      endpoint: created,
      name: 'absent',
      namespace: podNamespace,
    } as const;
    expect(await changes.apply(step)).toBe(false);
    expect(steps).toEqual([]);
  });
});

describe('a previewed network', () => {
  test('has its remote subnets after they are added and removed', async () => {
    const previewed = preview();
    const [first, second] = [remoteSubnet('10.244.2.0/24'), remoteSubnet('10.244.3.0/24')];
    const policies = async () => (await previewed.hcn.findNetworkById(network))?.Policies;
    for (const policy of [first, second])
      await previewed.changes.apply({ do: 'add remote subnet', ...ofNetwork, policy });
    expect(await policies()).toEqual([first, second]);
    await previewed.changes.apply({ do: 'remove remote subnet', ...ofNetwork, policy: first });
    expect(await policies()).toEqual([second]);
    await previewed.changes.apply({ do: 'add remote subnet', id: newNetwork, name: 'absent', policy: first });
    expect(await previewed.hcn.findNetworkById(newNetwork)).toBeUndefined();
    expect(previewed.steps).toHaveLength(4);
  });
});

describe('a previewed endpoint', () => {
  const creation = (members: object = {}, requested = created) =>
    ({
      do: 'create endpoint',
      id: requested,
      document: { ...endpointDocument, ...members },
      network,
    }) as const;

  test('whose id exists is refused as HNS does', async () => {
    const { changes, steps } = preview();
    const creating = changes.apply({
      do: 'create host endpoint',
      id: pod,
      document: endpointDocument,
      network,
    });
    await expect(creating).rejects.toThrow(HcnError);
    await expect(creating).rejects.toThrow(
      `creating endpoint ${pod}: HCN returned ERROR_OBJECT_ALREADY_EXISTS (0x80071392): The object already exists. ` +
        'Find the owner of the address with win-hcn show ip ADDRESS, or the network with win-hcn ls networks.',
    );
    expect(steps).toEqual([]);
  });

  test('whose address another endpoint of the network has is refused as HNS does', async () => {
    const members = { ID: created, IpConfigurations: [{ IpAddress: '10.1.0.5' }] };
    const creating = preview().changes.apply(creation(members));
    await expect(creating).rejects.toThrow(
      `creating endpoint ${created}: HCN returned HCN_E_ADDR_INVALID_OR_RESERVED (0x803b002f): ` +
        'An address provided is invalid or reserved. Find the owner: win-hcn show ip 10.1.0.5. ' +
        'Delete leftovers: win-hcn gc --yes, and --other-plugins for those of other plugins. If pods use all addresses, use a larger subnet.',
    );
    const elsewhere = { ...members, HostComputeNetwork: otherNetwork };
    await preview().changes.apply(creation(elsewhere));
  });

  describe('on an HNS', () => {
    const chosen = (number: number) => id('endpoint', number, 4);
    const named = (ID: string, Name: string) => ({ ID, Name, HostComputeNetwork: network, SchemaVersion });

    test.each([
      ['that chooses ids has an unknown one', [named(chosen(7), 'new')], unknownId],
      [
        'with a namesake, which honors requested ids, has its own',
        [named(chosen(7), 'new'), named(other, 'x')],
        created,
      ],
      ['without a namesake has its own', [named(chosen(7), 'x')], created],
    ])('%s', async (_, endpoints, expected) => {
      const previewed = preview({ ...node, endpoints });
      await previewed.changes.apply(creation());
      expect(await previewed.hcn.findEndpoint(created)).toMatchObject({ ID: expected, Name: 'new' });
      expect(await previewed.hcn.findEndpoint(expected)).toMatchObject({ ID: expected, Name: 'new' });
    });
  });
});
