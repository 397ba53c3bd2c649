import type { HostComputeNetwork } from '../hcn/documents.ts';
import {
  boundAdapter,
  describeNetwork,
  networkArgument,
  providerAddressOf,
} from '../model/network-document.ts';
import type { HostAdapter } from '../net/host-adapter.ts';
import { findAdapter } from './adapter-selector.ts';
import { isExternal, isSameName } from './network-adapter.ts';

/** A network to create, and the networks of other types that already use its adapter. */
export interface AdapterUse {
  readonly network: HostComputeNetwork;
  readonly adapter: string;
  readonly users: readonly [HostComputeNetwork, ...HostComputeNetwork[]];
  /** Whether HNS is certain to refuse the network; otherwise it may accept it. */
  readonly isExclusive: boolean;
}

/** The interface name of a network's adapter: the one that HNS shows, or the one with the provider address of an Overlay network. */
export function adapterOf(network: HostComputeNetwork, adapters: readonly HostAdapter[]): string | undefined {
  const provider = providerAddressOf(network);
  return boundAdapter(network) ?? (provider && findAdapter(provider, adapters)?.alias);
}

/**
 * Finds the networks of other types on the adapter of a network to create. HNS puts several networks of one type on an adapter
 * (flannel-io/flannel#1111), but refuses another type with HCN_E_ADAPTER_NOT_FOUND (microsoft/SDN#269, microsoft/SDN#300). That is certain
 * only for Transparent networks (MicrosoftDocs/Virtualization-Documentation#600, microsoft/SDN#300): scripts for flannel create an Overlay
 * network beside an L2Bridge network (kubernetes-sigs/sig-windows-tools#149).
 */
export function findAdapterUse(
  network: HostComputeNetwork,
  others: readonly HostComputeNetwork[],
  adapters: readonly HostAdapter[],
): AdapterUse | undefined {
  const adapter = boundAdapter(network);
  if (adapter === undefined) return undefined;
  const [user, ...more] = others.filter(
    (other) =>
      isExternal(other.Type ?? '') &&
      isSame(adapterOf(other, adapters), adapter) &&
      !isSame(other.Type, network.Type),
  );
  if (user === undefined) return undefined;
  const users = [user, ...more] as const;
  const isExclusive = [network, ...users].some(({ Type }) => isSame(Type, 'Transparent'));
  return { network, adapter, users, isExclusive };
}

/** `adapter "Ethernet" is in use by Overlay network "vxlan0"` */
export function describeUse({ adapter, users }: AdapterUse): string {
  return `adapter "${adapter}" is in use by ${users.map(describeNetwork).join(', ')}`;
}

/** What HNS does with a network of another type on the adapter. */
export function describeRefusal(use: AdapterUse): string {
  const verb = use.isExclusive ? 'does not put' : 'may refuse to put';
  return `HNS ${verb} ${describeNetwork(use.network)} on it`;
}

/** What the operator can do about an adapter in use. */
export function remedyForUse({ users: [user] }: AdapterUse): string {
  const deletion = `delete ${JSON.stringify(user.Name)} if nothing uses it: win-hcn network delete ${networkArgument(user)}`;
  return `set "adapter" to another adapter, or ${deletion}`;
}

function isSame(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && isSameName(one, other);
}
