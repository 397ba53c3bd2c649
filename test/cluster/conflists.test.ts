import { expect, test } from 'vitest';
import { generatedTypes } from '../../src/cli/config/generate.ts';
import { conflistFiles } from '../conflist-files.ts';
import { runCli } from '../e2e/cli/run-cli.ts';
import { reached } from './conflist-world.ts';

const absent = expect.stringMatching(/^(lost|unknown): /);
/** Without Kubernetes and other nodes. */
const alone = {
  'to a pod of its node': 'as pod',
  ...{ 'to a pod of a Linux node': absent, 'to DNS': absent, 'to its own service': absent },
  ...{ 'to its node': 'as pod', 'to another node': 'as node', 'to the internet': 'as node' },
  ...{ 'from its node': 'as node', 'from a pod of a Linux node': absent },
};
const inCluster = {
  ...{ ...alone, 'to a pod of another node': 'as pod', 'to a pod of a Linux node': 'as pod' },
  ...{ 'to DNS': 'as pod', 'to its own service': 'as node or pod', 'from a pod of a Linux node': 'as pod' },
};
/** Hosts of the physical network, on which no load balancer of HNS is; Linux translates the address of its pod. */
const inLan = {
  ...{ ...alone, 'to a pod of another node': 'as pod', 'to another node': 'as pod' },
  'from a pod of a Linux node': 'as 10.0.0.2',
};
const nothingElse = {
  ...{ ...alone, 'to its node': absent, 'to another node': absent, 'to the internet': absent },
  'from its node': absent,
};

/**
 * What a pod of each network type reaches, and what reaches it, with the source that the receiver sees.
 * https://learn.microsoft.com/virtualization/windowscontainers/container-networking/network-drivers-topologies
 * https://kubernetes.io/docs/concepts/services-networking/windows-networking/
 */
const promises: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  L2Bridge: {
    ...inCluster,
    'to its node':
      'unknown: Outbound NAT gives it the address of the node as source and destination, and whether the node then replies to the pod is not documented.',
  },
  Overlay: {
    ...inCluster,
    'to its node':
      'unknown: Kubernetes documents that pods reach nodes, but pods of Overlay networks were observed not to reach their own node (flannel-io/flannel#1369).',
  },
  NAT: alone,
  ICS: alone,
  Transparent: { ...inLan, 'to the internet': 'as pod' },
  L2Tunnel: inLan,
  // Internal also includes the node, by an address that HNS does not document.
  Internal: nothingElse,
  Private: nothingElse,
};

const blocked = 'lost: Out ACL with priority 65500 (everything) blocks it.';
const unevaluated = (type: string) =>
  `unknown: ACLs may block it: the endpoint or its network has ${type} policies, which win-hcn does not evaluate.`;

/** The files whose policies block traffic by intention, or are not documented: the result for every destination that is not named. */
const exceptions: Readonly<Record<string, readonly [others: string, named?: object]>> = {
  'conflist-examples/acls.conflist': [
    blocked,
    { 'to DNS': 'as pod', 'from its node': 'as node', 'from a pod of a Linux node': 'as pod' },
  ],
  'conflist-examples/proxy.conflist': [unevaluated('L4WFPPROXY')],
  'conflist-examples/tier-acls.conflist': [unevaluated('TierAcl')],
};

const kubernetes = '--subnet 10.244.1.0/24 --cluster-cidr 10.244.0.0/16 --service-cidr 10.96.0.0/12';

/** Every conflist in the repository, and those that `config generate` prints. */
async function texts(): Promise<readonly (readonly [name: string, text: string])[]> {
  const generated = generatedTypes.map(async (type) => {
    const options = type === 'NAT' ? '' : kubernetes;
    const words = ['config', 'generate', '--type', type, ...options.split(' ').filter(Boolean)];
    return [words.slice(0, 4).join(' '), (await runCli(words)).stdout] as const;
  });
  return [...Object.entries(conflistFiles()), ...(await Promise.all(generated))];
}

test.each(await texts())('a pod of %s reaches what its network type promises', async (name, text) => {
  // A file for the plugin nat has no networkType.
  const { networkType = 'NAT' } = JSON.parse(text).plugins.map(
    (plugin: { delegate?: object }) => plugin.delegate ?? plugin,
  )[0];
  const promised = promises[networkType] ?? {};
  const [others, named] = exceptions[name] ?? [];
  const expected =
    others === undefined ? promised : Object.fromEntries(Object.keys(promised).map((key) => [key, others]));
  expect(await reached(text)).toEqual({ ...expected, ...named });
});
