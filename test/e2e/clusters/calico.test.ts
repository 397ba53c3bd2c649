import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  applyAcls,
  felixEndpoint,
  felixRoutes,
  felixRules,
  startCalicoNode,
} from '../../cluster/agents/calico.ts';
import { delegateOf, remoteSubnetRoutes, startHostGw } from '../../cluster/agents/flannel.ts';
import { runCli } from '../cli/run-cli.ts';
import { example } from '../example.ts';
import { type Node, type Pod, startNode } from '../node.ts';

const environment = {
  FLANNEL_NETWORK: '10.244.0.0/16',
  FLANNEL_SUBNET: '10.244.1.1/24',
  FLANNEL_IPMASQ: 'false',
};

let node: Node;
beforeEach(async () => {
  node = await startNode();
});
afterEach(() => node.stop());

describe('Calico for policies, beside flannel host-gw with win-hcn', () => {
  const config = delegateOf('host-gw', environment);
  const kubeNetwork = /^cbr0$/;

  /** Adds a pod, and starts its container. */
  const addPod = async (changes: object = {}): Promise<{ pod: Pod; prevResult: unknown; given: object }> => {
    const given = { ...config, ...changes };
    const pod = node.newPod('pod1');
    const { json, exitCode } = await node.add(given, pod);
    expect(exitCode).toBe(0);
    node.hns.attachContainer(pod.netns, 'container1');
    return { pod, prevResult: json, given };
  };
  const found = () => felixEndpoint(node.hns, kubeNetwork, '10.244.1.10');
  const applyPolicy = () => {
    const endpoint = found();
    if (endpoint === undefined) throw new Error('felix finds no endpoint');
    applyAcls(node.hns, endpoint, felixRules(['10.0.0.4', '10.244.1.2']));
  };

  beforeEach(() => {
    startCalicoNode(node.hns, 'none', '10.244.1.0/24');
    startHostGw(node.hns, '10.244.1.0/24', '10.0.0.4');
  });

  test("felix' rules keep the pod's outbound NAT, and CHECK and DEL succeed", async () => {
    const { pod, prevResult } = await addPod();
    applyPolicy();
    const policies = node.hns.dump().endpoints.find(({ Name }) => Name === 'pod1_cbr0_eth0')?.['Policies'];
    const types = ['OutBoundNAT', 'OutBoundNAT', 'ACL', 'ACL', 'ACL', 'ACL', 'ACL', 'ACL'];
    expect(policies).toMatchObject(types.map((Type) => ({ Type })));
    expect(await node.check({ ...config, prevResult }, pod)).toMatchObject({ exitCode: 0, stdout: '' });
    node.hns.detachContainer(pod.netns, 'container1');
    expect(await node.del(config, pod)).toMatchObject({ exitCode: 0, stdout: '' });
    expect(node.hns.dump().endpoints).toMatchObject([{ Name: 'cbr0_ep' }]);
  });

  test('ACLs of the delegate are lost, and CHECK reports them', async () => {
    const acls = [{ action: 'Block', direction: 'Out', remoteAddresses: ['169.254.169.254'], priority: 200 }];
    const { pod, prevResult, given } = await addPod({ acls, defaultAction: 'Allow' });
    applyPolicy();
    const { exitCode, json } = await node.check({ ...given, prevResult }, pod);
    expect({ exitCode, text: JSON.stringify(json) }).toEqual({
      exitCode: 1,
      text: expect.stringContaining('169.254.169.254'),
    });
  });
});

describe('the remote subnets of an Overlay network', () => {
  const remote = {
    Type: 'RemoteSubnetRoute',
    Settings: {
      DestinationPrefix: '10.245.2.0/24',
      IsolationId: 4096,
      ProviderAddress: '10.0.0.5',
      DistributedRouterMacAddress: '00-15-5D-00-00-05',
    },
  };
  const remotes = () => remoteSubnetRoutes(node.hns, String(node.hns.dump().networks[0]?.['ID']));

  test.each([
    ['overlay', [remote]],
    ['calico-pods', []],
  ])('of a network with the name %s are these after felix has run: %j', async (name, expected) => {
    const config = example('overlay', { name, networkPolicies: [remote] });
    node.ipam.prefix = '10.245.1.';
    expect(await node.add(config)).toMatchObject({ exitCode: 0 });
    felixRoutes(node.hns, []);
    expect(remotes()).toEqual(expected);
  });
});

describe('after a boot, Calico with a backend of its own', () => {
  test.each(['vxlan', 'windows-bgp'] as const)(
    "and %s deletes win-hcn's networks, but not those of type NAT",
    async (backend) => {
      await node.add(example('nat', { ipam: undefined }));
      await node.add({ ...example('l2bridge-host-endpoint'), ipam: undefined });
      startCalicoNode(node.hns, backend, '10.244.1.0/26');
      expect(node.hns.dump().networks.map(({ Name }) => Name)).toEqual(['nat', 'External', 'Calico']);
    },
  );

  test('owns the remote subnets of its network: network sync is refused', async () => {
    startCalicoNode(node.hns, 'vxlan', '10.244.1.0/26');
    const own = { cniVersion: '1.0.0', name: 'Calico', type: 'win-hcn', networkType: 'Overlay' };
    const files = { 'net.conf': JSON.stringify({ ...own, createNetwork: 'never', remoteSubnets: [] }) };
    const words = ['network', 'sync', 'net.conf', '--yes'];
    const { exitCode, stderr } = await runCli(words, { files, system: node.outside });
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining("Calico's agent") });
  });
});
