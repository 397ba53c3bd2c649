import { CniError, code } from '../cni/error.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import type { ObservedNetwork } from '../hcn/documents.ts';
import { isRefusal } from '../hcn/errors.ts';
import type { Guid } from '../hcn/guid.ts';
import {
  forwardingInterfaces,
  hostEndpointAddress,
  hostEndpointDocument,
  hostNamespaceOf,
} from '../plan/host-endpoint.ts';
import { hostEndpointId } from '../plan/identity.ts';
import { isAttached } from '../plan/observed-endpoint.ts';
import { apply } from './apply.ts';
import type { Host } from './host.ts';
import { poll } from './poll.ts';
import type { Undo } from './undo.ts';

/** How long the interface of a host endpoint may take to appear. */
const interfaceMilliseconds = 10_000;

/**
 * Gives the node its own endpoint on the network, where one is configured: in the node's namespace, with forwarding between its
 * interface and the adapter's, and without a default route. What of this is there already stays as it is.
 */
export async function ensureHostEndpoint(
  config: NetworkConfig,
  network: ObservedNetwork,
  host: Host,
  undo: Undo,
): Promise<void> {
  if (config.hostEndpoint === undefined) return;
  const address = hostEndpointAddress(config, network);
  if (address === undefined) {
    throw new CniError(
      code.invalidConfig,
      `/hostEndpoint is there, and network "${config.name}" has no IPv4 subnet`,
    );
  }
  const id = hostEndpointId(config.name);
  if (!(await isThere(id, address, host))) {
    await create(id, network, address, host, undo);
    await attach(id, host, undo);
  }
  await forward(network, address, host);
}

/** Whether the endpoint works; one that an interrupted request left unattached does not. */
async function isThere(id: Guid, address: string, { hcn }: Host): Promise<boolean> {
  const endpoint = await hcn.findEndpoint(id);
  if (endpoint === undefined || !isAttached(endpoint)) return false;
  const addresses = (endpoint.IpConfigurations ?? []).map(({ IpAddress }) => IpAddress);
  if (addresses.includes(address)) return true;
  const message = `host endpoint "${endpoint.Name}" has ${addresses.join(', ') || 'no address'}, and /hostEndpoint asks for ${address}`;
  throw new CniError(code.invalidConfig, message, {
    details:
      'its pods use it as their gateway: delete it by hand once they are gone, or configure its address',
  });
}

async function create(
  id: Guid,
  network: ObservedNetwork,
  address: string,
  { hcn }: Host,
  undo: Undo,
): Promise<void> {
  const document = hostEndpointDocument(network, address);
  await apply({ do: 'create host endpoint', network: network.ID, id, document }, hcn, undo).catch(
    async (error: unknown) => {
      if (!isRefusal(error) || (await hcn.findEndpoint(id)) === undefined) throw error;
    },
  );
}

async function attach(id: Guid, { hcn }: Host, undo: Undo): Promise<void> {
  const namespace = hostNamespaceOf(await hcn.findNamespaces());
  if (namespace?.ID === undefined) {
    throw new CniError(
      code.hcnFailure,
      'HCN has no namespace of the node itself, type HostDefault in compartment 1',
      { details: 'restart the Host Network Service: Restart-Service hns' },
    );
  }
  const step = { do: 'attach host endpoint', endpoint: id, namespace: namespace.ID } as const;
  await apply(step, hcn, undo).catch(async (error: unknown) => {
    const endpoint = isRefusal(error) ? await hcn.findEndpoint(id) : undefined;
    if (endpoint?.HostComputeNamespace !== namespace.ID) throw error;
  });
}

async function forward(network: ObservedNetwork, address: string, host: Host): Promise<void> {
  const { ipHelper } = host;
  const found = await poll(host, interfaceMilliseconds, async () => {
    const interfaces = forwardingInterfaces(network, address, await ipHelper.readAdapters());
    return interfaces.host === undefined ? undefined : { ...interfaces, host: interfaces.host };
  });
  if (found === undefined) {
    throw new CniError(
      code.tryAgainLater,
      `no interface of the node got address ${address} of its endpoint`,
      {
        details: 'look with Get-NetIPAddress and Get-NetAdapter -IncludeHidden',
      },
    );
  }
  for (const { index } of [found.host, ...found.management]) await ipHelper.enableForwarding(index);
  await ipHelper.removeDefaultRoutes(found.host.index);
}
