import { CniError, code, toCniError, withDetails } from '../cni/error.ts';
import type { Attachment } from '../cni/request.ts';
import type { Behavior } from '../config/behavior.ts';
import type { HcnClient } from '../hcn/client.ts';
import type { ObservedEndpoint } from '../hcn/documents.ts';
import { HcnTimeout } from '../hcn/errors.ts';
import type { Guid } from '../hcn/guid.ts';
import { delegateCommand } from '../ipam/delegate.ts';
import { type Garbage, garbageOn } from '../model/garbage.ts';
import { networkId } from '../model/identity.ts';
import { selectHostNamespace } from '../model/ownership.ts';
import { attachedTo, isAttached } from '../model/readiness.ts';
import type { CommandContext } from './command-context.ts';
import { removeEndpoint } from './remove-endpoint.ts';

/**
 * Deletes every endpoint that win-hcn made on the network and that is of none of the valid attachments, then has the IPAM plugin
 * do the same (specification, section 4, "GC"). Failures do not stop it; the first is the error, with the others in its details.
 */
export async function gc(
  network: string,
  valid: readonly Attachment[],
  behavior: Behavior,
  { hcn, locateIpam }: CommandContext,
): Promise<void> {
  const failures: unknown[] = [];
  const attempt = (work: Promise<unknown>) => work.catch((error: unknown) => failures.push(error));
  const decide = (ids: readonly Guid[]) => garbageOn(network, valid, behavior, ids);
  await attempt(deleteGarbage(network, decide, hcn, failures));
  await attempt(delegateGc(locateIpam));
  const [first, ...others] = failures;
  if (first !== undefined) throw withDetails(first, ...others.map((error) => toCniError(error).message));
}

/** Goes on to the next endpoint when one fails, but not when HCN hangs. */
async function deleteGarbage(
  network: string,
  decide: (ids: readonly Guid[]) => Garbage,
  hcn: HcnClient,
  failures: unknown[],
): Promise<void> {
  // A network that was just created may be found by its id and not be listed yet.
  const found = (await hcn.findNetwork(network)) ?? (await hcn.findNetworkById(networkId(network)));
  if (found === undefined) return;
  const { candidates, isGarbage } = decide(await hcn.findEndpointsOfNetwork(found.ID));
  for (const [index, id] of candidates.entries()) {
    try {
      await deleteIfGarbage(id, isGarbage, hcn);
    } catch (error) {
      failures.push(error);
      const left = candidates.length - index - 1;
      const isLate = [error, Object(error).cause].some((one) => one instanceof HcnTimeout);
      if (!isLate || left === 0) continue;
      failures.push(new CniError(code.tryAgainLater, `${left} more endpoints were not looked at`));
      return;
    }
  }
}

async function deleteIfGarbage(id: Guid, isGarbage: Garbage['isGarbage'], hcn: HcnClient): Promise<void> {
  const endpoint = await hcn.findEndpoint(id);
  if (endpoint === undefined || !isGarbage(endpoint) || (await isOfNode(endpoint, hcn))) return;
  await removeEndpoint(id, attachedTo(endpoint), hcn);
}

/** The node's own endpoints are no container's, whatever they are called. */
async function isOfNode(endpoint: ObservedEndpoint, hcn: HcnClient): Promise<boolean> {
  if (!isAttached(endpoint)) return false;
  const namespace = await hcn.findNamespace(endpoint.HostComputeNamespace);
  return namespace !== undefined && selectHostNamespace([namespace]) !== undefined;
}

async function delegateGc(locateIpam: CommandContext['locateIpam']): Promise<void> {
  const ipam = locateIpam();
  if (ipam !== undefined) await delegateCommand(ipam, 'GC');
}
