// Networks that win-hcn creates and synchronizes itself, without another agent: two Windows nodes, and Linux nodes as flannel sets them up.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectReach, journey } from '../../cluster/judge.ts';
import {
  allBut,
  type LinuxNode,
  outside,
  remotesTo,
  type SyncedCluster,
  startSyncedCluster,
} from '../../cluster/synced-cluster.ts';

const linux: LinuxNode = { n: 0, address: '10.0.0.2', mac: '86:1b:2c:3d:4e:5f' };
const pods = ['10.244.1.10', '10.244.2.10', '10.244.0.9'];
const windowsPods = pods.slice(0, 2);
const nodes = { 'win-1': '10.0.0.11', 'win-2': '10.0.0.12', 'linux-0': '10.0.0.2' };
const podsOf = { 'win-1': '10.244.1.10', 'win-2': '10.244.2.10' };
const serviceAddress = '10.96.0.10';

const pairs = <A, B>(from: readonly A[], to: readonly B[]): readonly (readonly [A, B])[] =>
  from.flatMap((one) => to.map((other) => [one, other] as const));

describe.each(['Overlay', 'L2Bridge'] as const)('on %s networks', (type) => {
  let cluster: SyncedCluster;
  beforeAll(async () => {
    cluster = await startSyncedCluster(type);
    await cluster.sync([linux]);
    await cluster.addPods();
    await cluster.addService({ clusterIP: serviceAddress, port: 80, targetPort: 8080, backends: pods });
  });
  afterAll(() => cluster.stop());

  test('every pod reaches every other pod with its own address', () => {
    const now = cluster.now([linux]);
    for (const [from, to] of pairs(pods, pods)) if (from !== to) expectReach(now, from, to, { as: from });
  });

  test('every pod reaches the other nodes and outside hosts', () => {
    const now = cluster.now([linux]);
    for (const [from, to] of pairs(pods, [...Object.values(nodes), outside])) {
      const isOwn = Object.entries(podsOf).some(([name, pod]) => pod === from && Object(nodes)[name] === to);
      if (!isOwn) expectReach(now, from, `${to}:443`);
    }
  });

  test('every pod of a Windows node reaches the service, whichever pod the load balancer chooses', () => {
    const now = cluster.now([linux]);
    for (const pod of windowsPods) {
      expect(journey(now, pod, `${serviceAddress}:80`).ways).toHaveLength(pods.length);
      expectReach(now, pod, `${serviceAddress}:80`);
    }
  });

  test('every node reaches its own pods, and the Linux node all pods', () => {
    const now = cluster.now([linux]);
    for (const [node, pod] of Object.entries(podsOf)) expectReach(now, node, pod);
    for (const pod of pods) expectReach(now, 'linux-0', pod);
  });

  test('another sync has nothing to change', async () => {
    expect(await cluster.sync([linux])).toEqual(['Nothing to change.\n', 'Nothing to change.\n']);
  });

  const joining: LinuxNode = { n: 3, address: '10.0.0.3', mac: '9a:7e:01:02:03:04' };
  const moved = { ...joining, address: '10.0.0.33' };
  const subnet = '10.244.3.0/24';
  const remote = (address: string) =>
    type === 'Overlay' ? `RemoteSubnetRoute ${address}` : `route ${address}`;
  const changing = type === 'Overlay' ? 'HcnModifyNetwork' : /^(?:Create|Delete)IpForwardEntry2$/;

  test.each<[string, readonly LinuxNode[], readonly string[], number]>([
    ['a node joins', [linux, joining], [remote(joining.address)], 1],
    ['it changes its address', [linux, moved], [remote(moved.address)], 2],
    ['it leaves', [linux], [], 1],
  ])('when %s, one sync on each node changes nothing else', async (_, now, remotes, changes) => {
    const before = cluster.nodes.map((node) => allBut(node, subnet));
    const calls = () =>
      cluster.nodes.map(
        ({ hns }) =>
          [...hns.calls.map((call) => call.function), ...hns.ipHelperCalls].filter((name) =>
            name.match(changing),
          ).length,
      );
    const made = calls();
    await cluster.sync(now);
    expect(cluster.nodes.map((node) => remotesTo(node, subnet))).toEqual([remotes, remotes]);
    expect(cluster.nodes.map((node) => allBut(node, subnet))).toEqual(before);
    expect(calls()).toEqual(made.map((count) => count + changes));
    const reached = now.length > 1 ? [...pods, '10.244.3.9'] : pods;
    for (const [from, to] of pairs(reached, reached))
      if (from !== to) expectReach(cluster.now(now), from, to, { as: from });
  });
});
