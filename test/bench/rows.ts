// The requests that are measured. Each leaves the node as it found it.

import { networkId } from '../../src/model/identity.ts';
import { example } from '../e2e/example.ts';
import type { Node, Pod } from '../e2e/node.ts';

/** The state of a node before a request. */
export interface Scene {
  prepare(node: Node): Promise<unknown>;
}

/** A request that is ready to run, and its cleanup. */
export interface Prepared {
  readonly command: string;
  /** The words of a command line, which is measured instead of `command` and reads the configuration from stdin. */
  readonly words?: readonly string[];
  readonly config: object;
  readonly pod: Pod;
  /** What the IPAM plugin assigns. */
  readonly ipamResult?: object;
  restore?(): Promise<unknown>;
}

/** A request to measure. */
export interface Row {
  readonly name: string;
  readonly scene: Scene;
  /** Creates what the request needs, in this process and without latency. */
  prepare(node: Node): Promise<Prepared>;
}

/** HNS assigns the address. */
const plain = {
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

const scene: Scene = {
  prepare: async (node) => {
    for (const config of [plain, policies]) await addAndDelete(node, config);
  },
};

/** 2,000 endpoints of containers with IDs as long as containerd's. */
const crowd: Scene = {
  prepare: async (node) => {
    for (let pod = 0; pod < 2000; pod += 1)
      await succeed(node.add(plain, node.newPod(pod.toString(16).padStart(64, '0'))));
  },
};

const overlay = {
  cniVersion: '1.1.0',
  name: 'overlay',
  type: 'win-hcn',
  networkType: 'Overlay',
  adapter: 'Ethernet',
  subnets: [{ subnet: '10.244.0.0/24', gateway: '10.244.0.1', vsid: 4096 }],
};

/** The pod subnets of this many other nodes. */
function remoteSubnets(count: number) {
  return Array.from({ length: count }, (_, at) => {
    const [high, low] = [at >> 8, at & 255];
    const octets = [high, low].map((octet) => octet.toString(16).padStart(2, '0').toUpperCase());
    return {
      subnet: `172.${16 + high}.${low}.0/24`,
      providerAddress: `10.1.${high}.${low}`,
      macAddress: `00-15-5D-00-${octets.join('-')}`,
    };
  });
}

/** An Overlay network with remote subnets, to which one is added. */
function syncing(count: number, name: string): Row {
  const config = { ...overlay, remoteSubnets: remoteSubnets(count) };
  const present = { ...overlay, remoteSubnets: remoteSubnets(count - 1) };
  return {
    name,
    scene: { prepare: (node) => addAndDelete(node, present) },
    prepare: async (node) => ({
      command: '',
      words: ['network', 'sync', '-', '--yes'],
      config,
      pod: node.newPod(),
      restore: async () => {
        const network = await node.hcn.findNetworkById(networkId('overlay'));
        const added = network?.Policies?.filter(({ Type }) => Type === 'RemoteSubnetRoute').slice(count - 1);
        await node.hcn.removeNetworkPolicies(networkId('overlay'), added ?? []);
      },
    }),
  };
}

/** All requests that the benchmark measures. */
export const rows: readonly Row[] = [
  {
    name: 'VERSION',
    scene,
    prepare: async (node) => ({ command: 'VERSION', config: {}, pod: node.newPod() }),
  },
  {
    name: 'STATUS',
    scene,
    prepare: async (node) => ({ command: 'STATUS', config: plain, pod: node.newPod() }),
  },
  { name: 'ADD', scene, prepare: adding(plain) },
  { name: 'ADD with host-local', scene, prepare: adding(hostLocal, { ipamResult }) },
  { name: 'ADD with ACLs and NAT', scene, prepare: adding(policies) },
  {
    name: 'ADD creating the network',
    scene,
    prepare: adding(newNetwork, { afterwards: (node) => node.hcn.deleteNetwork(networkId('new')) }),
  },
  {
    name: 'CHECK',
    scene,
    prepare: async (node) => {
      const pod = node.newPod();
      const { json: prevResult } = await succeed(node.add(plain, pod));
      const restore = () => deletePod(node, plain, pod);
      return { command: 'CHECK', config: { ...plain, prevResult }, pod, restore };
    },
  },
  {
    name: 'DEL',
    scene,
    prepare: async (node) => ({ command: 'DEL', config: plain, pod: await addPod(node, plain) }),
  },
  {
    name: 'GC with 2,000 endpoints',
    scene: crowd,
    prepare: async (node) => {
      const valid = node.hns.dump().endpoints.map(({ Name }) => {
        const [containerID = '', , ifname = ''] = String(Name).split('_');
        return { containerID, ifname };
      });
      const config = { ...plain, 'cni.dev/valid-attachments': valid };
      return { command: 'GC', config, pod: node.newPod() };
    },
  },
  syncing(10, 'network sync with 10 nodes, 1 of them new'),
  syncing(1000, 'network sync with 1,000 nodes, 1 of them new'),
];

/** An ADD without an IPAM plugin. */
export const addRow = rows.filter(({ name }) => name === 'ADD');

function adding(
  config: object,
  more: { readonly ipamResult?: object; readonly afterwards?: (node: Node) => Promise<unknown> } = {},
): Row['prepare'] {
  const { ipamResult, afterwards } = more;
  return async (node) => {
    const pod = node.newPod();
    const restore = async () => {
      await deletePod(node, config, pod);
      await afterwards?.(node);
    };
    return { command: 'ADD', config, pod, ...(ipamResult !== undefined && { ipamResult }), restore };
  };
}

/** Creates a pod and deletes it. Its network remains. */
async function addAndDelete(node: Node, config: object): Promise<void> {
  await deletePod(node, config, await addPod(node, config));
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
