import { CniError, code, toCniError, withDetails } from '../cni/error.ts';
import type { Attachment } from '../cni/request.ts';
import type { HcnReader } from '../hcn/client.ts';
import type { ObservedEndpoint, ObservedNetwork } from '../hcn/documents.ts';
import { HcnTimeout } from '../hcn/errors.ts';
import type { EndpointId } from '../hcn/guid.ts';
import { networkId } from '../model/identity.ts';
import { type Garbage, garbageOn, selectHostNamespace } from '../model/ownership.ts';
import { attachedTo, isAttached } from '../model/readiness.ts';
import { findReadableEndpoint } from '../steps/find-endpoints.ts';
import type { CommandContext } from './command-context.ts';
import { findNetwork, isProbablyOurs, type NetworkKey } from './network.ts';

type Context = Pick<CommandContext, 'hcn' | 'changes' | 'locateIpam' | 'notice'>;

/**
 * Deletes every endpoint that win-hcn created on the network for an attachment that is not valid, then has the IPAM plugin release
 * the addresses of such attachments (specification, section 4, "GC"). Failures do not stop it; throws the first, with the others in
 * its details.
 */
export async function gc(network: NetworkKey, valid: readonly Attachment[], context: Context): Promise<void> {
  const failures: unknown[] = [];
  const attempt = (work: Promise<unknown>) => work.catch((error: unknown) => failures.push(error));
  const decide = (ids: readonly EndpointId[]) => garbageOn(network.name, valid, network.behavior, ids);
  await attempt(deleteGarbage(network, decide, context, failures));
  await attempt(releaseAddresses(context));
  const [first, ...others] = failures;
  if (first !== undefined) throw withDetails(first, ...others.map((error) => toCniError(error).message));
}

/** Continues with the next endpoint after a failure, unless HCN hangs. */
async function deleteGarbage(
  network: NetworkKey,
  decide: (ids: readonly EndpointId[]) => Garbage,
  context: Context,
  failures: unknown[],
): Promise<void> {
  const { hcn } = context;
  const found = (await findNetwork(network, hcn)) ?? (await findUnlisted(network, hcn));
  if (found === undefined) return;
  const { candidates, isGarbage } = decide(await hcn.findEndpointsOfNetwork(found.ID));
  for (const [index, id] of candidates.entries()) {
    try {
      await deleteIfGarbage(id, isGarbage, context);
    } catch (error) {
      failures.push(error);
      const left = candidates.length - index - 1;
      const isLate =
        error instanceof HcnTimeout || (error instanceof CniError && error.cause instanceof HcnTimeout);
      if (!isLate || left === 0) continue;
      failures.push(new CniError(code.tryAgainLater, `${left} more endpoints were not checked`));
      return;
    }
  }
}

/** A network that was just created may be found by its id and not be listed yet. */
async function findUnlisted(network: NetworkKey, hcn: HcnReader): Promise<ObservedNetwork | undefined> {
  return isProbablyOurs(network) ? undefined : hcn.findNetworkById(networkId(network.name));
}

async function deleteIfGarbage(
  id: EndpointId,
  isGarbage: Garbage['isGarbage'],
  context: Context,
): Promise<void> {
  const { hcn, changes } = context;
  const endpoint = await findReadableEndpoint(id, context);
  if (endpoint === undefined || !isGarbage(endpoint) || (await isHostEndpoint(endpoint, hcn))) return;
  await changes.apply({ do: 'delete endpoint', id, name: endpoint.Name, namespace: attachedTo(endpoint) });
}

/** A host endpoint belongs to no container, whatever its name is. */
async function isHostEndpoint(endpoint: ObservedEndpoint, hcn: HcnReader): Promise<boolean> {
  if (!isAttached(endpoint)) return false;
  const namespace = await hcn.findNamespace(endpoint.HostComputeNamespace);
  return namespace !== undefined && selectHostNamespace([namespace]) !== undefined;
}

async function releaseAddresses({ locateIpam, changes }: Context): Promise<void> {
  const ipam = locateIpam();
  if (ipam !== undefined) await changes.apply({ do: 'release unused addresses', plugin: ipam.type });
}
