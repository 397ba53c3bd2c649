import { hostEndpointName } from '../../../model/identity.ts';
import { familyOf } from '../../../net/address.ts';
import type { HostAdapter } from '../../../net/host-adapter.ts';
import type { Facts } from '../facts.ts';
import { type Check, type Judgement, whenKnown } from '../finding.ts';

const see =
  'Get-NetRoute -DestinationPrefix 0.0.0.0/0 | Format-Table InterfaceAlias, NextHop, RouteMetric, InterfaceMetric';

/** Whether there is one way out of the node. A host endpoint brings a second one where somebody made it with a default route. */
export const defaultRoute: Check = {
  name: 'default route',
  judge: (facts) => whenKnown(facts.adapters, (adapters) => [judge(adapters, facts)], see),
};

function judge(adapters: readonly HostAdapter[], facts: Facts): Judgement {
  const routes = adapters
    .filter(({ isUp }) => isUp)
    .flatMap(({ alias, index, gateways }) =>
      gateways.filter((one) => familyOf(one) === 'IPv4').map((gateway) => ({ alias, index, gateway })),
    );
  const seen = routes.map(({ alias, gateway }) => `via ${gateway} on "${alias}"`).join(', ');
  if (routes.length === 1) return { verdict: 'PASS', seen };
  if (routes.length === 0) return { verdict: 'FAIL', seen: 'the node has no IPv4 default route', see };
  const ofHostEndpoint = routes.find(({ alias }) => isHostEndpoint(alias, facts));
  const isOneLeft = routes.some(({ alias }) => !isHostEndpoint(alias, facts));
  const many = `${routes.length} IPv4 default routes: ${seen}`;
  if (ofHostEndpoint === undefined || !isOneLeft) return { verdict: 'WARN', seen: many, see };
  return {
    verdict: 'WARN',
    seen: `${many}; a host endpoint needs none`,
    fix: `Remove-NetRoute -InterfaceIndex ${ofHostEndpoint.index} -DestinationPrefix 0.0.0.0/0 -Confirm:$false`,
  };
}

function isHostEndpoint(alias: string, { inventory }: Facts): boolean {
  if ('unknown' in inventory) return false;
  return inventory.known.networks.some(({ Name }) =>
    alias.startsWith(`vEthernet (${hostEndpointName(Name)})`),
  );
}
