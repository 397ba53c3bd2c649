import type { ObservedNetwork } from '../../hcn/documents.ts';
import { isOverlay } from '../../model/network-document.ts';
import { isOwnNetwork } from '../../model/ownership.ts';
import { remoteSubnetsOf } from '../../plan/remote-subnets.ts';

/** A program that manages how a network reaches other nodes, and how that shows: a clause. */
export interface RoutingAgent {
  readonly agent: string;
  readonly because: string;
}

/** The names that agents give their networks. */
const namesOfAgents: readonly { readonly agent: string; readonly name: RegExp }[] = [
  { agent: 'flanneld', name: /^flannel\.\d+$/i },
  { agent: "Calico's agent", name: /^calico/i },
  { agent: 'the hybrid overlay of OVN-Kubernetes', name: /^(base)?ovnkubernetes/i },
];

/**
 * The agent that manages a network's remote subnets, by the network's name or the form of its policies: HNS keeps MAC addresses as they
 * were sent, and win-hcn sends `00-15-5D-0A-0B-0C`.
 */
export function routingAgentOf(network: ObservedNetwork): RoutingAgent | undefined {
  const named = namesOfAgents.find(({ name }) => name.test(network.Name));
  if (named !== undefined) return { agent: named.agent, because: 'as its name shows' };
  if (!isOverlay(network) || isOwnNetwork(network)) return undefined;
  for (const { subnet, policy } of remoteSubnetsOf(network)) {
    const mac = String(policy.Settings?.['DistributedRouterMacAddress']);
    if (!/^([0-9A-F]{2}-){5}[0-9A-F]{2}$/.test(mac))
      return {
        agent: 'another program',
        because: `as MAC address ${mac} of ${subnet} shows: win-hcn writes 00-15-5D-0A-0B-0C`,
      };
  }
  return undefined;
}
