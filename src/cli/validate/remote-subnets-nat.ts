import { canonicalPrefix } from '../../net/prefix.ts';
import { subnetsWithoutException } from '../../plan/outbound-nat.ts';
import { endpointPolicies } from '../../plan/policies.ts';
import { firstFew } from '../terminal/short-text.ts';
import type { Check } from './checked-config.ts';

/** Warns about pod subnets of other nodes that outbound NAT does not except: their pods see the address of this node. */
export const warnOfTranslatedSubnets: Check = ({ keys, place, isSound }) => {
  const given = keys.outboundNat === undefined ? '/endpointPolicies' : '/outboundNat';
  if (!isSound(given)) return [];
  const routed = keys.networkPolicies
    .filter(({ Type }) => Type === 'RemoteSubnetRoute')
    .flatMap(({ Settings }) => canonicalPrefix(String(Settings?.['DestinationPrefix'])) ?? []);
  const policies = endpointPolicies(
    { ...keys, name: '', prevResult: undefined },
    { providerAddress: undefined, addresses: [], families: [], ownSubnets: [], encapOverhead: undefined },
  );
  const translated = subnetsWithoutException(policies, [
    ...keys.remoteSubnets.map(({ subnet }) => subnet),
    ...routed,
  ]);
  if (translated.length === 0) return [];
  const path = place(given);
  const text = `${path} has no OutBoundNAT exception for ${firstFew(translated)}: pods there see the address of this node`;
  return [{ path, text }];
};
