import { CniError, code, toCniError, withDetails } from '../cni/error.ts';
import type { Attachment } from '../cni/request.ts';
import type { HcnReader } from '../hcn/client.ts';
import type { ObservedEndpoint } from '../hcn/documents.ts';
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
 * the addresses of such attachments (specification, section 2, "GC"), except of those whose endpoints remain. Failures do not stop
 * it; throws the first, with the others in its details.
 */
export async function gc(network: NetworkKey, valid: readonly Attachment[], context: Context): Promise<void> {
  const failures: unknown[] = [];
  const decide = (ids: readonly EndpointId[]) => garbageOn(network.name, valid, network.behavior, ids);
  try {
    await releaseAddresses(await deleteGarbage(network, decide, context, failures), context);
  } catch (error) {
    failures.push(error);
  }
  const [first, ...others] = failures;
  if (first !== undefined) throw withDetails(first, ...others.map((error) => toCniError(error).message));
}

/** Continues after a failure, unless HCN hangs. Returns the attachments whose endpoints remain; throws if HCN does not return all. */
async function deleteGarbage(
  network: NetworkKey,
  decide: (ids: readonly EndpointId[]) => Garbage,
  context: Context,
  failures: unknown[],
): Promise<readonly Attachment[]> {
  const { hcn } = context;
  const found =
    (await findNetwork(network, hcn)) ??
    // A network that was just created may be found by its id and not be listed yet.
    (isProbablyOurs(network) ? undefined : await hcn.findNetworkById(networkId(network.name)));
  if (found === undefined) return [];
  const { candidates, isGarbage, attachmentOf } = decide(await hcn.findEndpointsOfNetwork(found.ID));
  const remaining: (Attachment | undefined)[] = [];
  const notice = (text: string) => {
    remaining.push(undefined);
    context.notice(text);
  };
  for (const [index, id] of candidates.entries()) {
    let endpoint: ObservedEndpoint | undefined;
    try {
      endpoint = await findReadableEndpoint(id, { hcn, notice });
      if (endpoint !== undefined && isGarbage(endpoint)) await deleteEndpoint(endpoint, context);
    } catch (error) {
      failures.push(error);
      remaining.push(endpoint && attachmentOf(endpoint));
      const isLate =
        error instanceof HcnTimeout || (error instanceof CniError && error.cause instanceof HcnTimeout);
      const left = candidates.length - index - 1;
      if (isLate && left > 0)
        throw new CniError(code.tryAgainLater, `${left} more endpoints were not checked`);
    }
  }
  return remaining.map((one) => {
    if (one !== undefined) return one;
    throw new CniError(
      code.hcnFailure,
      'no address was released: an endpoint of an unknown container remains',
    );
  });
}

async function deleteEndpoint(endpoint: ObservedEndpoint, { hcn, changes }: Context): Promise<void> {
  if (await isHostEndpoint(endpoint, hcn)) return;
  const { ID: id, Name: name } = endpoint;
  await changes.apply({ do: 'delete endpoint', id, name, namespace: attachedTo(endpoint) });
}

/** A host endpoint belongs to no container, whatever its name is. */
async function isHostEndpoint(endpoint: ObservedEndpoint, hcn: HcnReader): Promise<boolean> {
  if (!isAttached(endpoint)) return false;
  const namespace = await hcn.findNamespace(endpoint.HostComputeNamespace);
  return namespace !== undefined && selectHostNamespace([namespace]) !== undefined;
}

async function releaseAddresses(
  remaining: readonly Attachment[],
  { locateIpam, changes }: Context,
): Promise<void> {
  const ipam = locateIpam();
  if (ipam !== undefined)
    await changes.apply({ do: 'release unused addresses', plugin: ipam.type, remaining });
}
