import { type Limits, limitHcnCalls, limitsPerCall, newLimit } from '../../hcn/deadline.ts';
import { isFailure } from '../../hcn/hresults.ts';
import { type ComputeNetworkLibrary, type Handle, interceptHcnCalls } from '../../hcn/library.ts';
import type { Inventory } from '../../model/inventory.ts';
import type { System } from '../../system.ts';
import { queryInventory, readAdapters } from '../inventory/read-inventory.ts';
import type { Session } from '../terminal/session.ts';
import { findLeftovers, type Leftover, without } from './leftovers.ts';
import { isProbeAlias, type Subnet } from './names.ts';
import type { Permissions } from './run-rows.ts';
import { checkNode, Unsuitable } from './suitability.ts';

/** The time limit of one call, which may be slow on a busy node. */
export const callLimits = limitsPerCall(30);

/** The node before a run. */
export interface Start {
  /** The objects of earlier probes. */
  readonly leftovers: readonly Leftover[];
  readonly hasOtherNat: boolean;
  /** Returns a new subnet. Undefined if the node is suitable only if the deletion of the leftovers frees the adapter. */
  readonly newSubnet: (() => Subnet) | undefined;
  /** Checks the node again. Throws Unsuitable. */
  readonly check: () => Promise<() => Subnet>;
}

/** Reads the node, without a change. Throws Unsuitable if experiments would affect others. Throws as HCN does. */
export async function readStart(permissions: Permissions, session: Session): Promise<Start> {
  const { leftovers, others } = await readOthers(session);
  const check = async () => {
    const adapters = (await readAdapters(session.system)).filter(({ alias }) => !isProbeAlias(alias));
    return checkNode(permissions, others, adapters);
  };
  const newSubnet = await check().catch((error: unknown) => {
    const isCurable = error instanceof Unsuitable && error.isCurable;
    if (isCurable && leftovers.some(({ adapter }) => adapter !== undefined)) return undefined;
    throw error;
  });
  const hasOtherNat = others.networks.some(({ Type }) => Type.toUpperCase() === 'NAT');
  return { leftovers, hasOtherNat, newSubnet, check };
}

/** The objects of probes, and an inventory of all others. */
export async function readOthers({ system }: Pick<Session, 'system'>): Promise<{
  readonly leftovers: readonly Leftover[];
  readonly others: Inventory;
}> {
  const inventory = await readObjects(system, callLimits);
  const leftovers = findLeftovers(inventory);
  return { leftovers, others: without(inventory, leftovers) };
}

/**
 * Reads all objects of HCN and closes them: a probe runs for minutes, and whether an open handle delays the deletion of a pod's
 * namespace is uncertain. Throws as queryInventory does.
 */
export async function readObjects(system: System, limits: Limits): Promise<Inventory> {
  const opened: Handle[] = [];
  const limit = newLimit(limits, system.timer, system.now);
  const { close } = interceptHcnCalls(system.loadLibrary, limitHcnCalls(limit));
  const loadLibrary = async (): Promise<ComputeNetworkLibrary> => {
    const library = await system.loadLibrary();
    return {
      ...library,
      open: async (kind, id) => {
        const response = await library.open(kind, id);
        if (!isFailure(response.hresult)) opened.push(response.value);
        return response;
      },
    };
  };
  const inventory = await queryInventory({ ...system, loadLibrary }, limits);
  for (const handle of opened) await close(handle);
  return inventory;
}
