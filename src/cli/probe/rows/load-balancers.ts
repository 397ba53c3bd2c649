import { seenAnswer } from '../observation.ts';
import { firstEndpoint, loadBalancer } from '../parts.ts';
import type { Row } from '../row.ts';

const uses = [firstEndpoint, loadBalancer];

/** Load balancers. Private networks have none. */
export const loadBalancerRows: readonly Row[] = [
  {
    id: 'loadBalancerConflict',
    claim: 'HNS refuses a second load balancer with the same frontend with ERROR_ALREADY_EXISTS',
    on: 'L2Bridge',
    expected: ['ERROR_ALREADY_EXISTS'],
    handled: ['HCN_E_PORT_ALREADY_EXISTS'],
    creates: { LoadBalancer: 1 },
    uses,
    run: async (context) => {
      const { sent } = await context.share(loadBalancer);
      return seenAnswer(await context.create('LoadBalancer', sent));
    },
  },
];
