// Uncertain: load balancers and routes.

import { codes, type Variant } from './variant.ts';

export const loadBalancerVariants = {
  modifyLoadBalancer: {
    meaning: 'HcnModifyLoadBalancer: returns E_NOTIMPL, succeeds without effect, or modifies',
    positions: ['unsupported', 'ignored', 'applied'],
    profiles: { ws2025: 'ignored', 'hns15.5': 'applied' },
  },
  loadBalancersOfNetwork: {
    meaning:
      'whether load balancers are deleted with their network; Windows Server 2019 keeps them and then cannot delete them',
    positions: ['deleted', 'kept', 'kept, undeletable'],
  },
  deleteMissingPolicyList: {
    meaning: 'the code for deleting a missing load balancer or route',
    positions: codes('ERROR_NOT_FOUND', 'HCN_E_POLICY_NOT_FOUND'),
  },
} as const satisfies Readonly<Record<string, Variant>>;
