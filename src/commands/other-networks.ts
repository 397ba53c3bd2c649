import { CniError, withDetails } from '../cni/error.ts';
import type { HostComputeNetwork, ObservedNetwork } from '../hcn/documents.ts';
import type { HcnError } from '../hcn/errors.ts';
import { describeHresult } from '../hcn/hresults.ts';
import type { HostAdapter } from '../net/host-adapter.ts';
import { describeAdapters } from '../plan/adapter-selector.ts';
import {
  type AdapterUse,
  describeRefusal,
  describeSuspects,
  describeUse,
  findAdapterUse,
  remedyForUse,
} from '../plan/adapter-use.ts';
import { describeOverlap, findOverlaps } from '../plan/segments.ts';
import type { CommandContext } from './command-context.ts';

/** A network to create, the other networks of the node, and the node's adapters. */
interface Neighborhood {
  readonly planned: HostComputeNetwork;
  readonly others: readonly ObservedNetwork[];
  readonly adapters: readonly HostAdapter[];
}

/** Reads all networks except the one with a name. HNS decides about the creation, so a failure is only a notice. */
export async function readOtherNetworks(
  name: string,
  { hcn, notice }: CommandContext,
): Promise<readonly ObservedNetwork[]> {
  try {
    const networks = await hcn.findNetworks();
    return networks.filter(({ Name }) => Name.toLowerCase() !== name.toLowerCase());
  } catch (error) {
    if (!(error instanceof CniError)) throw error;
    notice(`network "${name}" was not compared with the other networks: ${error.message}`);
    return [];
  }
}

/** What can go wrong with a network that is about to be created, because of other networks. */
export function neighborWarnings({ planned, others, adapters }: Neighborhood): readonly string[] {
  const use = findAdapterUse(planned, others, adapters);
  const overlaps = findOverlaps(planned, others, adapters);
  return [
    ...(use === undefined ? [] : [`${describeUse(use)}: ${describeRefusal(use)}`]),
    ...overlaps.map(describeOverlap),
  ];
}

/** The error of a creation that HNS refused because of the other networks on the adapter. */
export function adapterInUse(use: AdapterUse, { code, hresult, details }: HcnError): CniError {
  const refusal = `HCN returned ${describeHresult(hresult)}`;
  return new CniError(
    code,
    `${describeUse(use)}, so HNS refused ${use.network.Type} network "${use.network.Name}": ${refusal}`,
    { details: [remedyForUse(use), details].filter(Boolean).join('; ') },
  );
}

/** HCN's refusal of an adapter, with the networks that may use it and the node's adapters in its details. */
export async function withAdapters(
  error: HcnError,
  { planned, others, adapters }: Neighborhood,
  { ipHelper }: CommandContext,
): Promise<CniError> {
  const current = await ipHelper.readAdapters().then(describeAdapters, () => undefined);
  return withDetails(error, describeSuspects(planned, others, adapters), current);
}
