// Uncertain: load balancers and routes.

import { hresultOf } from '../hresults.ts';
import { codes, type Variant } from './variant.ts';

export const loadBalancerVariants = {
  loadBalancerConflict: {
    meaning: 'the code for a frontend that is in use',
    evidence: 'O k8s#139519, kubernetes/community#8883 (WS2019)',
    positions: codes('ERROR_ALREADY_EXISTS', 'HCN_E_PORT_ALREADY_EXISTS'),
    profiles: { ws2019: hresultOf('HCN_E_PORT_ALREADY_EXISTS') },
  },
  missingReference: {
    meaning: 'the code for a load balancer or route with a missing endpoint',
    evidence: 'O hcsshim#1043; the other I',
    positions: codes('HCN_E_PORT_NOT_FOUND', 'HCN_E_ENDPOINT_NOT_FOUND'),
  },
  modifyLoadBalancer: {
    meaning: 'HcnModifyLoadBalancer: returns E_NOTIMPL, succeeds without effect, or modifies',
    evidence: 'S hcnglobals.go, O k8s#131466 (15.4 ignores it), T hnslib hcnloadbalancer_test.go (from 15.5)',
    positions: ['unsupported', 'ignored', 'applied'],
    profiles: { ws2025: 'ignored', 'hns15.5': 'applied' },
  },
  emptyLoadBalancer: {
    meaning: 'a load balancer without endpoints',
    evidence: 'O k8s#106936 (refused); the code I',
    positions: ['refused', 'accepted'],
  },
  loadBalancersOfNetwork: {
    meaning: 'whether load balancers are deleted with their network',
    evidence: 'I',
    positions: ['deleted', 'kept'],
  },
  deleteMissingPolicyList: {
    meaning: 'the code for deleting a missing load balancer or route',
    evidence: 'I',
    positions: codes('ERROR_NOT_FOUND', 'HCN_E_POLICY_NOT_FOUND'),
  },
} as const satisfies Readonly<Record<string, Variant>>;
