import { CniError, code } from '../cni/error.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import type { HcnReader } from '../hcn/client.ts';
import { addressesIn, type ObservedEndpoint } from '../hcn/documents.ts';
import { type HcnError, isRefusal } from '../hcn/errors.ts';
import type { EndpointId, NamespaceId } from '../hcn/guid.ts';
import { isInNamespace } from '../hcn/hresults.ts';
import { hostEndpointId, hostEndpointName } from '../model/identity.ts';
import { isHostNamespace, selectHostNamespace } from '../model/ownership.ts';
import { isAttached } from '../model/readiness.ts';
import { hostEndpointAddress, hostEndpointDocument } from '../plan/host-endpoint.ts';
import type { IdentifiedNetwork } from '../plan/network.ts';
import { findEndpointsNamed } from '../steps/find-endpoints.ts';
import { poll } from '../steps/poll.ts';
import type { CommandContext } from './command-context.ts';
import { createSharedEndpoint } from './create-endpoint.ts';
import type { EnsuredNetwork } from './network.ts';

/** How long HNS may refuse to attach a host endpoint. */
const attachMilliseconds = 5_000;

/**
 * Gives the node its own endpoint on the network if one is configured: in the host namespace, with forwarding between its interface
 * and the network's adapter, and without a default route. Keeps what exists as configured. The host endpoint is deleted only with its
 * network: another request may use it by now.
 */
export async function ensureHostEndpoint(
  config: NetworkConfig,
  { network, created }: EnsuredNetwork,
  context: CommandContext,
): Promise<void> {
  const { hcn, changes } = context;
  const address = hostEndpointAddress(config, network);
  if (address === undefined) return;
  const id = hostEndpointId(config.name);
  const found = await findHostEndpoint(id, network, address, hcn);
  const name = hostEndpointName(network.Name);
  if (found.state === 'leftover') await changes.apply({ do: 'delete leftover endpoint', id: found.id, name });
  if (found.state === 'unattached') await attach(found.id, name, context);
  if (found.state === 'absent' || found.state === 'leftover') {
    const document = hostEndpointDocument(network, address);
    const step = { do: 'create host endpoint', network: network.ID, id, document } as const;
    await attach(await createSharedEndpoint(step, context), name, context);
  }
  try {
    await changes.apply({ do: 'enable forwarding', network, address });
  } catch (error) {
    if (created !== undefined) changes.keep(created);
    throw error;
  }
}

/**
 * Attaches the host endpoint to the host namespace. HNS may refuse right after the creation, so this retries for 5 s, as flannel and
 * Terway do. Like Terway, treats "already in a namespace" as success. Throws the last refusal.
 */
async function attach(endpoint: EndpointId, name: string, context: CommandContext): Promise<void> {
  const { hcn, changes } = context;
  const namespace = await findHostNamespace(hcn);
  let refusal: HcnError | undefined;
  const tryToAttach = async () => {
    try {
      await changes.apply({ do: 'attach host endpoint', endpoint, name, namespace });
      return true;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refusal = error;
      const isThere = (await hcn.findEndpoint(endpoint))?.HostComputeNamespace === namespace;
      return isThere || isInNamespace(error.hresult) || undefined;
    }
  };
  if ((await poll(context, attachMilliseconds, tryToAttach)) === undefined) throw refusal;
}

/** An interrupted request leaves an unattached host endpoint: `unattached` if it is as configured, `leftover` otherwise. */
type HostEndpoint =
  | { readonly state: 'absent' }
  | { readonly state: 'ready' | 'unattached' | 'leftover'; readonly id: EndpointId };

/** The state of the host endpoint. Throws code 7 if it is attached and has another address than configured. */
export async function findHostEndpoint(
  id: EndpointId,
  network: IdentifiedNetwork,
  address: string,
  hcn: HcnReader,
): Promise<HostEndpoint> {
  const endpoint = (await hcn.findEndpoint(id)) ?? (await findByName(network, address, hcn));
  if (endpoint === undefined) return { state: 'absent' };
  const isAsConfigured =
    addressesIn(endpoint).includes(address) && endpoint.HostComputeNetwork === network.ID;
  if (!isAttached(endpoint)) return { state: isAsConfigured ? 'unattached' : 'leftover', id: endpoint.ID };
  if (isAsConfigured) return { state: 'ready', id: endpoint.ID };
  const addresses = addressesIn(endpoint);
  const message = `host endpoint "${endpoint.Name}" has ${addresses.join(', ') || 'no address'}, and /hostEndpoint asks for ${address}`;
  throw new CniError(code.invalidConfig, message, {
    details:
      'pods may use it as their gateway: delete it when they are gone (win-hcn endpoint delete), or configure its address',
  });
}

/** A host endpoint with the configured name and address whose id HNS chose, or that flannel, Calico or a script created. */
async function findByName(
  network: IdentifiedNetwork,
  address: string,
  hcn: HcnReader,
): Promise<ObservedEndpoint | undefined> {
  const named = (await findEndpointsNamed(hostEndpointName(network.Name), hcn)).filter((endpoint) =>
    addressesIn(endpoint).includes(address),
  );
  return named.find(isAttached) ?? named.find(({ HostComputeNetwork }) => HostComputeNetwork === network.ID);
}

/**
 * The host namespace: the one that HNS's filter `IsDefault` finds, as in Terway, else one of type HostDefault. Throws code 100 if HCN
 * has none.
 */
export async function findHostNamespace(hcn: HcnReader): Promise<NamespaceId> {
  const defaults = await hcn.findDefaultNamespaces();
  const [only, ...others] = defaults.filter(isHostNamespace);
  const namespace =
    selectHostNamespace(defaults) ??
    (others.length === 0 ? only : undefined) ??
    selectHostNamespace(await hcn.findNamespaces());
  if (namespace?.ID === undefined) {
    throw new CniError(code.hcnFailure, 'HCN has no host namespace (type HostDefault, compartment 1)', {
      details: 'restart the Host Network Service: Restart-Service hns',
    });
  }
  return namespace.ID;
}
