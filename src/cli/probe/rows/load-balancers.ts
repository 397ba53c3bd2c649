import { loadBalancerDocument } from '../fixtures.ts';
import { type Row, seenAcceptance } from '../row.ts';

/** Load balancers. */
export const loadBalancerRows: readonly Row[] = [
  {
    id: 'emptyLoadBalancer',
    claim: 'HNS refuses a load balancer without endpoints',
    evidence: 'O k8s#106936 (refused); the code I',
    handling: 'requires at least one endpoint in a configuration',
    experiment: {
      on: 'base',
      expected: ['refused'],
      run: async (laboratory) => {
        const { subnet } = await laboratory.base();
        const document = loadBalancerDocument([], subnet.address(100));
        return seenAcceptance((await laboratory.create('LoadBalancer', document)).hresult);
      },
    },
  },
];
