import type { LoadBalancerId } from '../hcn/guid.ts';
import { loadBalancerDeletion } from '../plan/load-balancer.ts';
import type { CommandContext } from './command-context.ts';

type Context = Pick<CommandContext, 'hcn' | 'changes'>;

/**
 * Deletes a load balancer. Returns whether it existed. A failure restores it.
 * https://learn.microsoft.com/virtualization/api/hcn/reference/hcndeleteloadbalancer
 */
export async function deleteLoadBalancer(id: LoadBalancerId, { hcn, changes }: Context): Promise<boolean> {
  const found = await hcn.findLoadBalancer(id);
  if (found === undefined) return false;
  const endpoints = await Promise.all(found.HostComputeEndpoints.map((one) => hcn.findEndpoint(one)));
  const existing = endpoints.flatMap((endpoint) => endpoint?.ID ?? []);
  return changes.transaction(() => changes.apply(loadBalancerDeletion(found, existing)));
}
