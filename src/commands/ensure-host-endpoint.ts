import { CniError, code } from '../cni/error.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import type { ObservedNetwork } from '../hcn/documents.ts';
import { type HcnError, isRefusal } from '../hcn/errors.ts';
import type { Guid } from '../hcn/guid.ts';
import { isInNamespace } from '../hcn/hresults.ts';
import { hostEndpointId } from '../model/identity.ts';
import { forwardingInterfaces, hostEndpointAddress, hostEndpointDocument } from '../plan/host-endpoint.ts';
import { apply } from './apply.ts';
import type { CommandContext } from './command-context.ts';
import { createSharedEndpoint } from './create-shared-endpoint.ts';
import type { Ensured } from './ensure-network.ts';
import { findHostEndpoint, findHostNamespace } from './look-at-host-endpoint.ts';
import { poll } from './poll.ts';
import type { Undo } from './undo.ts';

/** How long HNS may refuse to attach a host endpoint, and how long its interface may take to appear. */
const attachMilliseconds = 5_000;
const interfaceMilliseconds = 10_000;

/**
 * Gives the node its own endpoint on the network, where one is configured: in the node's namespace, with forwarding between its
 * interface and the adapter's, and without a default route. What of this is there already stays as it is. The endpoint goes only
 * with its network: another request may have found it by now.
 */
export async function ensureHostEndpoint(
  config: NetworkConfig,
  { network, keep }: Ensured,
  host: CommandContext,
  undo: Undo,
): Promise<void> {
  const address = hostEndpointAddress(config, network);
  if (address === undefined) return;
  const id = hostEndpointId(config.name);
  const found = await findHostEndpoint(id, network, address, host.hcn);
  if (found.state === 'leftover') await host.hcn.deleteEndpoint(found.id);
  if (found.state === 'unfinished') await attach(found.id, host, undo);
  if (found.state === 'absent' || found.state === 'leftover') {
    const document = hostEndpointDocument(network, address);
    const step = { do: 'create host endpoint', network: network.ID, id, document } as const;
    await attach(await createSharedEndpoint(step, host.hcn, undo), host, undo);
  }
  try {
    await forward(network, address, host);
  } catch (error) {
    keep();
    throw error;
  }
}

/**
 * Attaches the host endpoint to the node's namespace. HNS may refuse right after the creation, so this retries for 5 s, as flannel
 * and Terway do. Like Terway, takes "already in a namespace" as success. Throws the last refusal.
 */
async function attach(endpoint: Guid, host: CommandContext, undo: Undo): Promise<void> {
  const { hcn } = host;
  const namespace = await findHostNamespace(hcn);
  let refusal: HcnError | undefined;
  const attached = await poll(host, attachMilliseconds, async () => {
    try {
      await apply({ do: 'attach host endpoint', endpoint, namespace }, hcn, undo);
      return true;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refusal = error;
      const isThere = (await hcn.findEndpoint(endpoint))?.HostComputeNamespace === namespace;
      return isThere || isInNamespace(error.hresult) || undefined;
    }
  });
  if (attached === undefined) throw refusal;
}

async function forward(network: ObservedNetwork, address: string, host: CommandContext): Promise<void> {
  const { ipHelper } = host;
  const found = await poll(host, interfaceMilliseconds, async () =>
    forwardingInterfaces(network, address, await ipHelper.readAdapters()),
  );
  if (found === undefined) {
    throw new CniError(
      code.tryAgainLater,
      `no interface of the node got address ${address} of its endpoint, or its adapter has no IPv4 address`,
      {
        details: 'look with Get-NetIPAddress and Get-NetAdapter -IncludeHidden',
      },
    );
  }
  for (const { index } of [found.host, ...found.management]) await ipHelper.enableForwarding(index);
  await ipHelper.removeDefaultRoutes(found.host.index);
}
