import { CniError, code } from '../cni/error.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import type { HcnClient } from '../hcn/client.ts';
import type { ObservedEndpoint, ObservedNetwork } from '../hcn/documents.ts';
import { isRefusal } from '../hcn/errors.ts';
import type { Guid } from '../hcn/guid.ts';
import {
  forwardingInterfaces,
  hostEndpointAddress,
  hostEndpointDocument,
  hostEndpointName,
  hostNamespaceOf,
} from '../plan/host-endpoint.ts';
import { hostEndpointId } from '../plan/identity.ts';
import { isAttached } from '../plan/observed-endpoint.ts';
import { apply } from './apply.ts';
import { createSharedEndpoint } from './create-shared-endpoint.ts';
import type { Ensured } from './ensure-network.ts';
import type { Host } from './host.ts';
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
  const namespace = await attached(id, network, address, host.hcn);
  if (namespace === undefined) {
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

/**
 * The namespace a usable host endpoint is in; undefined where there is none. One that an interrupted request left in no namespace, and
 * that is not as configured, is deleted.
 */
async function attached(
  id: Guid,
  network: ObservedNetwork,
  address: string,
  hcn: HcnClient,
): Promise<Guid | undefined> {
  const endpoint = (await hcn.findEndpoint(id)) ?? (await findInherited(network, address, hcn));
  if (endpoint === undefined) return undefined;
  const addresses = (endpoint.IpConfigurations ?? []).map(({ IpAddress }) => IpAddress);
  const isAsConfigured = addresses.includes(address) && endpoint.HostComputeNetwork === network.ID;
  if (!isAttached(endpoint)) {
    if (!isAsConfigured) await hcn.deleteEndpoint(id);
    return undefined;
  }
  if (isAsConfigured) return endpoint.HostComputeNamespace;
  const message = `host endpoint "${endpoint.Name}" has ${addresses.join(', ') || 'no address'}, and /hostEndpoint asks for ${address}`;
  throw new CniError(code.invalidConfig, message, {
    details:
      'pods may use it as their gateway: delete it by hand once they are gone, or configure its address',
  });
}

/** One that flannel, Calico or a script has made where ours would be. */
async function findInherited(
  network: ObservedNetwork,
  address: string,
  hcn: HcnClient,
): Promise<ObservedEndpoint | undefined> {
  for (const id of await hcn.findEndpointsByName(hostEndpointName(network.Name))) {
    const endpoint = await hcn.findEndpoint(id);
    const hasAddress = endpoint?.IpConfigurations?.some(({ IpAddress }) => IpAddress === address);
    if (endpoint !== undefined && hasAddress && isAttached(endpoint)) return endpoint;
  }
  return undefined;
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
