import type { HcnClient } from '../hcn/client.ts';
import type { ObservedNetwork, Policy } from '../hcn/documents.ts';
import { isRefusal } from '../hcn/errors.ts';
import type { NetworkId } from '../hcn/guid.ts';
import { isSameRemoteSubnet } from '../plan/remote-subnets.ts';

/**
 * Removes the policy of a remote subnet from a network. If HNS refuses but no longer has the policy, it is removed: HNS may remove all
 * policies of a prefix at once. Otherwise throws HNS's refusal.
 */
export async function removeRemoteSubnet(id: NetworkId, policy: Policy, hcn: HcnClient): Promise<void> {
  try {
    await hcn.removeNetworkPolicies(id, [policy]);
  } catch (error) {
    if (!isRefusal(error) || (await find(id, policy, hcn)) !== undefined) throw error;
  }
}

/** Removes a policy that a request added. Returns whether the network had it. */
export async function removeNewRemoteSubnet(id: NetworkId, policy: Policy, hcn: HcnClient): Promise<boolean> {
  const found = await find(id, policy, hcn);
  if (found !== undefined) await hcn.removeNetworkPolicies(id, [found]);
  return found !== undefined;
}

/** Adds a removed policy again, unless the network has it, or is gone. */
export async function restoreRemoteSubnet(id: NetworkId, policy: Policy, hcn: HcnClient): Promise<void> {
  const network = await hcn.findNetworkById(id);
  if (network !== undefined && findIn(network, policy) === undefined)
    await hcn.addNetworkPolicies(id, [policy]);
}

async function find(id: NetworkId, policy: Policy, hcn: HcnClient): Promise<Policy | undefined> {
  const network = await hcn.findNetworkById(id);
  return network && findIn(network, policy);
}

/** The policy as HNS returned it. */
function findIn({ Policies = [] }: ObservedNetwork, policy: Policy): Policy | undefined {
  return Policies.find((one) => isSameRemoteSubnet(one, policy));
}

/** `10.244.2.0/24 (10.0.0.5, 00-15-5D-0A-0B-0C)` */
export function describeRemoteSubnet({ Settings = {} }: Policy): string {
  const { DestinationPrefix, ProviderAddress, DistributedRouterMacAddress: mac } = Settings;
  return `${DestinationPrefix} (${ProviderAddress}, ${mac})`;
}
