import type { ObservedNetwork } from '../../hcn/documents.ts';
import { boundAdapter, providerAddressOf } from '../../model/network-document.ts';
import { type Family, familyOf, isLinkLocal } from '../../net/address.ts';
import type { HostAdapter } from '../../net/host-adapter.ts';
import { switchInAlias } from '../../net/host-adapter.ts';
import { virtualIp } from './nat-entries.ts';
import type { NumberedPolicy, Query } from './query.ts';

/** A possible source of traffic outside the pod. */
export interface Source {
  /** What has the address: the pod itself, the node, a policy (`VirtualIP`), or a load balancer. */
  readonly of: 'pod' | 'node' | 'VirtualIP' | 'source VIP' | 'load balancer';
  /** Absent if it is not certain which address of the node it is. A pod can have several. */
  readonly addresses?: readonly string[];
}

/** The endpoint's own address, as the source of traffic. */
export function podSource({ addresses }: Query): Source {
  return { of: 'pod', addresses };
}

/** The source of traffic that HNS or Windows translates without a given address. */
export function nodeSource({ nodeAddress }: Pick<Query, 'nodeAddress'>): Source {
  return { of: 'node', ...(nodeAddress !== undefined && { addresses: [nodeAddress] }) };
}

/** The source of traffic that an OutBoundNAT policy translates. */
export function translatedSource(policy: NumberedPolicy, query: Query): Source {
  const address = virtualIp(policy);
  return address === undefined ? nodeSource(query) : { of: 'VirtualIP', addresses: [address] };
}

const sourceWords: Readonly<Record<Source['of'], string>> = {
  pod: 'pod address',
  node: 'node address',
  VirtualIP: 'VirtualIP',
  'source VIP': 'source VIP',
  'load balancer': 'load balancer address',
};

/** `10.0.0.4 (node address)` */
export function sourceText({ of, addresses }: Source): string {
  return addresses === undefined ? `a ${sourceWords[of]}` : `${addresses.join(' or ')} (${sourceWords[of]})`;
}

/** Sources without those whose text is the same as that of one before. */
export function distinctSources(sources: readonly Source[]): readonly Source[] {
  const texts = sources.map(sourceText);
  return sources.filter((_, index) => texts.indexOf(texts[index] ?? '') === index);
}

/**
 * The node's address on a network, which HNS uses as the source of translated traffic: the provider address of an Overlay network, or
 * the only address of the adapter that HCN says the network is bound to. Undefined if it is not certain.
 */
export function nodeAddressOn(
  network: ObservedNetwork | undefined,
  family: Family,
  adapters: readonly HostAdapter[] = [],
): string | undefined {
  if (network === undefined) return undefined;
  const provider = providerAddressOf(network);
  if (provider !== undefined && familyOf(provider) === family) return provider;
  const bound = boundAdapter(network)?.toLowerCase();
  const own = adapters.filter(({ alias }) =>
    [alias, switchInAlias(alias)].some((name) => bound !== undefined && name?.toLowerCase() === bound),
  );
  const [only, ...others] = own
    .flatMap(({ addresses }) => addresses.map(({ address }) => address))
    .filter((address) => familyOf(address) === family && !isLinkLocal(address));
  return others.length === 0 ? only : undefined;
}
