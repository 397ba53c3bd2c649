import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hastyClock } from './clock.ts';
import { example } from './example.ts';
import { type IpamProgram, startIpamProgram } from './ipam-program.ts';
import { type Node, type Pod, startNode } from './node.ts';
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
