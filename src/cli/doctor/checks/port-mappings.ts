import { isObject } from '../../../json/members.ts';
import { subnetsOf } from '../../../model/network-document.ts';
import { familyOf } from '../../../net/address.ts';
import { type Facts, firstConf } from '../facts.ts';
import type { Check } from '../finding.ts';
import { networkOutlook } from '../network-outlook.ts';

/**
 * Reports IPv6 host ports as uncertain if pods may have any.
 * https://github.com/microsoft/hcsshim/issues/2590 and https://github.com/Azure/azure-container-networking/issues/2879
 */
export const portMappings: Check = {
  name: 'port mappings',
  judge: (facts) =>
    takesPortMappings(facts) && hasIPv6(facts)
      ? [
          {
            verdict: 'UNKNOWN',
            seen: `IPv6 host ports on "${facts.configuration.network?.name}" may not work: HNS was reported to accept but not translate them (microsoft/hcsshim#2590); test one`,
            see: 'Test-NetConnection -ComputerName NODE_IPV6 -Port HOST_PORT',
          },
        ]
      : [],
};

/** Whether the runtime passes port mappings to win-hcn. */
function takesPortMappings({ configuration }: Facts): boolean {
  const plugins = firstConf(configuration)?.plugins ?? [];
  return plugins.some(({ ours, config: { capabilities } }) => {
    return ours && isObject(capabilities) && capabilities['portMappings'] === true;
  });
}

/** Whether the network that ADD would use has an IPv6 subnet; if that cannot be told, the configured one. */
function hasIPv6(facts: Facts): boolean {
  const outlook = networkOutlook(facts);
  const prefixes =
    outlook?.is === 'planned'
      ? subnetsOf(outlook.network).map(({ IpAddressPrefix }) => IpAddressPrefix)
      : facts.configuration.network?.subnets.map(({ prefix }) => prefix);
  return prefixes?.some((prefix) => familyOf(prefix) === 'IPv6') === true;
}
