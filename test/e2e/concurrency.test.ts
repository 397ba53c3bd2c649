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

/** One command as a process of its own. */
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
const codeOf = ({ exitCode, stdout }: Ended): number => (exitCode === 0 ? 0 : JSON.parse(stdout).code);
const addressesOf = (endpoints: readonly Readonly<Record<string, unknown>>[]): readonly string[] =>
  endpoints.map(({ IpConfigurations }) => Object(IpConfigurations)[0].IpAddress);
const namesOfNamespaces = (endpoints: readonly Readonly<Record<string, unknown>>[]): ReadonlySet<unknown> =>
  new Set(endpoints.map(({ HostComputeNamespace }) => HostComputeNamespace));
/** The namespaces that the endpoints of a pod are in. */
const namespacesOf = ({ containerId }: Pod): readonly unknown[] =>
  node.hns
    .dump()
    .endpoints.filter(({ Name }) => String(Name).startsWith(`${containerId}_`))
    .map(({ HostComputeNamespace }) => HostComputeNamespace);
const hcnFailure = 100;
const alreadyAttached = 101;
const emptyNode = { endpoints: [], networks: [expect.objectContaining({ Name: 'l2bridge' })] };

describe('processes at once, on a node without the network', () => {
  test.each([
    [64, 'whose service creates one network after the other', 'serialised'],
    [16, 'whose service creates one network at a time and fails the others', 'fail'],
  ] as const)(
    '%i of them, %s, make one network and as many endpoints and addresses',
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
      expect(await Promise.all(pods.map((pod) => node.cni('DEL', { config, pod })))).toEqual(
        pods.map(() => success),
      );
      expect(node.hns.dump()).toMatchObject(emptyNode);
      expect(node.ipam.leases.size).toBe(0);
      await expect.poll(() => node.hns.dump()).toMatchObject({ clients: 1 });
    },
    180_000,
  );
});

test('600 pods come and go, 64 at a time, and nothing of them is left', async () => {
  const before = node.hns.dump().namespaces;
  const pods = newPods(600);
  const waiting = [...pods];
  const failures: Answer[] = [];
  let most = 0;
  const live = async (): Promise<void> => {
    for (let pod = waiting.shift(); pod !== undefined; pod = waiting.shift()) {
      for (const name of ['ADD', 'DEL']) {
        const answer = await node.cni(name, { config, pod });
        if (answer.exitCode !== 0) failures.push(answer);
        most = Math.max(most, node.hns.dump().endpoints.length);
      }
    }
  };
  await Promise.all(Array.from({ length: 64 }, live));
  expect(failures).toEqual([]);
  expect(most).toBeGreaterThan(32);
  expect(node.ipam.runs.map((run) => run.command).toSorted()).toEqual(
    pods.flatMap(() => ['ADD', 'DEL']).toSorted(),
  );
  expect(node.ipam.leases.size).toBe(0);
  const { namespaces, ...others } = node.hns.dump();
  expect(others).toMatchObject(emptyNode);
  expect(namespaces.filter(({ Resources }) => Resources !== undefined)).toEqual(
    before.filter(({ Resources }) => Resources !== undefined),
  );
}, 120_000);

describe('two ADDs of one attachment at once', () => {
  test.each([
    ['with an IPAM plugin', config],
    ['with addresses from HNS', example('l2bridge', { cniVersion: '1.1.0' })],
  ] as const)(
    '%s make one endpoint that works, or none, and the next ADD finds out which',
    async (_, given) => {
      await command('ADD', node.newPod(), given);
      const allowed = [0, hcnFailure, alreadyAttached];
      for (let round = 0; round < 6; round += 1) {
        const pod = node.newPod();
        const codes = (await Promise.all([command('ADD', pod, given), command('ADD', pod, given)])).map(
          codeOf,
        );
        expect(codes.filter((code) => !allowed.includes(code))).toEqual([]);
        const works = codes.includes(0);
        expect(namespacesOf(pod), codes.join()).toEqual(works ? [pod.netns] : []);
        expect(codeOf(await command('ADD', pod, given))).toBe(works ? alreadyAttached : 0);
        expect(await command('DEL', pod, given)).toEqual(success);
        expect(namespacesOf(pod)).toEqual([]);
      }
      expect(node.hns.dump().endpoints).toHaveLength(1);
    },
    120_000,
  );
});
