// Uncertain: load balancers and routes.

import { hresultOf } from '../hresults.ts';
import { codes, type Variant } from './variant.ts';

export const loadBalancerVariants = {
  loadBalancerConflict: {
    meaning: 'the code for a frontend that is in use',
    positions: codes('ERROR_ALREADY_EXISTS', 'HCN_E_PORT_ALREADY_EXISTS'),
    profiles: { ws2019: hresultOf('HCN_E_PORT_ALREADY_EXISTS') },
  },
  missingReference: {
    meaning: 'the code for a load balancer or route with a missing endpoint',
    positions: codes('HCN_E_PORT_NOT_FOUND', 'HCN_E_ENDPOINT_NOT_FOUND'),
  },
  modifyLoadBalancer: {
    meaning: 'HcnModifyLoadBalancer: returns E_NOTIMPL, succeeds without effect, or modifies',
    positions: ['unsupported', 'ignored', 'applied'],
    profiles: { ws2025: 'ignored', 'hns15.5': 'applied' },
  },
  emptyLoadBalancer: {
    meaning: 'a load balancer without endpoints',
    positions: ['refused', 'accepted'],
  },
  loadBalancersOfNetwork: {
    meaning:
      'whether load balancers are deleted with their network; Windows Server 2019 keeps them and then cannot delete them',
    positions: ['deleted', 'kept', 'kept, undeletable'],
  },
  portsOfDeletedLoadBalancer: {
    meaning: 'the ports of a deleted load balancer: free, or excluded until a reboot',
    positions: ['free', 'excluded'],
  },
  deleteMissingPolicyList: {
    meaning: 'the code for deleting a missing load balancer or route',
    positions: codes('ERROR_NOT_FOUND', 'HCN_E_POLICY_NOT_FOUND'),
  },
} as const satisfies Readonly<Record<string, Variant>>;
