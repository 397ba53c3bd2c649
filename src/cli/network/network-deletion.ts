import { CniError, code } from '../../cni/error.ts';
import type { CommandContext } from '../../commands/command-context.ts';
import type { ObservedEndpoint, ObservedLoadBalancer, ObservedNetwork } from '../../hcn/documents.ts';
import type { Inventory } from '../../model/inventory.ts';
import { planLoadBalancerDeletion } from '../../plan/load-balancer.ts';
import type { Step } from '../../steps/step.ts';
import { loadBalancerRows } from '../inventory/object-rows.ts';
import { describeLoadBalancerImpact } from '../plugin/change.ts';

/** The steps that delete the load balancers of a network, and what they interrupt, in sentences. */
export interface LoadBalancerDeletions {
  readonly steps: readonly Step<'delete load balancer'>[];
  readonly impact: readonly string[];
}

/**
 * The load balancers to delete before their network: Windows Server 2019 keeps them, and cannot delete them afterwards
 * (Azure/aks-engine#3956). They are those whose backends are all on the network; if it is the node's only network, also those whose
 * backends are gone.
 */
export function loadBalancersOfNetwork(
  network: Pick<ObservedNetwork, 'ID'>,
  inventory: Inventory,
): LoadBalancerDeletions {
  const found = inventory.loadBalancers.filter((one) => isOfNetwork(one, network, inventory));
  const rows = loadBalancerRows(inventory).filter(({ id }) => found.some(({ ID }) => ID === id));
  return {
    steps: found.flatMap((one) =>
      planLoadBalancerDeletion(one, backendsOf(one, inventory), inventory.loadBalancers).filter(
        (step) => step.do === 'delete load balancer',
      ),
    ),
    impact: rows.flatMap(describeLoadBalancerImpact),
  };
}

function backendsOf(
  { HostComputeEndpoints }: ObservedLoadBalancer,
  { endpoints }: Inventory,
): readonly ObservedEndpoint[] {
  return endpoints.filter(({ ID }) => HostComputeEndpoints.includes(ID));
}

function isOfNetwork(
  loadBalancer: ObservedLoadBalancer,
  { ID }: Pick<ObservedNetwork, 'ID'>,
  inventory: Inventory,
): boolean {
  const backends = backendsOf(loadBalancer, inventory);
  if (backends.length === 0) return inventory.networks.every((other) => other.ID === ID);
  return backends.every(({ HostComputeNetwork }) => HostComputeNetwork === ID);
}

/**
 * Deletes a network after its load balancers. Returns false if an endpoint was created on it in the meantime. Restores the load balancers
 * if the network stays. Throws what a deletion throws.
 */
export async function deleteWithLoadBalancers(
  step: Step<'delete unused network'>,
  loadBalancers: readonly Step<'delete load balancer'>[],
  { hcn, changes }: Pick<CommandContext, 'hcn' | 'changes'>,
): Promise<boolean> {
  const inUse = new CniError(code.tryAgainLater, `network "${step.name}" has a new endpoint`);
  try {
    await changes.transaction(async () => {
      for (const each of loadBalancers) await changes.apply(each);
      await changes.apply(step);
      if ((await hcn.findNetworkById(step.id)) !== undefined) throw inUse;
    });
    return true;
  } catch (error) {
    if (error === inUse) return false;
    throw error;
  }
}
