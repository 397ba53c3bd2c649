import type { NetworkPlan } from '../../commands/look-at-network.ts';
import type { Guid } from '../../hcn/guid.ts';
import { hex } from '../../hcn/hresults.ts';
import type { Entry } from '../../log/log.ts';
import { boundAdapter } from '../../model/network-document.ts';
import { isReady } from '../../model/readiness.ts';
import { isExternal } from '../../plan/network-adapter.ts';

/** What a call has just created; undefined for any other entry. */
export function createdBy(entry: Entry): Guid | undefined {
  if (entry.event !== 'call' || entry.hresult !== hex(0)) return undefined;
  return /^HcnCreate/.test(entry.call) ? entry.id : undefined;
}

/** What is awaited before anything is created; undefined where all may be there. */
export function firstWait({ config, found }: NetworkPlan): string | undefined {
  if (found === undefined) return `creating ${config.networkType} network "${config.name}"`;
  return isReady(found) ? undefined : waitingFor(boundAdapter(found));
}

/** What is awaited once the network, or else the node's endpoint on it, is created. */
export function nextWait(created: Guid, { config, planned }: NetworkPlan): string | undefined {
  if (created !== planned.ID) return "waiting for the interface of the node's endpoint";
  return isExternal(config.networkType) ? waitingFor(boundAdapter(planned)) : undefined;
}

function waitingFor(adapter: string | undefined): string {
  const which = adapter === undefined ? 'the adapter' : `adapter "${adapter}"`;
  return `waiting for ${which} to come back with an address`;
}
