import { familyOf } from '../../net/address.ts';
import { formatPrefix, networkOf as subnetOf } from '../../net/prefix.ts';
import { findDecidingEntry, isTranslated, natEntries, virtualIp } from '../explain-nat/nat-entries.ts';
import { numberedPolicies, outBoundNat } from '../explain-nat/query.ts';
import { hasPorts } from '../traffic/destination.ts';
import { managementAddress } from './management.ts';
import { networkOf } from './node-state.ts';
import type { Packet } from './packet.ts';
import type { Context, Position } from './step.ts';

/** What OutBoundNAT makes of a packet; a doubt if that is not certain. */
export type SourceResult =
  | { readonly packet: Packet; readonly rule: string }
  | { readonly doubt: string; readonly rule: string };

export function translateSource(
  { endpoint, packet }: Extract<Position, { at: 'port out' }>,
  { node }: Context,
): readonly SourceResult[] {
  const policies = numberedPolicies(outBoundNat, endpoint);
  const subnets = (endpoint.IpConfigurations ?? []).flatMap(({ IpAddress: address, PrefixLength: length }) =>
    length === undefined ? [] : [formatPrefix(subnetOf({ address, length }))],
  );
  const entry = findDecidingEntry(natEntries(policies, subnets), packet.destination);
  if (entry === undefined) return [{ packet, rule: 'no OutBoundNAT policy' }];
  const rule =
    entry.kind === 'default'
      ? `${entry.policy.label}: no exception matches`
      : `${entry.kind} ${entry.prefix}`;
  if (!isTranslated(entry) || !('policy' in entry)) return [{ packet, rule }];
  if (!hasPorts(packet.protocol))
    return [
      {
        doubt: "HNS translates TCP and UDP only, by Kubernetes' documentation; users report working pings.",
        rule,
      },
    ];
  const network = networkOf(endpoint, node);
  const source =
    virtualIp(entry.policy) ?? (network && managementAddress(node, network, familyOf(packet.source)));
  if (source === undefined) return [{ doubt: 'The address of the node on the network is not known.', rule }];
  return [{ packet: { ...packet, source }, rule }];
}
