import { isFailure, isNotImplemented } from '../../../hcn/hresults.ts';
import { isObject, type JsonObject } from '../../../json/members.ts';
import { read } from '../documents.ts';
import { type Observation, seen, seenAnswer } from '../observation.ts';
import { firstEndpoint, loadBalancer } from '../parts.ts';
import type { Row } from '../row.ts';

const uses = [firstEndpoint, loadBalancer];

/** Which port a load balancer has that was changed from port 80 to 81. */
function seenPort({ PortMappings }: JsonObject): Observation {
  const mappings: readonly unknown[] = Array.isArray(PortMappings) ? PortMappings : [];
  const ports = mappings.filter(isObject).map(({ ExternalPort }) => ExternalPort);
  return seen({ 81: 'applied', 80: 'ignored' }[ports.join()] ?? 'changed otherwise');
}

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
  {
    id: 'modifyLoadBalancer',
    claim: 'HcnModifyLoadBalancer changes a load balancer',
    on: 'L2Bridge',
    expected: ['applied'],
    handled: ['ignored', 'unsupported'],
    uses,
    run: async (context) => {
      const { object, sent } = await context.share(loadBalancer);
      const PortMappings = [{ Protocol: 6, InternalPort: 80, ExternalPort: 81 }];
      const answer = await context.modify(object, { ...sent, PortMappings });
      if (isNotImplemented(answer.hresult)) return seen('unsupported');
      if (isFailure(answer.hresult)) return seenAnswer(answer);
      return seenPort(await read(context, object));
    },
  },
];
