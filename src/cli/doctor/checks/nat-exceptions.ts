import type { NetworkConfig } from '../../../config/network-config.ts';
import type { Inventory } from '../../../model/inventory.ts';
import { isPolicyOf, subnetsOf } from '../../../model/network-document.ts';
import { familyOf } from '../../../net/address.ts';
import { missingExceptions } from '../../../plan/outbound-nat.ts';
import { endpointPolicies } from '../../../plan/policies.ts';
import { countText, firstFew } from '../../terminal/short-text.ts';
import { type Check, noConfiguration, pass, unknown, warn } from '../check.ts';
import { objectKey } from '../object-keys.ts';
import { describeEndpoint } from './endpoints.ts';
import { maxFindings, type PodEndpoint, podEndpoints } from './pods.ts';

/** Checks that pods have the exceptions of the configuration: they keep those that they were created with. */
export const natExceptions: Check = {
  name: 'NAT exceptions',
  diagnose: ({ configuration: { network: config }, inventory }) => {
    if (config === undefined) return [unknown(noConfiguration)];
    if ('error' in inventory) return [];
    const endpoints = podEndpoints(inventory.value).filter(({ row }) => row.network === config.name);
    const translated = endpoints.filter(({ endpoint }) => natPoliciesOf(endpoint).length > 0);
    if (translated.length === 0) return [];
    const found = translated.flatMap(({ endpoint, row }) => {
      const wanted = wantedPolicies({ endpoint, row }, config, inventory.value);
      const missing = missingExceptions(wanted, natPoliciesOf(endpoint));
      if (missing.length === 0) return [];
      const seen = `${describeEndpoint(row)} lacks OutBoundNAT exception ${firstFew(missing)} of the configuration: recreate the pod`;
      return [warn(seen, { see: `win-hcn show endpoint ${objectKey(row.id, inventory.value.endpoints)}` })];
    });
    if (found.length > 0) return found.slice(0, maxFindings);
    return [pass(`${countText(translated.length, 'endpoint')} as configured`)];
  },
};

function natPoliciesOf({ Policies = [] }: PodEndpoint['endpoint']) {
  return Policies.filter((policy) => isPolicyOf('OutBoundNAT', policy));
}

function wantedPolicies({ endpoint, row }: PodEndpoint, config: NetworkConfig, { networks }: Inventory) {
  const network = networks.find(({ ID }) => ID === endpoint.HostComputeNetwork);
  return endpointPolicies(config, {
    providerAddress: undefined,
    addresses: row.addresses.map((address) => address.replace(/\/.*/, '')),
    families: [...new Set(row.addresses.map(familyOf))],
    ownSubnets: network === undefined ? [] : subnetsOf(network).map(({ IpAddressPrefix }) => IpAddressPrefix),
    encapOverhead: undefined,
  });
}
