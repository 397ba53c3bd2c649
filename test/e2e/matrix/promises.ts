import { endpointId } from '../../../src/plan/identity.ts';
import type { Answer } from '../node.ts';
import type { Bench } from './bench.ts';
import type { Command } from './scenario.ts';
import { winBridgeEndpoint } from './scenarios.ts';

/** What HCN or the IPAM plugin lied about, and win-hcn cannot know of. */
export type Lie = 'endpoint' | 'lease';

/** What a command that answered success promised and did not keep, a line each. */
export function brokenPromises(bench: Bench, command: Command, answer: Answer, lie?: Lie): readonly string[] {
  switch (command) {
    case 'ADD':
      return notAttached(bench, answer).map((line) => `the ADD succeeded, and ${line}`);
    case 'DEL':
    case 'GC':
      return notGone(bench, lie).map((line) => `the ${command} succeeded, and ${line}`);
    case 'CHECK':
    case 'STATUS':
      return [];
  }
}

/** The endpoint is in the pod's namespace, has the addresses of the answer, and the IPAM plugin keeps them for it. */
function notAttached({ node, call }: Bench, { json }: Answer): readonly string[] {
  const { containerId, netns } = call.pod;
  const network: string = Object(call.config).name;
  const id = endpointId({ containerId, ifname: 'eth0', network });
  const { endpoints, namespaces } = node.hns.dump();
  const endpoint = endpoints.find(({ ID }) => ID === id);
  if (endpoint === undefined) return [`endpoint ${id} does not exist`];
  const namespace = namespaces.find(({ ID }) => ID === netns);
  const isListed = JSON.stringify(namespace?.['Resources'] ?? []).includes(id);
  const configured = endpoint['IpConfigurations'] as readonly Readonly<Record<string, unknown>>[];
  const addresses = configured.map(({ IpAddress, PrefixLength }) => `${IpAddress}/${PrefixLength}`);
  const ips: readonly { readonly address: string }[] = json.ips;
  const answered = ips.map(({ address }) => address);
  const leased = node.ipam.leases.get(`${containerId} eth0`);
  const hasLease = leased !== undefined && answered.includes(`${leased}/24`);
  return [
    ...(endpoint['HostComputeNamespace'] === netns && isListed
      ? []
      : ['its endpoint is not in the namespace']),
    ...(`${answered}` === `${addresses}` ? [] : [`the endpoint has ${addresses}, answered were ${answered}`]),
    ...('ipam' in call.config && !hasLease ? [`the lease is ${leased}, answered were ${answered}`] : []),
  ];
}

function notGone({ node, call }: Bench, lie: Lie | undefined): readonly string[] {
  const { containerId } = call.pod;
  const id = endpointId({ containerId, ifname: 'eth0', network: String(Object(call.config).name) });
  const isThere = node.hns.dump().endpoints.some(({ ID }) => ID === id || ID === winBridgeEndpoint);
  const isLeased = node.ipam.leases.has(`${containerId} eth0`);
  return [
    ...(isThere && lie !== 'endpoint' ? ['the endpoint is still there'] : []),
    ...(isLeased && lie !== 'lease' ? ['the address is still taken'] : []),
  ];
}
