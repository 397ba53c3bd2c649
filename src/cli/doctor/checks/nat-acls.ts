import type { NetworkConfig } from '../../../config/network-config.ts';
import type { Policy } from '../../../hcn/documents.ts';
import { isPolicyOf } from '../../../model/network-document.ts';
import type { WindowsVersion } from '../collectors/windows-version.ts';
import type { Facts } from '../facts.ts';
import { type Check, type Judgement, whenKnown } from '../finding.ts';

/** Windows Server 2025. */
const affected = 26_100;

/**
 * The update of 14 April 2026, with which ACLs of NAT endpoints were seen to work. In October 2025 they had no effect.
 * https://github.com/microsoft/Windows-Containers/issues/616
 */
const fixed = { revision: 32_690, update: 'KB5082063 (26100.32690, April 2026)' };

/** Whether this Windows applies ACLs to NAT endpoints; silent if the node and its configuration have none. */
export const natAcls: Check = {
  name: 'NAT ACLs',
  judge: (facts) => (hasNatAcls(facts) ? whenKnown(facts.windows, judge, 'cmd /c ver') : []),
};

function judge({ build, revision, isServer }: WindowsVersion): readonly Judgement[] {
  if (build !== affected || !isServer) return [];
  if (revision === 0)
    return [
      {
        verdict: 'UNKNOWN',
        seen: `Windows Server 2025 before ${fixed.update} may not apply ACLs to NAT endpoints; this node's update level is unknown`,
        see: 'cmd /c ver',
      },
    ];
  if (revision >= fixed.revision)
    return [{ verdict: 'PASS', seen: `build ${build}.${revision} applies ACLs to NAT endpoints` }];
  return [
    {
      verdict: 'WARN',
      seen: `build ${build}.${revision} may not apply ACLs to NAT endpoints, so blocked traffic passes; install ${fixed.update} or later`,
      see: 'Get-HotFix | Sort-Object InstalledOn',
    },
  ];
}

function hasNatAcls({ configuration, inventory }: Facts): boolean {
  if (configuration.network !== undefined && asksForNatAcls(configuration.network)) return true;
  if ('unknown' in inventory) return false;
  const { networks, endpoints } = inventory.known;
  const nat = networks.filter(({ Type }) => Type.toLowerCase() === 'nat').map(({ ID }) => ID);
  return endpoints.some(
    ({ HostComputeNetwork, Policies = [] }) => nat.includes(HostComputeNetwork) && hasAcl(Policies),
  );
}

/** Any ACL requires a default action, except in another plugin's dialect. */
function asksForNatAcls(config: NetworkConfig): boolean {
  const { networkType, defaultAction, portMapping, endpointPolicies } = config;
  const hasAcls = defaultAction !== undefined || portMapping.allowAcl || hasAcl(endpointPolicies);
  return networkType === 'NAT' && hasAcls;
}

function hasAcl(policies: readonly Policy[]): boolean {
  return policies.some((policy) => isPolicyOf('ACL', policy));
}
