import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { interceptHcnCalls } from '../../../src/hcn/library.ts';
import { networkId } from '../../../src/model/identity.ts';
import { system } from '../../../src/system.ts';
import { failure, problem, success } from '../cli/run-cli.ts';
import { type Node, startNode } from '../node.ts';
import { createNetwork, overlay, remoteSubnets, sync, tunnelNode, tunnels } from './sync-node.ts';

const id = networkId('pods');

let node: Node;
beforeEach(async () => {
  node = await startNode();
  await createNetwork(node, overlay());
});
afterEach(() => node.stop());

const cluster = (...numbers: readonly number[]) => numbers.map((n) => tunnelNode(n));
const usualSide = (number: number) => ({
  provider: `10.0.0.${number + 3}`,
  mac: `00-15-5D-00-00-0${number}`,
});
const add = (n: number, number: number, side: object = {}) => {
  const { provider, mac } = { ...usualSide(number), ...side };
  return `${n}. add remote subnet 10.244.${number}.0/24 (${provider}, ${mac}) to network "pods"`;
};
const remove = (n: number, number: number, side: object = {}) => {
  const { provider, mac } = { ...usualSide(number), ...side };
  return `${n}. remove remote subnet 10.244.${number}.0/24 (${provider}, ${mac}) from network "pods"`;
};
const outcome = (counts: string) => `remote subnets of network "pods" ${id}: ${counts}`;
const unchanged = 'No changes made. Rerun with --yes to apply.';

/** What the calls of HcnModifyNetwork said. */
const modifications = () =>
  node.hns.calls.filter((call) => call.function === 'HcnModifyNetwork').map(({ document }) => document);

