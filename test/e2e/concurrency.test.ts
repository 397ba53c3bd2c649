import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hastyClock } from './clock.ts';
import { example } from './example.ts';
import { type IpamProgram, startIpamProgram } from './ipam-program.ts';
import { type Answer, type Node, type Pod, startNode } from './node.ts';
import { type Ended, runBundle } from './process.ts';

const ipam = { type: 'test-ipam' };
const config = example('l2bridge', { cniVersion: '1.1.0', ipam, hcnTimeoutSeconds: 120 });
const success = expect.objectContaining({ exitCode: 0 });

let node: Node;
let program: IpamProgram;
beforeEach(async () => {
  node = await startNode({}, () => hastyClock(1));
  program = startIpamProgram(node.ipam);
});
afterEach(async () => {
  program.stop();
  await node.stop();
});

/** Runs one command as a process. */
function command(name: string, { containerId, netns }: Pod, given: object = config): Promise<Ended> {
  const environment = {
    ...node.hns.environment,
    CNI_COMMAND: name,
    CNI_CONTAINERID: containerId,
    CNI_NETNS: netns,
    CNI_IFNAME: 'eth0',
    CNI_PATH: program.folder,
  };
  return runBundle(environment, JSON.stringify(given));
}

const newPods = (count: number): readonly Pod[] => Array.from({ length: count }, () => node.newPod());
const addressesOf = (endpoints: readonly Readonly<Record<string, unknown>>[]): readonly string[] =>
  endpoints.map(({ IpConfigurations }) => Object(IpConfigurations)[0].IpAddress);
const namesOfNamespaces = (endpoints: readonly Readonly<Record<string, unknown>>[]): ReadonlySet<unknown> =>
  new Set(endpoints.map(({ HostComputeNamespace }) => HostComputeNamespace));
const emptyNode = { endpoints: [], networks: [expect.objectContaining({ Name: 'l2bridge' })] };

describe('concurrent processes on a node without the network', () => {
  test.each([
    [24, 'whose service creates one network after the other', 'serialized'],
    [8, 'whose service creates one network at a time and refuses the others', 'some refused'],
  ] as const)(
    '%i of them, %s, create one network and as many endpoints and addresses',
    async (count, _, concurrentNetworks) => {
      await node.stop();
      node = await startNode({ switches: { concurrentNetworks } }, () => hastyClock(1));
      program.stop();
      program = startIpamProgram(node.ipam);
      const pods = newPods(count);
      const ended = await Promise.all(pods.map((pod) => command('ADD', pod)));
      expect(ended).toEqual(pods.map(() => success));
      const { networks, endpoints } = node.hns.dump();
      expect(networks).toMatchObject([{ Name: 'l2bridge' }]);
      expect(endpoints).toHaveLength(count);
      expect(namesOfNamespaces(endpoints)).toEqual(new Set(pods.map(({ netns }) => netns)));
      expect(new Set(addressesOf(endpoints)).size).toBe(count);
      expect(new Set(addressesOf(endpoints))).toEqual(new Set(node.ipam.leases.values()));
      expect(await Promise.all(pods.map((pod) => node.del(config, pod)))).toEqual(pods.map(() => success));
      expect(node.hns.dump()).toMatchObject(emptyNode);
      expect(node.ipam.leases.size).toBe(0);
      await expect.poll(() => node.hns.dump()).toMatchObject({ clients: 1 });
    },
    180_000,
  );
});

/** Runs ADD and DEL of each pod, so many at a time. Returns failures and the highest number of pods at once. */
async function comeAndGo(
  pods: readonly Pod[],
  atOnce: number,
  run: (name: string, pod: Pod) => Promise<Answer | Ended>,
): Promise<{ readonly failures: readonly (Answer | Ended)[]; readonly most: number }> {
  const waiting = [...pods];
  const failures: (Answer | Ended)[] = [];
  let standing = 0;
  let most = 0;
  const live = async (): Promise<void> => {
    for (let pod = waiting.shift(); pod !== undefined; pod = waiting.shift()) {
      const added = await run('ADD', pod);
      standing += 1;
      most = Math.max(most, standing);
      const ended = [added, await run('DEL', pod)];
      standing -= 1;
      failures.push(...ended.filter(({ exitCode }) => exitCode !== 0));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, live));
  return { failures, most };
}

test.each([
  [150, 48, 'in one process', (name: string, pod: Pod) => node.cni(name, { config, pod })],
  [12, 8, 'each command in a process of its own', (name: string, pod: Pod) => command(name, pod)],
] as const)(
  '%i pods are added and deleted, %i at a time, %s, and leave nothing',
  async (count, atOnce, _, run) => {
    const before = node.hns.dump().namespaces;
    const pods = newPods(count);
    const { failures, most } = await comeAndGo(pods, atOnce, run);
    expect(failures).toEqual([]);
    expect(most).toBeGreaterThan(atOnce / 4);
    expect(node.ipam.runs.map((run) => run.command).toSorted()).toEqual(
      pods.flatMap(() => ['ADD', 'DEL']).toSorted(),
    );
    expect(node.ipam.leases.size).toBe(0);
    const { namespaces, ...others } = node.hns.dump();
    expect(others).toMatchObject(emptyNode);
    expect(namespaces.filter(({ Resources }) => Resources !== undefined)).toEqual(
      before.filter(({ Resources }) => Resources !== undefined),
    );
  },
  120_000,
);
