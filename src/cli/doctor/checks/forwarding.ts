import { addressesIn } from '../../../hcn/documents.ts';
import { familyOf } from '../../../net/address.ts';
import { forwardingInterfaces } from '../../../plan/host-endpoint.ts';
import { forwardingState, type InterfaceForwarding } from '../../terminal/node-queries.ts';
import {
  type Diagnosis,
  fail,
  noConfiguration,
  pass,
  type QueryCheck,
  unknown,
  withValue,
} from '../check.ts';
import { attachedHostEndpoint } from '../host-endpoint.ts';
import { planConfiguredNetwork } from '../planned-network.ts';

/** Checks that the node forwards traffic between the pods and its adapter, if it is their gateway. */
export const forwarding: QueryCheck<readonly InterfaceForwarding[]> = {
  name: 'IP forwarding',
  query: forwardingState,
  diagnose: (facts, result) => {
    const plan = planConfiguredNetwork(facts);
    if (plan === undefined) return [unknown(noConfiguration)];
    if (plan.is === 'unknown' || plan.found === undefined) return [];
    if ('error' in facts.inventory || 'error' in facts.adapters) return [];
    const endpoint = attachedHostEndpoint(plan.found, facts.inventory.value);
    const address = endpoint && addressesIn(endpoint).find((one) => familyOf(one) === 'IPv4');
    if (address === undefined) return [];
    const own = { address, mac: endpoint?.MacAddress };
    const found = forwardingInterfaces(plan.found, own, facts.adapters.value);
    if (found === undefined) return [];
    const needed = [found.host, ...found.management];
    return withValue(
      result,
      (states) => [diagnoseStates(needed, states)],
      'Get-NetIPInterface -AddressFamily IPv4 | Format-Table InterfaceAlias, Forwarding',
    );
  },
};

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
