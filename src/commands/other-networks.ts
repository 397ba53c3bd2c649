import { CniError, toCniError, withDetails } from '../cni/error.ts';
import type { ObservedNetwork } from '../hcn/documents.ts';
import type { HcnError } from '../hcn/errors.ts';
import { describeHresult } from '../hcn/hresults.ts';
import type { HostAdapter } from '../net/host-adapter.ts';
import { describeUse, findAdapterUse, remedyForUse } from '../plan/adapter-use.ts';
import type { IdentifiedNetwork } from '../plan/network-plan.ts';
import { describeOverlap, findOverlaps } from '../plan/segments.ts';
import type { CommandContext } from './command-context.ts';

/** Reads all networks except the given one. They only add to messages, so a failure is a notice. */
export async function readOtherNetworks(
  { ID, Name: name }: IdentifiedNetwork,
  { readNetworks, notice }: Pick<CommandContext, 'readNetworks' | 'notice'>,
): Promise<readonly ObservedNetwork[]> {
  try {
    const networks = await readNetworks(ID);
    return networks.filter(({ Name }) => Name.toLowerCase() !== name.toLowerCase());
  } catch (error) {
    notice(`network "${name}" was not compared with the other networks: ${toCniError(error).message}`);
    return [];
  }
}

/** Warns in the log about the subnets that a created network shares with others. */
export async function reportOverlaps(
  network: IdentifiedNetwork,
  adapters: readonly HostAdapter[],
  context: CommandContext,
): Promise<void> {
  const others = await readOtherNetworks(network, context);
  findOverlaps(network, others, adapters).map(describeOverlap).forEach(context.notice);
}

/** HCN's refusal of a network's adapter, with the other networks that use it. */
export function adapterRefused(
  error: HcnError,
  { planned, adapters }: { readonly planned: IdentifiedNetwork; readonly adapters: readonly HostAdapter[] },
  others: readonly ObservedNetwork[],
): CniError {
  const use = findAdapterUse(planned, others, adapters);
  if (use === undefined) return error;
  const message =
    `${describeUse(use)}, so HNS refused ${planned.Type} network "${planned.Name}": ` +
    `HCN returned ${describeHresult(error.hresult)}`;
  return withDetails(new CniError(error.code, message, { details: remedyForUse(use) }), error.details);
}
