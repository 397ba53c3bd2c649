import { CniError, code } from '../cni/error.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import type { ObservedNetwork } from '../hcn/documents.ts';
import { isRefusal } from '../hcn/errors.ts';
import type { Guid } from '../hcn/guid.ts';
import { forwardingInterfaces, hostEndpointAddress, hostEndpointDocument } from '../plan/host-endpoint.ts';
import { hostEndpointId } from '../plan/identity.ts';
import { apply } from './apply.ts';
import { createSharedEndpoint } from './create-shared-endpoint.ts';
import type { Ensured } from './ensure-network.ts';
import type { Host } from './host.ts';
import { findHostEndpoint, findHostNamespace } from './look-at-host-endpoint.ts';
import { poll } from './poll.ts';
import type { Undo } from './undo.ts';

/** How long the interface of a host endpoint may take to appear. */
const interfaceMilliseconds = 10_000;

/**
 * Gives the node its own endpoint on the network, where one is configured: in the node's namespace, with forwarding between its
 * interface and the adapter's, and without a default route. What of this is there already stays as it is. The endpoint goes only
 * with its network: another request may have found it by now.
 */
export async function ensureHostEndpoint(
  config: NetworkConfig,
  { network, keep }: Ensured,
  host: Host,
  undo: Undo,
): Promise<void> {
  const address = hostEndpointAddress(config, network);
  if (address === undefined) return;
  const id = hostEndpointId(config.name);
  const state = await findHostEndpoint(id, network, address, host.hcn);
  if (state === 'leftover') await host.hcn.deleteEndpoint(id);
  if (state !== 'at work') {
    const document = hostEndpointDocument(network, address);
    const step = { do: 'create host endpoint', network: network.ID, id, document } as const;
    await createSharedEndpoint(step, host.hcn, undo);
    await attach(id, host, undo);
  }
  try {
    await forward(network, address, host);
  } catch (error) {
    keep();
    throw error;
  }
}

async function attach(id: Guid, { hcn }: Host, undo: Undo): Promise<void> {
  const namespace = await findHostNamespace(hcn);
  const step = { do: 'attach host endpoint', endpoint: id, namespace } as const;
  await apply(step, hcn, undo).catch(async (error: unknown) => {
    const endpoint = isRefusal(error) ? await hcn.findEndpoint(id) : undefined;
    if (endpoint?.HostComputeNamespace !== namespace) throw error;
  });
}

async function forward(network: ObservedNetwork, address: string, host: Host): Promise<void> {
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
