import { addressesIn, type ObservedNetwork } from '../../../hcn/documents.ts';
import { hostEndpointName } from '../../../model/identity.ts';
import { selectHostNamespace } from '../../../model/ownership.ts';
import { attachedTo } from '../../../model/readiness.ts';
import { familyOf } from '../../../net/address.ts';
import { forwardingInterfaces, hostEndpointAddress } from '../../../plan/host-endpoint.ts';
import {
  type Diagnosis,
  fail,
  noConfiguration,
  pass,
  type QueryCheck,
  unknown,
  withValue,
} from '../check.ts';
import type { Facts } from '../facts.ts';
import { forwardingState, type InterfaceForwarding } from '../forwarding-state.ts';
import { planConfiguredNetwork } from '../planned-network.ts';

/** Checks that the node forwards traffic between the pods and its adapter, if it is their gateway. */
export const forwarding: QueryCheck<readonly InterfaceForwarding[]> = {
  name: 'IP forwarding',
  query: forwardingState,
  diagnose: (facts, result) => {
    const plan = planConfiguredNetwork(facts);
    const { network: config } = facts.configuration;
    if (plan === undefined || config === undefined) return [unknown(noConfiguration)];
    if (plan.is === 'unknown' || plan.found === undefined) return [];
    const address = hostEndpointAddress(config, plan.found) ?? addressOfOthers(plan.found, facts);
    if (address === undefined || 'error' in facts.adapters) return [];
    const found = forwardingInterfaces(plan.found, address, facts.adapters.value);
    if (found === undefined) return [];
    const needed = [found.host, ...found.management];
    return withValue(
      result,
      (states) => [diagnoseStates(needed, states)],
      'Get-NetIPInterface -AddressFamily IPv4 | Format-Table InterfaceAlias, Forwarding',
    );
  },
};

/** The address of a host endpoint that another program created, such as flannel for the gateway of its pods. */
function addressOfOthers({ ID, Name }: ObservedNetwork, { inventory }: Facts): string | undefined {
  if ('error' in inventory) return undefined;
  const { endpoints, namespaces } = inventory.value;
  const host = selectHostNamespace(namespaces)?.ID;
  return endpoints
    .filter((one) => one.HostComputeNetwork === ID && one.Name === hostEndpointName(Name))
    .filter((one) => attachedTo(one) !== undefined && attachedTo(one) === host)
    .flatMap(addressesIn)
    .find((address) => familyOf(address) === 'IPv4');
}

function diagnoseStates(
  needed: readonly { readonly alias: string; readonly index: number }[],
  states: readonly InterfaceForwarding[],
): Diagnosis {
  const off = needed.filter(({ index }) =>
    states.some((state) => state.index === index && state.family === 'IPv4' && !state.isEnabled),
  );
  const names = (some: typeof needed) => some.map(({ alias }) => `"${alias}"`).join(' and ');
  if (off.length === 0) return pass(`on for ${names(needed)}`);
  return fail(`IPv4 forwarding is off on ${names(off)}: pods cannot reach other hosts`, {
    fix: off
      .map(
        ({ index }) => `Set-NetIPInterface -InterfaceIndex ${index} -AddressFamily IPv4 -Forwarding Enabled`,
      )
      .join('; '),
  });
}
