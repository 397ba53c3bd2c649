import { CniError, code } from '../../cni/error.ts';
import type { CommandContext } from '../../commands/command-context.ts';
import type { ObservedEndpoint, ObservedLoadBalancer, ObservedNetwork } from '../../hcn/documents.ts';
import type { Inventory } from '../../model/inventory.ts';
import { boundAdapter } from '../../model/network-document.ts';
import { planLoadBalancerDeletion } from '../../plan/load-balancer.ts';
import { isExternal } from '../../plan/network-adapter.ts';
import type { Step } from '../../steps/step.ts';
import { type EndpointRow, endpointRow } from '../inventory/endpoint-row.ts';
import { loadBalancerRows } from '../inventory/object-rows.ts';
import { describeLoadBalancerImpact } from '../plugin/change.ts';
import { countText } from '../terminal/short-text.ts';

/** The endpoints on a network that keep it from being deleted, by kind. */
export interface AttachedEndpoints {
  readonly pods: readonly EndpointRow[];
  readonly leftovers: readonly EndpointRow[];
  readonly remote: readonly EndpointRow[];
  readonly others: readonly EndpointRow[];
}

/** The endpoints on a network except for those of the node, by kind. */
export function attachedEndpoints(
  { ID }: Pick<ObservedNetwork, 'ID'>,
  inventory: Inventory,
): AttachedEndpoints {
  const rows = inventory.endpoints
    .filter(({ HostComputeNetwork }) => HostComputeNetwork === ID)
    .map((endpoint) => endpointRow(endpoint, inventory))
    .filter(({ owner }) => owner !== 'node');
  const { pods = [], leftovers = [], remote = [], others = [] } = Object.groupBy(rows, kindOf);
  return { pods, leftovers, remote, others };
}

function kindOf({ stale, remote, namespace }: EndpointRow): keyof AttachedEndpoints {
  if (stale !== undefined) return 'leftovers';
  if (remote) return 'remote';
  return namespace === undefined ? 'others' : 'pods';
}

/** `1 pod endpoint, 2 leftovers and 1 other endpoint`; empty without endpoints. */
export function countAttached({ pods, leftovers, remote, others }: AttachedEndpoints): string {
  const nouns = [
    ['pod endpoint', pods],
    ['leftover', leftovers],
    ['remote endpoint', remote],
    ['other endpoint', others],
  ] as const;
  const counts = nouns.flatMap(([noun, { length }]) => (length === 0 ? [] : countText(length, noun)));
  return new Intl.ListFormat('en-GB').format(counts);
}

/** What the deletion of a network interrupts, in sentences. */
export function interruption(network: ObservedNetwork): readonly string[] {
  if (!isExternal(network.Type)) return [];
  const adapter = boundAdapter(network);
  const through = adapter === undefined ? "the network's adapter" : `adapter "${adapter}"`;
  return [`Connections to the node through ${through}, such as RDP and SSH, can be interrupted.`];
}

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
  { ID }: Pick<ObservedNetwork, 'ID'>,
  inventory: Inventory,
): LoadBalancerDeletions {
  const { endpoints, networks, loadBalancers } = inventory;
  const backendsOf = ({ HostComputeEndpoints }: ObservedLoadBalancer): readonly ObservedEndpoint[] =>
    endpoints.filter((endpoint) => HostComputeEndpoints.includes(endpoint.ID));
  const found = loadBalancers.filter((one) => {
    const backends = backendsOf(one);
    return backends.length === 0
      ? networks.every((other) => other.ID === ID)
      : backends.every(({ HostComputeNetwork }) => HostComputeNetwork === ID);
  });
  const rows = loadBalancerRows(inventory).filter(({ id }) => found.some((one) => one.ID === id));
  return {
    steps: found
      .flatMap((one) => planLoadBalancerDeletion(one, backendsOf(one), loadBalancers))
      .filter((step) => step.do === 'delete load balancer'),
    impact: rows.flatMap(describeLoadBalancerImpact),
  };
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
