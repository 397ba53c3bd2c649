import { describe, expect, test } from 'vitest';
import {
  planSync,
  type RoutingState,
  readRoutingState,
  syncRemoteSubnets,
} from '../../../src/commands/sync-remote-subnets.ts';
import type { RemoteSubnet } from '../../../src/config/network-config.ts';
import { HcnError } from '../../../src/hcn/errors.ts';
import { IpHelperTimeout } from '../../../src/iphlpapi/windows-errors.ts';
import { newNodeRoute } from '../../../src/net/node-route.ts';
import type { Step } from '../../../src/steps/step.ts';
import { hostAdapters } from '../plan/host-adapters.ts';
import { type SmallNodeOptions, smallNode } from './small-node.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const id = 'a7a2c4b0-0000-4000-8000-000000000000';
const [one, two, three] = [1, 2, 3].map((number) => `10.244.${number}.0/24`) as [string, string, string];
const provider = (number: number) => `10.0.0.${number}`;
const mac = (number: number) => `00-15-5D-00-00-0${number}`;

/** A policy of HCN for a remote subnet through a node of this number. */
const policy = (DestinationPrefix: string, number: number) => ({
  Type: 'RemoteSubnetRoute',
  Settings: {
    DestinationPrefix,
    IsolationId: 4096,
    ProviderAddress: provider(number),
    DistributedRouterMacAddress: mac(number),
  },
});
const overlay = (Policies: readonly object[] = []) =>
  ({
    ID: id,
    Name: 'vxlan0',
    Type: 'Overlay',
    Policies,
    Ipams: [],
    SchemaVersion,
  }) as RoutingState['network'];
const tunnel = (subnet: string, number: number): RemoteSubnet => ({
  subnet,
  providerAddress: provider(number),
  macAddress: mac(number),
  vsid: 4096,
});

const bridge: RoutingState['network'] = {
  ID: id,
  Name: 'cbr0',
  Type: 'L2Bridge',
  Policies: [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'Ethernet' } }],
  Ipams: [{ Subnets: [{ IpAddressPrefix: '10.244.0.0/24' }] }],
  SchemaVersion,
};
const interfaceIndex = 12;
const route = (subnet: string, number: number) => newNodeRoute(interfaceIndex, subnet, provider(number));
const hop = (subnet: string, number: number): RemoteSubnet => ({ subnet, nextHop: provider(number) });

const via = (subnet: string, address: string | undefined) => ({ subnet, via: address });

describe('how a node reaches the pods of other nodes', () => {
  const read = (network: RoutingState['network'], options: SmallNodeOptions = {}) =>
    readRoutingState(network, smallNode(options).targets);

  test('on an Overlay network, is in the network', async () => {
    const network = overlay();
    expect(await read(network)).toEqual({ network, adapters: hostAdapters, table: undefined });
  });

  test('on an L2Bridge network, is in the routes of the interface with the address of the node', async () => {
    const table = { interfaceIndex, routes: [] };
    expect(await read(bridge)).toEqual({ network: bridge, adapters: hostAdapters, table });
  });

  test.each([
    [
      'of another type',
      { ...bridge, Type: 'NAT' },
      hostAdapters,
      {
        code: 7,
        message: 'network "cbr0" is of type NAT, which has no remote subnets',
        details: 'only Overlay and L2Bridge networks have remote subnets',
      },
    ],
    [
      'without an address of the node',
      bridge,
      [],
      {
        code: 11,
        message: 'no interface of this node has an address on network "cbr0"',
        details: 'check Get-NetIPAddress and Get-NetAdapter -IncludeHidden',
      },
    ],
  ])('is an error on a network %s', async (_, network, adapters, error) => {
    await expect(read(network, { readAdapters: async () => adapters })).rejects.toMatchObject(error);
  });
});

