import { describe, expect, test } from 'vitest';
import { attachmentOf } from '../../../src/cni/request.ts';
import type { Result } from '../../../src/cni/result.ts';
import { add } from '../../../src/commands/add.ts';
import { check } from '../../../src/commands/check.ts';
import { defaultBehavior } from '../../../src/config/behavior.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import { endpointId, networkId } from '../../../src/model/identity.ts';
import { example } from '../../e2e/example.ts';
import { hostAdapters } from '../plan/host-adapters.ts';
import { type SmallNodeOptions, smallNode } from './small-node.ts';

const namespaceId = '2d203c8e-8c70-4e74-9b2e-9f9b3e8c4b32';
const request = {
  command: 'CHECK',
  containerId: 'pod1',
  ifname: 'eth0',
  netns: namespaceId,
  namespaceId,
} as const;
const config = readNetworkConfig(example('nat'));
const id = endpointId(attachmentOf(request, config.name));

/** A node with one attachment, and the result of its ADD. HNS gives the endpoint an address. */
async function attached() {
  const node = smallNode({
    namespaces: [
      {
        ID: namespaceId,
        Type: 'HostDefault',
        Resources: [{ Type: 'Endpoint', Data: { Id: id } }],
      },
    ],
    adds: { IpConfigurations: [{ IpAddress: '172.19.208.5', PrefixLength: 20 }] },
  });
  const prevResult = await add(request, config, node.context, (result: Result) => result);
  return { node, prevResult };
}

describe('CHECK', () => {
  test('without the result of the ADD is code 7', async () => {
    const { node } = await attached();
    await expect(check(request, config, node.context)).rejects.toMatchObject({
      code: 7,
      message: '/prevResult is missing, expected the result of the ADD to check against',
      details: 'runtimes keep it; when you run CHECK yourself, use what ADD printed',
    });
  });

  test('is code 102 with every difference', async () => {
    const { node, prevResult } = await attached();
    await node.hcn.removeEndpoint(namespaceId, id);
    await expect(
      check(request, { ...config, prevResult, dns: { domain: 'x' } }, node.context),
    ).rejects.toMatchObject({
      code: 102,
      message: `the attachment differs from the result of ADD: the endpoint is in no namespace, expected ${namespaceId}`,
      details:
        'dns is {"Search":[],"ServerList":[],"Options":[]}, expected {"Domain":"x"}; delete the pod, so that it is recreated',
    });
  });

  test('of a deleted network is code 102 if the endpoint depends on it', async () => {
    const { node, prevResult } = await attached();
    await node.hcn.deleteNetwork(networkId(config.name));
    const dependent = { ...config, prevResult, mtu: 1400 };
    await expect(check(request, dependent, node.context)).rejects.toMatchObject({ code: 102 });
    await check(request, { ...config, prevResult }, node.context);
  });
});

describe('CHECK of a configuration that depends on its network', () => {
  const SchemaVersion = { Major: 2, Minor: 0 };
  const remote = (subnet: string, nextHop: string) => ({ subnet, nextHop });
  const bridge = {
    ID: networkId('cbr0'),
    Name: 'cbr0',
    Type: 'L2Bridge',
    Policies: [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'Ethernet' } }],
    Ipams: [{ Subnets: [{ IpAddressPrefix: '10.244.1.0/24' }] }],
    ManagementIP: '10.0.0.4',
    SchemaVersion,
  };

  /** While a network has no endpoint, ADD adds its missing remote subnets. */
  const otherPod = {
    ID: '0b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c5d',
    Name: 'other_cbr0_eth0',
    HostComputeNetwork: bridge.ID,
  };

  /** Runs ADD, then CHECK. Returns its error and the calls that CHECK made. */
  async function checked(
    changes: Partial<typeof config>,
    readAdapters = async () => hostAdapters,
    endpoints: SmallNodeOptions['endpoints'] = [],
  ) {
    const given = {
      ...readNetworkConfig(example('l2bridge')),
      name: 'cbr0',
      acls: [],
      defaultAction: undefined,
      loopbackDSR: false,
      ...changes,
    };
    let reads = 0;
    const node = smallNode({
      networks: [bridge],
      endpoints,
      namespaces: [
        {
          ID: namespaceId,
          Type: 'HostDefault',
          Resources: [{ Type: 'Endpoint', Data: { Id: endpointId(attachmentOf(request, 'cbr0')) } }],
        },
      ],
      adds: { IpConfigurations: [{ IpAddress: '10.244.1.5', PrefixLength: 24 }] },
      readAdapters: async () => {
        reads += 1;
        return readAdapters();
      },
    });
    const prevResult = await add(request, given, node.context, (result: Result) => result);
    const [from, readsBefore] = [node.calls.length, reads];
    const error: unknown = await check(request, { ...given, prevResult }, node.context).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    const ofNetwork = node.calls.slice(from).filter((call) => call.includes('Network'));
    return { error, queriesNetwork: ofNetwork.length > 0, readsAdapters: reads - readsBefore };
  }

  const routed = { remoteSubnets: [remote('10.244.2.0/24', '10.0.0.5')] };

  test.each([
    ['nothing that depends on it', {}, { queriesNetwork: false, readsAdapters: 0 }],
    ['an MTU', { mtu: 1400 }, { queriesNetwork: true, readsAdapters: 1 }],
    ['remote subnets', routed, { queriesNetwork: true, readsAdapters: 1 }],
    [
      'exceptions of outbound NAT for its subnets',
      { behavior: { ...defaultBehavior, exceptOwnSubnets: true } },
      { queriesNetwork: true, readsAdapters: 0 },
    ],
  ])('reads what it compares for %s', async (_, changes, expected) => {
    expect(await checked(changes)).toEqual({ error: undefined, ...expected });
  });

  test('is code 102 with every remote subnet that differs', async () => {
    const remoteSubnets = [remote('10.244.2.0/24', '10.0.0.5'), remote('10.244.3.0/24', '10.0.0.6')];
    const { error } = await checked({ remoteSubnets }, undefined, [otherPod]);
    expect(error).toMatchObject({
      code: 102,
      message: 'network "cbr0" differs from the configuration: remote subnet 10.244.2.0/24 is missing',
      details:
        'remote subnet 10.244.3.0/24 is missing; set the remote subnets with win-hcn network sync FILE --yes',
    });
  });
});
