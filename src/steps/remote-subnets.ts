import type { HcnClient } from '../hcn/client.ts';
import type { Policy } from '../hcn/documents.ts';
import { isRefusal } from '../hcn/errors.ts';
import type { NetworkId } from '../hcn/guid.ts';
import {
  isSameRemoteSubnet,
  type ObservedRemoteSubnet,
  readRemoteSubnet,
  remoteSubnetsOf,
} from '../plan/remote-subnets.ts';
import type { RollbackStep } from './step.ts';

/**
 * Removes the policy of a remote subnet from a network. Returns false if HNS refuses but no longer has the policy: HNS may remove all
 * policies of a prefix at once. Otherwise throws HNS's refusal.
 */
export async function removeRemoteSubnet(id: NetworkId, policy: Policy, hcn: HcnClient): Promise<boolean> {
  try {
    await hcn.removeNetworkPolicies(id, [policy]);
    return true;
  } catch (error) {
    if (!isRefusal(error) || (await findEqual(id, policy, hcn)).length > 0) throw error;
    return false;
  }
}

/**
 * Removes a policy that a request added. Returns whether the network had it. If the network has several equal policies, another request
 * added one too, and all stay, because HNS may remove them all.
 */
export async function removeNewRemoteSubnet(id: NetworkId, policy: Policy, hcn: HcnClient): Promise<boolean> {
  const found = await findEqual(id, policy, hcn);
  if (found.length === 1) await hcn.removeNetworkPolicies(id, found);
  return found.length > 0;
}

/**
 * Adds a removed policy again, unless the network is gone or another request has added a policy for the subnet. Policies among the `others`
 * that the rollback restores do not count.
 */
export async function restoreRemoteSubnet(
  { id, policy }: RollbackStep<'restore remote subnet'>,
  others: readonly RollbackStep[],
  hcn: HcnClient,
): Promise<void> {
  const network = await hcn.findNetworkById(id);
  const subnet = readRemoteSubnet(policy)?.subnet;
  const isInPlace = (one: ObservedRemoteSubnet) =>
    one.subnet === subnet &&
    !others.some(
      (step) => step.do === 'restore remote subnet' && isSameRemoteSubnet(step.policy, one.policy),
    );
  if (network !== undefined && !remoteSubnetsOf(network).some(isInPlace))
    await hcn.addNetworkPolicies(id, [policy]);
}

/** The network's policies that equal `policy`, as HNS returned them. */
async function findEqual(id: NetworkId, policy: Policy, hcn: HcnClient): Promise<readonly Policy[]> {
  const { Policies = [] } = (await hcn.findNetworkById(id)) ?? {};
  return Policies.filter((one) => isSameRemoteSubnet(one, policy));
}

/** `10.244.2.0/24 (10.0.0.5, 00-15-5D-0A-0B-0C)` */
export function describeRemoteSubnet({ Settings = {} }: Policy): string {
  const { DestinationPrefix, ProviderAddress, DistributedRouterMacAddress: mac } = Settings;
  return `${DestinationPrefix} (${ProviderAddress}, ${mac})`;
}