describe('the changes of a sync', () => {
  const ofNetwork = { id, name: 'vxlan0' };

  test('of an Overlay network remove each policy of a different remote subnet, also an unreadable one', () => {
    const unreadable = { ...policy(two, 9), Settings: { ...policy(two, 9).Settings, ProviderAddress: 'x' } };
    const network = overlay([policy(one, 1), policy(two, 8), unreadable]);
    const state = { network, adapters: [], table: undefined };
    expect(planSync(state, [tunnel(one, 1), tunnel(two, 2)])).toEqual([
      {
        subnet: two,
        from: [via(two, provider(8)), via(two, undefined)],
        to: via(two, provider(2)),
        steps: [
          { do: 'remove remote subnet', ...ofNetwork, policy: policy(two, 8) },
          { do: 'remove remote subnet', ...ofNetwork, policy: unreadable },
          { do: 'add remote subnet', ...ofNetwork, policy: policy(two, 2) },
        ],
        conflicts: [],
      },
    ]);
  });
});

test.each([
  ['vxlan0', 'Overlay', overlay(), undefined, hop(one, 1), '"providerAddress" and "macAddress"'],
  ['cbr0', 'L2Bridge', bridge, { interfaceIndex, routes: [] }, tunnel(one, 1), '"nextHop"'],
])('a remote subnet that does not suit network %s of type %s is refused', (...row) => {
  const [name, type, network, table, wanted, needed] = row;
  expect(() => planSync({ network, adapters: [], table }, [wanted])).toThrow(
    expect.objectContaining({
      code: 7,
      message: `remote subnet ${one} does not suit network "${name}" of type ${type}, which needs ${needed}`,
      details: 'correct /remoteSubnets, or the network type',
    }),
  );
});

describe('a sync', () => {
  /**
   * Syncs an L2Bridge network. `failing` returns the failure of a step. Returns the executed steps and the error.
   */
  async function synced({
    wanted = [hop(one, 1), hop(two, 2), hop(three, 3)],
    before = [] as readonly ReturnType<typeof route>[],
    failing = (_step: string): unknown => undefined,
  } = {}) {
    const small = smallNode({ networks: [bridge] });
    const { ipHelper } = small.targets;
    for (const route of before) await ipHelper.createRoute(route);
    const { length } = small.interfaces;
    const state = await readRoutingState(bridge, small.targets);
    const { changes } = small.context;
    const steps: string[] = [];
    const apply = async (step: Step) => {
      const text = 'route' in step ? `${step.do} ${step.route.prefix}` : step.do;
      const failure = failing(text);
      if (failure !== undefined) {
        steps.push(`${text} fails`);
        throw failure;
      }
      const result = await changes.apply(step);
      steps.push(text);
      return result;
    };
    const context = { ...small.context, changes: { ...changes, apply: apply as typeof changes.apply } };
    const error: unknown = await syncRemoteSubnets(planSync(state, wanted), context).catch(
      (thrown: unknown) => thrown,
    );
    return { error, steps, routes: small.interfaces.slice(length) };
  }

  test('continues after a change that HNS refuses, and fails', async () => {
    const { error, steps } = await synced({
      failing: (step) =>
        step === `create route ${two}` ? new HcnError('adding', 0x803b001d, '') : undefined,
    });
    expect(steps).toEqual([`create route ${one}`, `create route ${two} fails`, `create route ${three}`]);
    expect(String(error)).toContain('0x803b001d');
    expect(error).toMatchObject({
      details: expect.stringContaining('remote subnets: 2 changed, 1 failed, 0 skipped'),
    });
  });

  test.each<[string, unknown]>([
    ['Windows does not respond', new IpHelperTimeout('creating a route', 30)],
    ['fails internally', new TypeError('broken')],
  ])('ends at a change to which %s', async (_, failure) => {
    const { error, steps } = await synced({
      failing: (step) => (step === `create route ${two}` ? failure : undefined),
    });
    expect(steps).toEqual([`create route ${one}`, `create route ${two} fails`]);
    expect(error).toMatchObject({
      details: expect.stringContaining('remote subnets: 1 changed, 1 failed, 1 skipped'),
    });
  });
});
