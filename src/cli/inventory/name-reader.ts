import type { Inventory } from '../../model/inventory.ts';
import type { Session } from '../terminal/session.ts';
import { newLoadBalancerNamer } from './load-balancer-names.ts';
import { newPodReader } from './pods/read-pods.ts';

/**
 * Returns a function that adds to an inventory the names that HCN does not store: pods and load balancers. For commands that read HCN
 * repeatedly, the function caches them.
 */
export function newNameReader(
  given: Pick<Session, 'system' | 'terminal'>,
): (inventory: Inventory) => Inventory {
  const withPods = newPodReader(given);
  const withLoadBalancers = newLoadBalancerNamer(given);
  return (inventory) => withLoadBalancers(withPods(inventory));
}
