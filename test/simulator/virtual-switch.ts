// Chooses the physical adapter of a network's external switch.

import { v5 as uuidv5 } from 'uuid';
import type { NetworkMode, Policy } from './documents.ts';
import { HnsError } from './hresults.ts';
import type { Adapter, NetworkObject, State } from './state.ts';

const external: ReadonlySet<NetworkMode> = new Set(['L2Bridge', 'L2Tunnel', 'Overlay', 'Transparent']);
const ethernet = 6;
const switchNamespace = '6252be31-13af-492c-b0ce-4fed3e16b231';

/**
 * A virtual switch cannot use the adapter of another switch (antrea#2213) [O] nor Wi-Fi (hcsshim#1477) [O].
 * Networks of one type share an adapter; a network of another type is refused.
 * https://github.com/MicrosoftDocs/Virtualization-Documentation/pull/595
 */
export function chooseAdapter(
  state: State,
  type: NetworkMode,
  policies: readonly Policy[],
): Adapter | undefined {
  if (!external.has(type)) return undefined;
  const name = policies.find((policy) => policy.Type === 'NetAdapterName')?.Settings?.['NetworkAdapterName'];
  const address = policies.find((policy) => policy.Type === 'ProviderAddress')?.Settings?.['ProviderAddress'];
  if (/^vEthernet \(/i.test(String(name ?? ''))) throw new HnsError('E_INVALIDARG');
  const matching = state.adapters.filter(
    (adapter) =>
      (adapter.isUp ?? true) &&
      (adapter.mediaType ?? ethernet) === ethernet &&
      (name === undefined || adapter.name === name) &&
      (address === undefined || adapter.managementIp === address),
  );
  const chosen =
    matching.find((adapter) => boundTypes(state, adapter).length === 0) ??
    matching.find((adapter) => boundTypes(state, adapter).every((bound) => bound === type));
  if (!chosen) throw new HnsError('HCN_E_ADAPTER_NOT_FOUND');
  return chosen;
}

function boundTypes(state: State, adapter: Adapter): NetworkMode[] {
  return networksOn(state, adapter).map((network) => network.document.Type);
}

export function networksOn(state: State, adapter: Adapter | undefined): NetworkObject[] {
  return [...state.networks.values()].filter((network) => network.adapter === adapter);
}

/** An adapter may still be bound when the call that deleted its last network has returned (hcsshim#95) [O]. */
export function noteRelease(state: State, adapter: Adapter | undefined): void {
  const isLate = state.release.switches.adapterRelease === 'after a refusal';
  if (isLate && adapter && networksOn(state, adapter).length === 0) state.unreleased.set(adapter, 1);
}

export function requireReleased(state: State, adapter: Adapter | undefined): void {
  const refusals = (adapter && state.unreleased.get(adapter)) ?? 0;
  if (!adapter || refusals === 0) return;
  state.unreleased.set(adapter, refusals - 1);
  throw HnsError.of(state.release.switches.unreleasedAdapter);
}

/** Networks on one adapter share its switch; NAT networks share another one. */
export function switchIdOf(adapter: Adapter | undefined, type: NetworkMode, networkId: string): string {
  if (adapter) return uuidv5(adapter.name, switchNamespace);
  return type === 'NAT' ? switchNamespace : uuidv5(networkId, switchNamespace);
}

/** The MAC address of an overlay network's distributed router: networks of one name on several nodes have several. */
export function routerMacOf(adapter: Adapter | undefined, networkId: string): string {
  const digits = uuidv5(`${networkId} on ${adapter?.managementIp}`, switchNamespace)
    .slice(0, 6)
    .toUpperCase();
  return `00-15-5D-${digits.replaceAll(/..(?!$)/g, '$&-')}`;
}
