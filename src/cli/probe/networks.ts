import type { Kind } from '../../hcn/guid.ts';
import { isAdapterMissing, isFailure } from '../../hcn/hresults.ts';
import type { JsonObject } from '../../json/members.ts';
import { type Context, retried, type SharedNetwork } from './context.ts';
import { idIn, networkDocument, required } from './documents.ts';
import { newProbeId, newProbeName } from './names.ts';
import { isExternal, type NetworkType, NotTried } from './observation.ts';

/** How many networks a run creates at most. */
export const networkLimits = { Private: 3, NAT: 2, external: 2 } as const;

export type NetworkClass = keyof typeof networkLimits;

/** The limit that a network counts for. */
export function classOf(type: unknown): NetworkClass {
  if (isExternal(type)) return 'external';
  return type === 'Private' ? 'Private' : 'NAT';
}

/** Counts the networks of a run, including those whose creation HCN did not answer. */
export function newNetworkCount(limits: Readonly<Record<NetworkClass, number>>) {
  const counts: Record<NetworkClass, number> = { Private: 0, NAT: 0, external: 0 };
  /** How many networks of a type may still be created. */
  const roomFor = (type: unknown): number => limits[classOf(type)] - counts[classOf(type)];
  return {
    roomFor,
    /** Counts a network before its creation. Throws NotTried for a network beyond its limit. */
    add: (kind: Kind, { Type }: JsonObject): void => {
      if (kind !== 'Network') return;
      if (roomFor(Type) <= 0)
        throw new NotTried(`this run creates at most ${limits[classOf(Type)]} networks of this type`);
      counts[classOf(Type)] += 1;
    },
    /** HNS refused the network. */
    subtract: (kind: Kind, { Type }: JsonObject): void => {
      if (kind === 'Network') counts[classOf(Type)] -= 1;
    },
  };
}

/**
 * Creates the network that experiments share. Retries while HNS has not released the adapter, and if HNS refuses a Private network, of
 * which it may create only one at a time.
 */
export async function createNetwork(
  context: Omit<Context, 'network' | 'share'>,
  type: NetworkType,
  isReplacement: boolean,
): Promise<SharedNetwork> {
  const [name, subnet, requested] = [newProbeName(), context.newSubnet(), newProbeId<'Network'>()];
  const settings = networkDocument(name, type, subnet, context.adapter);
  const { answer, refusals } = await retried(
    context,
    ({ hresult }) => isAdapterMissing(hresult) || (type === 'Private' && isFailure(hresult)),
    () => context.create('Network', { ...settings, ID: requested }, requested),
  );
  const network = required(answer, `creating a ${type} network`);
  const document = required(await context.query(network), `querying a ${type} network`);
  const id = idIn<'Network'>(document) ?? network.id;
  return { ...network, id, type, name, subnet, requested, document, refusals, isReplacement };
}
