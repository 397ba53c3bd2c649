import { toCniError, withDetails } from '../cni/error.ts';
import type { Policy } from '../hcn/documents.ts';
import type { NetworkId } from '../hcn/guid.ts';
import { isPolicyOf } from '../model/network-document.ts';
import { isOwnNetwork } from '../model/ownership.ts';
import type { IdentifiedNetwork, NetworkCompletion } from '../plan/network-plan.ts';
import { poll } from '../steps/changes.ts';
import type { CommandContext } from './command-context.ts';
import { findRemoteSubnetProblems, setRemoteSubnets } from './remote-subnets.ts';

/** A network to create endpoints on. */
export interface EnsuredNetwork {
  readonly network: IdentifiedNetwork;
  /** Whether this request created it. */
  readonly isNew: boolean;
}

/** How long another request that is finishing a network may make no progress. */
const progressMilliseconds = 3_000;

/**
 * Gives a new network what HNS takes only after its creation: the policy HostRoute and remote subnets. Adds what is missing also to a
 * network without endpoints, which an interrupted or failed request left unfinished. A network with endpoints is not changed.
 */
export async function finishNetwork(
  { network, isNew }: EnsuredNetwork,
  completion: NetworkCompletion,
  context: CommandContext,
): Promise<void> {
  if (!isNew && !(await isLeftUnfinished(network, completion, context))) return;
  const current = isNew ? network : ((await context.hcn.findNetworkById(network.ID)) ?? network);
  await addPolicies(completion, current, context);
  await setRemoteSubnets(completion, current, context).catch((error: unknown) => {
    const details =
      'the next ADD adds them while the network has no endpoint; after that, run win-hcn network sync FILE --yes';
    throw withDetails(error, details);
  });
}

/**
 * Whether a network of win-hcn lacks something, has no endpoints, and no other request is adding remote subnets. HNS may have HostRoute and
 * not return it, so nothing waits for it: it is added again.
 */
async function isLeftUnfinished(
  network: IdentifiedNetwork,
  completion: NetworkCompletion,
  context: CommandContext,
): Promise<boolean> {
  if (!isOwnNetwork(network)) return false;
  const missing = await countMissing(network, completion, context);
  if (missing === 0 && missingPolicies(completion, network).length === 0) return false;
  if ((await context.hcn.findEndpointsOfNetwork(network.ID)).length > 0) return false;
  return missing === 0 || waitWhileFinished(network.ID, missing, completion, context);
}

/** Waits while another request adds what is missing. Returns false if it adds all, true if it adds nothing for 3 s. */
async function waitWhileFinished(
  id: NetworkId,
  missing: number,
  completion: NetworkCompletion,
  context: CommandContext,
): Promise<boolean> {
  const fewer = await poll(context, progressMilliseconds, async () => {
    const network = await context.hcn.findNetworkById(id);
    const count = network && (await countMissing(network, completion, context));
    return count !== undefined && count < missing ? count : undefined;
  });
  if (fewer === undefined) return true;
  return fewer > 0 && waitWhileFinished(id, fewer, completion, context);
}

async function countMissing(
  network: IdentifiedNetwork,
  completion: NetworkCompletion,
  context: CommandContext,
): Promise<number> {
  return (await findRemoteSubnetProblems(completion, network, context)).length;
}

function missingPolicies(
  { policies }: NetworkCompletion,
  { Policies = [] }: IdentifiedNetwork,
): readonly Policy[] {
  return policies.filter(({ Type }) => !Policies.some((one) => isPolicyOf(Type, one)));
}

/** Adds HostRoute. The network works without it, so a failure is only a notice, as in flannel and Calico. */
async function addPolicies(
  completion: NetworkCompletion,
  network: IdentifiedNetwork,
  { changes, notice }: CommandContext,
): Promise<void> {
  const policies = missingPolicies(completion, network);
  if (policies.length === 0) return;
  try {
    await changes.apply({ do: 'add network policies', id: network.ID, name: network.Name, policies });
  } catch (error) {
    notice(`network "${network.Name}" lacks HostRoute: ${toCniError(error).message}`);
  }
}