const settings = (number: number, more: object = {}) => ({
  DestinationPrefix: `10.244.${number}.0/24`,
  IsolationId: 4096,
  ProviderAddress: `10.0.0.${number + 3}`,
  DistributedRouterMacAddress: `00-15-5D-00-00-0${number}`,
  ...more,
});
const request = (RequestType: 'Add' | 'Remove', number: number, more: object = {}) => ({
  ResourceType: 'Policy',
  RequestType,
  Settings: { Policies: [{ Type: 'RemoteSubnetRoute', Settings: settings(number, more) }] },
});
describe('network sync of an Overlay network', () => {
  test('shows its steps, and changes nothing without --yes', async () => {
    expect(await sync(node, overlay(), cluster(1, 2, 3), [])).toEqual(
      problem(add(1, 2), add(2, 3), unchanged),
    );
    expect(tunnels(node)).toEqual([]);
  });

  test('adds one remote subnet for each other node, and has nothing to change the second time', async () => {
    node.hns.clearCalls();
    expect(await sync(node, overlay(), cluster(1, 2, 3))).toEqual(
      success(add(1, 2), add(2, 3), outcome('2 added')),
    );
    expect(modifications()).toEqual([request('Add', 2), request('Add', 3)]);
    expect(await sync(node, overlay(), cluster(1, 2, 3))).toEqual(success('Nothing to change.'));
    expect(modifications()).toHaveLength(2);
  });

  test.each([
    ['leaves', cluster(1, 3), [request('Remove', 2)]],
    [
      'changes its address',
      [...cluster(1, 3), tunnelNode(2, { address: '10.0.0.22' })],
      [request('Remove', 2), request('Add', 2, { ProviderAddress: '10.0.0.22' })],
    ],
  ])('changes only that when a node %s', async (_, nodes, expected) => {
    await sync(node, overlay(), cluster(1, 2, 3));
    node.hns.clearCalls();
    expect(await sync(node, overlay(), nodes)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(modifications()).toEqual(expected);
  });

  test('removes nothing for a list without this node, or without nodes', async () => {
    await sync(node, overlay(), cluster(1, 2, 3));
    const details =
      'Pass all nodes of the cluster, without a selector: kubectl get nodes -o json. To delete all remote subnets, set ' +
      '"remoteSubnets": [] in the configuration and leave out --nodes.';
    const clause = 'no node has one of its addresses, or 10.244.1.0/24, the subnet of network "pods"';
    expect(await sync(node, overlay(), cluster(2))).toEqual(
      failure(1, `win-hcn: this node is not in the list of nodes: ${clause}`, details),
    );
    expect(await sync(node, overlay(), [])).toMatchObject({ exitCode: 1 });
    expect(tunnels(node)).toHaveLength(2);
  });

  test('takes remoteSubnets of the file, alone or with those of the nodes', async () => {
    const router = {
      subnet: '10.244.64.0/18',
      providerAddress: '10.0.0.64',
      macAddress: '00-15-5D-00-00-64',
    };
    const replaced = {
      subnet: '10.244.2.0/24',
      providerAddress: '10.0.0.22',
      macAddress: '00-15-5D-00-00-02',
    };
    const config = overlay({ remoteSubnets: [router, replaced] });
    expect(await sync(node, config, cluster(1, 2, 3))).toEqual({
      ...success(
        '1. add remote subnet 10.244.64.0/18 (10.0.0.64, 00-15-5D-00-00-64) to network "pods"',
        add(2, 2, { provider: '10.0.0.22' }),
        add(3, 3),
        outcome('3 added'),
      ),
      stderr:
        'win-hcn: node "node-2" is skipped: it has pod subnet 10.244.2.0/24, and 10.244.2.0/24 of the configuration takes precedence\n',
    });
    expect(tunnels(node)).toEqual([
      '10.244.2.0/24 via 10.0.0.22',
      '10.244.3.0/24 via 10.0.0.6',
      '10.244.64.0/18 via 10.0.0.64',
    ]);
    expect(await sync(node, config, undefined)).toEqual(success(remove(1, 3), outcome('1 removed')));
    expect(await sync(node, overlay({ remoteSubnets: [] }), undefined)).toMatchObject({ exitCode: 0 });
    expect(tunnels(node)).toEqual([]);
  });

  test('leaves routes that networkPolicies configures alone', async () => {
    const policy = { Type: 'RemoteSubnetRoute', Settings: settings(9) };
    await node.hcn.addNetworkPolicies(id, [policy]);
    const config = overlay({ networkPolicies: [policy], remoteSubnets: [] });
    expect(await sync(node, config, undefined)).toEqual(success('Nothing to change.'));
  });
});

describe('network sync refuses', () => {
  test('remote subnets of the form of another type than the network has in HCN', async () => {
    const config = {
      ...overlay({ networkType: 'L2Bridge', subnets: [{ subnet: '10.244.1.0/24' }] }),
      remoteSubnets: [{ subnet: '10.244.2.0/24', nextHop: '10.0.0.5' }],
    };
    expect(await sync(node, config, undefined)).toEqual(
      failure(
        1,
        'win-hcn: remote subnet 10.244.2.0/24 does not suit network "pods" of type Overlay, which needs "providerAddress" and "macAddress"',
        'correct /remoteSubnets, or the network type',
      ),
    );
  });

  const advice =
    'Two programs that set the remote subnets of one network overwrite each other. To use win-hcn, stop the other one, delete the network, and create it with win-hcn network ensure.';

  test.each([
    ['flannel.4096', 'flanneld'],
    ['OVNKubernetesHybridOverlayNetwork', 'the hybrid overlay of OVN-Kubernetes'],
  ])('network %s, which %s manages', async (name, agent) => {
    await node.hcn.deleteNetwork(id);
    await createNetwork(node, overlay({ name }));
    expect(await sync(node, overlay({ name }), cluster(1, 2))).toEqual(
      failure(
        1,
        `win-hcn: network "${name}" is not changed: ${agent} manages its remote subnets, as its name shows`,
        advice,
      ),
    );
  });

  test('a network of another program with remote subnets that win-hcn does not write', async () => {
    const { ID: _, ...document } = (await node.hcn.findNetwork('pods')) ?? {};
    await node.hcn.deleteNetwork(id);
    const other = networkId('of another program');
    await node.hcn.createNetwork(other, { ...document, Name: 'pods', SchemaVersion: { Major: 2, Minor: 0 } });
    expect(await sync(node, overlay(), cluster(1))).toEqual(success('Nothing to change.'));
    const given = settings(2, { DistributedRouterMacAddress: '00:15:5d:00:00:02' });
    await node.hcn.addNetworkPolicies(other, [{ Type: 'RemoteSubnetRoute', Settings: given }]);
    expect(await sync(node, overlay(), cluster(1))).toEqual(
      failure(
        1,
        'win-hcn: network "pods" is not changed: another program manages its remote subnets, as MAC address 00:15:5d:00:00:02 shows',
        advice,
      ),
    );
    expect(remoteSubnets(node)).toHaveLength(1);
  });
});

describe('a restart of the service between the removal and the addition of a changed remote subnet', () => {
  const changed = [tunnelNode(1), tunnelNode(2, { address: '10.0.0.22' })];
  /** Syncs node 2 to another address. `refused`: HNS then refuses the addition. */
  const syncWithRestart = async (refused: boolean) => {
    await sync(node, overlay(), cluster(1, 2));
    if (refused)
      node.hns.inject({ function: 'HcnModifyNetwork', ordinal: 3, effect: { hresult: 0x80004005 } });
    let removals = 0;
    const { loadLibrary = system.loadLibrary } = node.outside;
    const restarting = interceptHcnCalls(loadLibrary, async ({ name }, make) => {
      const response = await make();
      if (name === 'HcnModifyNetwork' && removals++ === 0) node.hns.restart();
      return response;
    });
    return sync(node, overlay(), changed, ['--yes'], {
      system: { ...node.outside, loadLibrary: async () => restarting },
    });
  };

  test('does not lose the subnet', async () => {
    expect(await syncWithRestart(false)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(tunnels(node)).toEqual(['10.244.2.0/24 via 10.0.0.22']);
  });

  test('is rolled back through a new handle if HNS refuses the addition', async () => {
    const { exitCode, stderr } = await syncWithRestart(true);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('E_FAIL');
    expect(stderr).not.toContain('rollback of');
    expect(tunnels(node)).toEqual(['10.244.2.0/24 via 10.0.0.5']);
  });
});
