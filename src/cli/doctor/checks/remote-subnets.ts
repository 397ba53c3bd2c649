import type { NetworkConfig } from '../../../config/network-config.ts';
import type { ObservedNetwork } from '../../../hcn/documents.ts';
import { findUplink } from '../../../plan/host-endpoint.ts';
import {
  policyDifferences,
  type RemoteSubnetDifference,
  routeDifferences,
} from '../../../plan/remote-subnet-differences.ts';
import { routedSubnets } from '../../../plan/remote-subnets.ts';
import { quote } from '../../terminal/powershell.ts';
import { countText, firstFew } from '../../terminal/short-text.ts';
import { type Check, type Diagnosis, fail, pass, unknown, warn } from '../check.ts';
import type { Facts } from '../facts.ts';
import { planConfiguredNetwork } from '../planned-network.ts';
import { usedConf } from '../runtime/conf-owner.ts';

/** Checks that the network reaches the pods of other nodes as the configuration says. */
export const remoteSubnets: Check = {
  name: 'remote subnets',
  diagnose: (facts) => {
    const plan = planConfiguredNetwork(facts);
    if (plan?.is !== 'planned' || plan.found === undefined || plan.config.remoteSubnets.length === 0)
      return [];
    return [diagnose(plan.config, plan.found, facts)];
  },
};

function diagnose(config: NetworkConfig, network: ObservedNetwork, facts: Facts): Diagnosis {
  if (routedSubnets(config).length === 0)
    return diagnoseDifferences(config, policyDifferences(config, network), facts);
  const { adapters, routes } = facts;
  if ('error' in adapters) return unknown(adapters.error, { see: 'Get-NetAdapter' });
  if ('error' in routes) return unknown(routes.error, { see: 'Get-NetRoute' });
  const uplink = findUplink(network, adapters.value);
  if (uplink === undefined) return unknown('the node has no address on the network');
  return diagnoseDifferences(config, routeDifferences(config, uplink.index, routes.value), facts);
}

function diagnoseDifferences(
  { remoteSubnets: wanted }: NetworkConfig,
  differences: readonly RemoteSubnetDifference[],
  facts: Facts,
): Diagnosis {
  const additional = differences.filter(({ difference }) => difference === 'additional');
  const wrong = differences.filter(({ difference }) => difference !== 'additional');
  const others = wrong.filter(({ isOthers }) => isOthers);
  const texts = (some: readonly RemoteSubnetDifference[]) =>
    firstFew(
      some.map(({ text }) => text),
      '; ',
    );
  if (wrong.length > others.length)
    return fail(`${texts(wrong)}: pods cannot reach the pods there`, {
      fix: `win-hcn network sync ${quote(usedConf(facts)?.path ?? '-')} --yes`,
    });
  const [first] = others;
  if (first !== undefined)
    return warn(`${texts(others)}: another program created the route`, {
      see: `Get-NetRoute -DestinationPrefix ${first.subnet}`,
    });
  const seen = `${countText(wanted.length, 'remote subnet')} as configured`;
  return pass(additional.length === 0 ? seen : `${seen}; ${texts(additional)}`);
}
