import { type Limits, limitHcnCalls, newLimit } from '../../hcn/deadline.ts';
import { isFailure } from '../../hcn/hresults.ts';
import { type ComputeNetworkLibrary, type Handle, interceptHcnCalls } from '../../hcn/library.ts';
import type { Inventory } from '../../model/inventory.ts';
import type { System } from '../../system.ts';
import { queryInventory } from '../inventory/read-inventory.ts';

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
