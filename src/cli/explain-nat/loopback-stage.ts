import type { ObservedLoadBalancer } from '../../hcn/documents.ts';
import { shortGuid } from '../inventory/shorten.ts';
import { isIn } from '../traffic/prefixes.ts';
import { listIn, policiesOf, type Question, type Stage } from './question.ts';

const stage = 'loopbackDSR';

/**
 * Whether a pod reaches itself through the load balancer that has caught what it sends: for that an OutBoundNAT policy has its own address
 * as destination.
 */
export function loopbackStage(
  { endpoint, addresses }: Question,
  loadBalancer: ObservedLoadBalancer | undefined,
): Stage {
  if (loadBalancer?.HostComputeEndpoints.includes(endpoint.ID) !== true) return { says: [], lines: [] };
  const own = addresses.join(', ');
  const entries = policiesOf('OutBoundNAT', endpoint).flatMap((policy) =>
    listIn(policy, 'Destinations').map((prefix) => ({
      place: policy.place,
      prefix,
      isOwn: addresses.every((address) => isIn(prefix, address)),
    })),
  );
  const found = entries.find(({ isOwn }) => isOwn);
  return {
    says: [
      found === undefined
        ? `The pod is one of the backends, and no OutBoundNAT policy has its address ${own} as destination (loopbackDSR): what load ` +
          `balancer ${shortGuid(loadBalancer.ID)} leads back to it gets lost.`
        : `The pod is one of the backends, and reaches itself by OutBoundNAT (${found.place}) with its address as destination.`,
    ],
    lines: entries.map((entry) => ({
      stage,
      line: `${entry.place}: destination ${entry.prefix}`,
      matches: entry.isOwn ? 'yes' : 'no',
      decides: entry === found ? 'yes' : 'no',
      ...(entry.isOwn ? {} : { because: `the pod's address is ${own}` }),
    })),
  };
}
