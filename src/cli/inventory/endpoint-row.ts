import type { ObservedEndpoint } from '../../hcn/documents.ts';
import type { Guid } from '../../hcn/guid.ts';
import { findHresult } from '../../hcn/hresults.ts';
import { loadBalancersUsing } from '../../plan/load-balancer.ts';
import { isAttached } from '../../plan/observed-endpoint.ts';
import { isRemote } from '../../plan/remote-endpoint.ts';
import { containersIn } from './containers.ts';
import type { Inventory } from './inventory.ts';
import { type Ownership, ownershipOf } from './owner.ts';

/** An endpoint with what it belongs to. */
export interface EndpointRow extends Ownership {
  readonly id: Guid;
  readonly name: string;
  /** The network's name, or its id where it is gone. */
  readonly network: string;
  readonly addresses: readonly string[];
  readonly macAddress: string;
  readonly namespace?: Guid;
  readonly state: string;
  /** `ok`, or the symbol or number of HNS's last error. */
  readonly health: string;
  readonly remote: boolean;
  /** Why it is a leftover; absent for one that is not. */
  readonly stale?: string;
}

/** HCN's EndpointState; it has no name for what it leaves out. https://learn.microsoft.com/virtualization/api/hcn/hns_schema */
const states = ['unknown', 'Created', 'Attached', 'AttachedSharing', 'Detached', 'Degraded', 'Destroyed'];

export function endpointRows(inventory: Inventory): readonly EndpointRow[] {
  return inventory.endpoints.map((endpoint) => endpointRow(endpoint, inventory));
}

export function endpointRow(endpoint: ObservedEndpoint, inventory: Inventory): EndpointRow {
  const { ID: id, Name, HostComputeNetwork, IpConfigurations = [], MacAddress = '', State = 0 } = endpoint;
  const network = inventory.networks.find(({ ID }) => ID === HostComputeNetwork);
  const ownership = ownershipOf(endpoint, network, inventory);
  const container = ownership.container ?? onlyContainerOf(endpoint, inventory);
  const stale = staleness(endpoint, ownership, inventory);
  return {
    id,
    name: Name,
    ...(container !== undefined && { container }),
    ...(ownership.interface !== undefined && { interface: ownership.interface }),
    network: network?.Name ?? HostComputeNetwork,
    addresses: IpConfigurations.map(({ IpAddress, PrefixLength }) =>
      PrefixLength === undefined ? IpAddress : `${IpAddress}/${PrefixLength}`,
    ),
    macAddress: MacAddress,
    ...(isAttached(endpoint) && { namespace: endpoint.HostComputeNamespace }),
    state: states[State] ?? `state ${State}`,
    health: healthOf(endpoint),
    owner: ownership.owner,
    remote: isRemote(endpoint),
    ...(stale !== undefined && { stale }),
  };
}

/** The container of an endpoint whose name tells none, where there is only one in its namespace. */
function onlyContainerOf(endpoint: ObservedEndpoint, { namespaces }: Inventory): string | undefined {
  if (!isAttached(endpoint)) return undefined;
  const [container, ...others] = containersIn(
    namespaces.find(({ ID }) => ID === endpoint.HostComputeNamespace),
  );
  return others.length === 0 ? container : undefined;
}

function healthOf({ Health }: ObservedEndpoint): string {
  const error = (Health?.Data?.LastErrorCode ?? 0) >>> 0;
  return error === 0 ? 'ok' : (findHresult(error)?.symbol ?? `0x${error.toString(16).padStart(8, '0')}`);
}

/**
 * What ADD and GC take for a leftover, as far as it is known: what cannot be read may be what the endpoint is for. Plugins of before
 * namespaces attach an endpoint without one, so that theirs is a leftover only in a state which says that nobody has it.
 */
function staleness(
  endpoint: ObservedEndpoint,
  { owner }: Ownership,
  { namespaces, loadBalancers, unreadable = [] }: Inventory,
): string | undefined {
  if (isRemote(endpoint)) {
    const isUsed = loadBalancersUsing(endpoint.ID, loadBalancers).length > 0;
    const mayBeUsed = unreadable.some(({ kind }) => kind === 'LoadBalancer');
    return isUsed || mayBeUsed ? undefined : 'no load balancer refers to it';
  }
  if (owner !== 'win-hcn' && owner !== 'another plugin') return undefined;
  if (isAttached(endpoint)) {
    const id = endpoint.HostComputeNamespace;
    const exists = namespaces.some(({ ID }) => ID === id) || unreadable.some((object) => object.id === id);
    return exists ? undefined : 'its namespace is gone';
  }
  const isIdle = /^(Created|Detached|Destroyed)$/.test(states[endpoint.State ?? 0] ?? '');
  return owner === 'win-hcn' || isIdle ? 'in no namespace' : undefined;
}
