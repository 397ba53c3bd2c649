import { afterEach, beforeEach, expect, test } from 'vitest';
import { expectReach } from '../../cluster/judge.ts';
import { recipeFile } from '../../cluster/recipe-file.ts';
import {
  clusterWith,
  linuxAddress,
  needed,
  startWindowsNodes,
  windowsAddresses,
} from '../../cluster/segment.ts';
import { runCli } from '../cli/run-cli.ts';
import type { Node } from '../node.ts';

const linuxMac = 'ba:c1:6f:91:17:c7';

interface KubernetesNode {
  readonly metadata: { readonly name: string; readonly annotations: Readonly<Record<string, string>> };
}

/** A node as kubectl prints it. */
function kubernetesNode(index: number, annotations: Readonly<Record<string, string>>) {
  const address = [linuxAddress, ...windowsAddresses][index];
  const podCIDR = `10.244.${index}.0/24`;
  return {
    metadata: { name: ['linux', 'win-1', 'win-2'][index] ?? '', annotations },
    spec: { podCIDR, podCIDRs: [podCIDR] },
    status: { addresses: [{ type: 'InternalIP', address }] },
  };
}

/** With the annotations of its flanneld. */
const linux = kubernetesNode(0, {
  'flannel.alpha.coreos.com/kube-subnet-manager': 'true',
  'flannel.alpha.coreos.com/backend-type': 'vxlan',
  'flannel.alpha.coreos.com/backend-data': JSON.stringify({ VNI: 4096, VtepMAC: linuxMac }),
  'flannel.alpha.coreos.com/public-ip': linuxAddress,
});

let nodes: readonly Node[];
beforeEach(async () => {
  nodes = await startWindowsNodes();
});
afterEach(async () => {
  for (const node of nodes) await node.stop();
});

/** The installed conflist of a node, in a cluster with another cluster-cidr than RKE2's default. */
function fileOf(index: number) {
  const file = recipeFile('deploy/rke2/10-win-hcn.conflist', [`10.244.${index + 1}.0/24`]);
  return { ...file, outboundNat: { exceptions: ['10.244.0.0/16', '10.43.0.0/16'] } };
}

/** Runs win-hcn on a node, with its file. */
async function run(index: number, words: readonly string[], nodeList: readonly object[] = []) {
  const files = {
    '10-win-hcn.conf': JSON.stringify(fileOf(index)),
    'nodes.json': JSON.stringify({ kind: 'List', apiVersion: 'v1', items: nodeList }),
  };
  const printed = await runCli(words, { files, system: nodes[index]?.outside ?? {} });
  expect(printed, `${words.join(' ')}: ${printed.stderr}`).toMatchObject({ exitCode: 0 });
  return printed.stdout;
}

const ensure = ['network', 'ensure', '10-win-hcn.conf', '--yes', '--cni-path', '/opt/cni/bin'];
const sync = ['network', 'sync', '10-win-hcn.conf', '--nodes', 'nodes.json', '--yes'];
const describeNode = ['network', 'describe', '10-win-hcn.conf', '-o', 'manifest', '--node-name'];

test('the steps for RKE2 connect all pods, and give kube-proxy its network and source VIP', async () => {
  const vips: string[] = [];
  const windows: ReturnType<typeof kubernetesNode>[] = [];
  for (const index of nodes.keys()) {
    const ensured = await run(index, ensure);
    vips.push(/--source-vip=(\S+)/.exec(ensured)?.[1] ?? '');
    const manifest: KubernetesNode = JSON.parse(await run(index, [...describeNode, `win-${index + 1}`]));
    windows.push(kubernetesNode(index + 1, manifest.metadata.annotations));
  }
  expect(vips).toEqual(['10.244.1.10', '10.244.2.10']);
  for (const [index, node] of nodes.entries()) {
    await run(index, sync, [linux, ...windows]);
    expect((await node.add(fileOf(index))).json.ips).toMatchObject([
      { address: `10.244.${index + 1}.11/24` },
    ]);
  }
  const remotes = windows.map(({ metadata: { annotations }, spec: { podCIDR: subnet } }) => ({
    subnet,
    mac: JSON.parse(annotations['flannel.alpha.coreos.com/backend-data'] ?? '{}').VtepMAC,
    publicIp: annotations['flannel.alpha.coreos.com/public-ip'] ?? '',
  }));
  const cluster = clusterWith(nodes, { vtep: { address: '10.244.0.0', mac: linuxMac, vni: 4096, remotes } });
  const pod = (text: string) => text.replace(/^(10\.244\.[12])\.10/, '$1.11');
  for (const [from, to, as] of needed) expectReach(cluster, pod(from), pod(to), { as: pod(as) });
});
