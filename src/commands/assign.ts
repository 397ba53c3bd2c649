import type { Guid } from '../hcn/guid.ts';
import { type Delegate, delegateAdd, delegateCommand } from '../ipam/delegate.ts';
import type { Assignment } from '../plan/endpoint.ts';
import { removeUnfinished } from './create-endpoint.ts';
import type { Host } from './host.ts';
import type { Undo } from './undo.ts';

/**
 * The addresses of an endpoint from the IPAM plugin; undefined without one. A plugin that fails is asked to give back what it
 * may have taken (specification, section 4), but not while an earlier ADD's endpoint uses the address: an IPAM plugin refuses
 * a second lease, and its DEL would release the first.
 */
export async function assign(
  ipam: Delegate | undefined,
  endpoint: Guid,
  { hcn }: Host,
  undo: Undo,
): Promise<Assignment> {
  if (ipam === undefined) return undefined;
  const giveBack = () => delegateCommand(ipam, 'DEL');
  try {
    const assignment = await delegateAdd(ipam);
    undo.pushUnderlying('give the addresses back', giveBack);
    return assignment;
  } catch (error) {
    await removeUnfinished(endpoint, hcn);
    undo.pushUnderlying('give the addresses back', giveBack);
    throw error;
  }
}
