import type { Answer } from '../node.ts';
import type { Bench } from './bench.ts';
import { ownEndpoints } from './found.ts';
import type { Command } from './scenario.ts';

/** False reports of HCN or the IPAM plugin that win-hcn cannot detect. */
export type FalseReport = 'endpoint' | 'lease';

/** Returns what a successful command should have done and did not, one line each. */
export function missingResults(
  bench: Bench,
  command: Command,
  answer: Answer,
  falseReport?: FalseReport,
): readonly string[] {
  switch (command) {
    case 'ADD':
      return notAttached(bench, answer).map((line) => `the ADD succeeded, and ${line}`);
    case 'DEL':
    case 'GC':
      return notGone(bench, falseReport).map((line) => `the ${command} succeeded, and ${line}`);
    case 'CHECK':
    case 'STATUS':
      return [];
  }
}

/** The endpoint is in the pod's namespace and has the addresses of the result, which the IPAM plugin has leased to it. */
function notAttached({ node, call }: Bench, { json }: Answer): readonly string[] {
  const { containerId, netns } = call.pod;
  const [endpoint, ...others] = ownEndpoints(node, call);
  if (endpoint === undefined) return ['there is no endpoint'];
  const namespace = node.hns.dump().namespaces.find(({ ID }) => ID === netns);
  const isListed = JSON.stringify(namespace?.['Resources'] ?? []).includes(String(endpoint['ID']));
  const configured = endpoint['IpConfigurations'] as readonly Readonly<Record<string, unknown>>[];
  const addresses = configured.map(({ IpAddress, PrefixLength }) => `${IpAddress}/${PrefixLength}`);
  const ips: readonly { readonly address: string }[] = json.ips;
  const answered = ips.map(({ address }) => address);
  const leased = node.ipam.leases.get(`${containerId} eth0`);
  const hasLease = leased !== undefined && answered.includes(`${leased}/24`);
  return [
    ...others.map(({ ID }) => `it has a second endpoint, ${ID}`),
    ...(endpoint['HostComputeNamespace'] === netns && isListed
      ? []
      : ['its endpoint is not in the namespace']),
    ...(`${answered}` === `${addresses}` ? [] : [`the endpoint has ${addresses}, answered were ${answered}`]),
    ...('ipam' in call.config && !hasLease ? [`the lease is ${leased}, answered were ${answered}`] : []),
  ];
}

function notGone({ node, call }: Bench, falseReport: FalseReport | undefined): readonly string[] {
  const { containerId } = call.pod;
  const isThere = ownEndpoints(node, call).length > 0;
  const isLeased = node.ipam.leases.has(`${containerId} eth0`);
  return [
    ...(isThere && falseReport !== 'endpoint' ? ['the endpoint is still there'] : []),
    ...(isLeased && falseReport !== 'lease' ? ['the address is still taken'] : []),
  ];
}
