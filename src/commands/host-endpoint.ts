import { CniError, code } from '../cni/error.ts';
import type { HcnReader } from '../hcn/client.ts';
import { addressesIn, type ObservedEndpoint } from '../hcn/documents.ts';
import { type HcnError, isRefusal } from '../hcn/errors.ts';
import type { EndpointId, NamespaceId } from '../hcn/guid.ts';
import { isInNamespace } from '../hcn/hresults.ts';
import { hostEndpointId, hostEndpointName } from '../model/identity.ts';
import { isHostNamespace, selectHostNamespace } from '../model/ownership.ts';
import { isAttached } from '../model/readiness.ts';
import { checkHostEndpoint, hostEndpointAddress, hostEndpointDocument } from '../plan/host-endpoint.ts';
import type { IdentifiedNetwork, NetworkPlan } from '../plan/network-plan.ts';
import { poll } from '../steps/changes.ts';
import { findEndpointsNamed } from '../steps/find-endpoints.ts';
import type { CommandContext } from './command-context.ts';
import { createSharedEndpoint } from './create-endpoint.ts';
import type { EnsuredNetwork } from './finish-network.ts';
import { create, findCreated } from './new-endpoint.ts';

/** How long HNS may refuse to attach a host endpoint. */
const attachMilliseconds = 5_000;

/**
 * Gives the node its own endpoint on the network if one is configured: in the host namespace, with forwarding between its interface
 * and the network's adapter, and without a default route. Keeps what exists as configured. The host endpoint is deleted only with its
 * network: another request may use it by now.
 */
export async function ensureHostEndpoint(
  plan: Pick<NetworkPlan, 'hostEndpoint' | 'adapters'>,
  { network, isNew }: EnsuredNetwork,
  context: CommandContext,
): Promise<void> {
  const { changes } = context;
  const address = hostEndpointAddress(plan, network);
  if (address === undefined) return;
  const found = await findHostEndpoint(hostEndpointId(network.Name), network, address, context.hcn);
  const name = hostEndpointName(network.Name);
  const exists = found.state === 'ready' || found.state === 'unattached';
  if (!exists) checkHostEndpoint(plan, network, plan.adapters);
  if (found.state === 'leftover')
    await changes.apply({ do: 'delete leftover endpoint', id: found.endpoint.ID, name });
  const endpoint = exists ? found.endpoint : await createHostEndpoint(network, isNew, address, context);
  if (found.state !== 'ready') await attach(endpoint.ID, name, context);
  await changes.apply({ do: 'enable forwarding', network, address, mac: endpoint.MacAddress });
}

/** Creates the host endpoint, without its route if HNS refuses: HNS may refuse the next hop 0.0.0.0. Throws the second refusal. */
async function createHostEndpoint(
  network: IdentifiedNetwork,
  isNew: boolean,
  address: string,
  context: CommandContext,
): Promise<ObservedEndpoint> {
  const document = hostEndpointDocument(network, address);
  const id = hostEndpointId(network.Name);
  const step = { do: 'create host endpoint', network: network.ID, id, document } as const;
  try {
    await create(step, isNew, context);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { Routes: _, ...withoutRoutes } = document;
    return createSharedEndpoint({ ...step, document: withoutRoutes }, isNew, context);
  }
  return findCreated(step, context);
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
  | { readonly state: 'ready' | 'unattached' | 'leftover'; readonly endpoint: ObservedEndpoint };

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
  if (!isAttached(endpoint)) return { state: isAsConfigured ? 'unattached' : 'leftover', endpoint };
  if (isAsConfigured) return { state: 'ready', endpoint };
  const addresses = addressesIn(endpoint);
  const message = `host endpoint "${endpoint.Name}" has ${addresses.join(', ') || 'no address'}, and /hostEndpoint asks for ${address}`;
  throw new CniError(code.invalidConfig, message, {
    details:
      'pods may use it as their gateway: delete it when they are gone (win-hcn debug endpoint delete), or configure its address',
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
 * The host namespace: the one that HNS's filter `IsDefault` finds, as in Terway, else one of type HostDefault, also if HNS refuses the
 * filter. Throws code 100 if HCN has none.
 */
export async function findHostNamespace(hcn: HcnReader): Promise<NamespaceId> {
  const defaults = await hcn.findDefaultNamespaces().catch((error: unknown) => {
    if (isRefusal(error)) return [];
    throw error;
  });
  const [only, ...others] = defaults.filter(isHostNamespace);
  const namespace =
    selectHostNamespace(defaults) ??
    (others.length === 0 ? only : undefined) ??
    selectHostNamespace(await hcn.findNamespaces());
  if (namespace?.ID === undefined) {
    throw new CniError(code.hcnFailure, 'HCN has no host namespace (type HostDefault, compartment 1)', {
      details: 'drain the node and run Restart-Service hns',
    });
  }
  return namespace.ID;
}
