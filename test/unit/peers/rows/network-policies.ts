import type { Row } from '../row.ts';
import { networkOf } from '../win-hcn.ts';

const policy = { Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.4' } };

async function policiesOf(config: Readonly<Record<string, unknown>>): Promise<unknown> {
  return Reflect.get((await networkOf(config))?.document ?? {}, 'Policies');
}

export const networkPolicyRows: readonly Row[] = [
  {
    intent: 'a network on the adapter with an address',
    peer: 'azure-vnet',
    source: 'Azure/azure-container-networking network/policy/policy_windows.go GetHcnNetAdapterAddressPolicy',
    theirs: { Policies: [policy] },
    ours: async () => ({
      Policies: await policiesOf({
        networkType: 'L2Bridge',
        subnets: [{ subnet: '10.244.1.0/24' }],
        networkPolicies: [policy],
      }),
    }),
    reasons: {},
  },
];
