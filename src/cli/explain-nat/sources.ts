import type { ObservedNetwork } from '../../hcn/documents.ts';
import { boundAdapter, providerAddressOf } from '../../model/network-document.ts';
import { isUsableAddress } from '../../model/readiness.ts';
import { type Family, familyOf } from '../../net/address.ts';
import type { HostAdapter } from '../../net/host-adapter.ts';
import { switchInAlias } from '../../plan/adapter-selector.ts';
import { virtualIp } from './nat-entries.ts';
import type { NumberedPolicy, Query } from './query.ts';

/** The endpoint's own address, as the source of traffic. */
export function podSource({ addresses }: Query): string {
  return `${addresses.join(' or ')} (pod address)`;
}

/** The source of traffic that HNS or Windows translates without a given address. */
export function nodeSource({ nodeAddress }: Query): string {
  return nodeAddress === undefined ? 'a node address' : `${nodeAddress} (node address)`;
}

/** The source of traffic that an OutBoundNAT policy translates. */
export function translatedSource(policy: NumberedPolicy, query: Query): string {
  const address = virtualIp(policy);
  return address === undefined ? nodeSource(query) : `${address} (VirtualIP)`;
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
    .filter(
      (address) => familyOf(address) === family && isUsableAddress(address) && !/^fe[89ab]/i.test(address),
    );
  return others.length === 0 ? only : undefined;
}
