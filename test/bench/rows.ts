// The requests that are measured. Each one finds the node as the one before found it.

import { networkId } from '../../src/model/identity.ts';
import { example } from '../e2e/example.ts';
import type { Node, Pod } from '../e2e/node.ts';

/** A request and what it leaves. */
export interface Prepared {
  readonly command: string;
  readonly config: object;
  readonly pod: Pod;
  /** What the IPAM plugin assigns. */
  readonly ipamResult?: object;
  restore?(): Promise<unknown>;
}

export interface Row {
  readonly name: string;
  /** Runs on the node with 2,000 endpoints. */
  readonly isCrowded?: true;
  /** Creates what the request needs, in this process and without latency. */
  prepare(node: Node): Promise<Prepared>;
}

/** HNS assigns the address. */
export const plain = {
  cniVersion: '1.1.0',
  name: 'l2bridge',
  type: 'win-hcn',
  networkType: 'L2Bridge',
  adapter: 'Ethernet',
  subnets: [{ subnet: '10.244.0.0/16', gateway: '10.244.0.1' }],
};
const hostLocal = { ...plain, ipam: { type: 'host-local', subnet: '10.244.0.0/16' } };
const policies = example('l2bridge', {
  cniVersion: '1.1.0',
  name: 'policies',
  subnets: [{ subnet: '10.245.1.0/24', gateway: '10.245.1.1' }],
});
const newNetwork = { ...plain, name: 'new', subnets: [{ subnet: '10.246.1.0/24', gateway: '10.246.1.1' }] };

const address = { address: '10.244.200.10/16', gateway: '10.244.0.1' };
const ipamResult = { cniVersion: '1.1.0', ips: [address], routes: [{ dst: '0.0.0.0/0' }] };

/** Creates the networks that most requests find. */
export async function createNetworks(node: Node): Promise<void> {
  for (const config of [plain, policies]) await deletePod(node, config, await addPod(node, config));
}

export const rows: readonly Row[] = [
  { name: 'VERSION', prepare: async (node) => ({ command: 'VERSION', config: {}, pod: node.newPod() }) },
  { name: 'STATUS', prepare: async (node) => ({ command: 'STATUS', config: plain, pod: node.newPod() }) },
  { name: 'ADD', prepare: adding(plain) },
  { name: 'ADD with host-local', prepare: adding(hostLocal, { ipamResult }) },
  { name: 'ADD with ACLs and NAT', prepare: adding(policies) },
  {
    name: 'ADD creating the network',
    prepare: adding(newNetwork, { after: (node) => node.hcn.deleteNetwork(networkId('new')) }),
  },
  {
    name: 'CHECK',
    prepare: async (node) => {
      const pod = node.newPod();
      const { json: prevResult } = await succeed(node.add(plain, pod));
      const restore = () => deletePod(node, plain, pod);
      return { command: 'CHECK', config: { ...plain, prevResult }, pod, restore };
    },
  },
  {
    name: 'DEL',
    prepare: async (node) => ({ command: 'DEL', config: plain, pod: await addPod(node, plain) }),
  },
  {
    name: 'GC with 2,000 endpoints',
    isCrowded: true,
    prepare: async (node) => {
      const valid = node.hns.dump().endpoints.map(({ Name }) => {
        const [containerID = '', , ifname = ''] = String(Name).split('_');
        return { containerID, ifname };
      });
      const config = { ...plain, 'cni.dev/valid-attachments': valid };
      return { command: 'GC', config, pod: node.newPod() };
    },
  },
];

/** Fills a node for the crowded rows, with container IDs as long as containerd's. */
export async function crowd(node: Node): Promise<void> {
  for (let pod = 0; pod < 2000; pod += 1)
    await succeed(node.add(plain, node.newPod(pod.toString(16).padStart(64, '0'))));
}

function adding(
  config: object,
  more: { readonly ipamResult?: object; readonly after?: (node: Node) => Promise<unknown> } = {},
): Row['prepare'] {
  const { ipamResult, after } = more;
  return async (node) => {
    const pod = node.newPod();
    const restore = async () => {
      await deletePod(node, config, pod);
      await after?.(node);
    };
    return { command: 'ADD', config, pod, ...(ipamResult !== undefined && { ipamResult }), restore };
  };
}

async function addPod(node: Node, config: object): Promise<Pod> {
  const pod = node.newPod();
  await succeed(node.add(config, pod));
  return pod;
}

const deletePod = (node: Node, config: object, pod: Pod) => succeed(node.del(config, pod));

async function succeed<T extends { readonly exitCode: number; readonly stdout: string }>(
  work: Promise<T>,
): Promise<T> {
  const answer = await work;
  if (answer.exitCode !== 0) throw new Error(`preparing a measurement failed: ${answer.stdout}`);
  return answer;
}
