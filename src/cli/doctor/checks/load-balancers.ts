import type { Inventory } from '../../../model/inventory.ts';
import { loadBalancerRows } from '../../inventory/object-rows.ts';
import { countText, firstFew, shortGuid } from '../../terminal/short-text.ts';
import { type Check, type Diagnosis, pass, warn, withHcnValue } from '../check.ts';
import type { MissingEndpoints } from '../missing-endpoints.ts';
import { objectKey } from '../object-keys.ts';

/** Finds load balancers that send traffic to endpoints that do not exist. */
export const backends: Check = {
  name: 'load balancers',
  diagnose: ({ inventory, missingEndpoints }) => {
    if ('error' in inventory || inventory.value.unreadable !== undefined) return [];
    const { loadBalancers } = inventory.value;
    if (loadBalancers.length === 0) return [];
    return withHcnValue(missingEndpoints, (found) => diagnoseBackends(found, inventory.value));
  },
};

function diagnoseBackends(
  { backends: absent }: MissingEndpoints,
  inventory: Inventory,
): readonly Diagnosis[] {
  const broken = loadBalancerRows(inventory).flatMap(({ id, frontends, ports, backends: all }) => {
    const missing = all.filter((backend) => absent.includes(backend.id)).map((one) => shortGuid(one.id));
    if (missing.length === 0) return [];
    const at = [frontends.join(', ') || 'node', ports.join(', ')].filter(Boolean).join(' ');
    const are = missing.length === 1 ? 'backend that does' : 'backends that do';
    return [
      warn(
        `${shortGuid(id)} (${at}) has ${missing.length === 1 ? 'a ' : ''}${are} not exist: ${firstFew(missing)}`,
        {
          see: `win-hcn show loadbalancer ${objectKey(id, inventory.loadBalancers)}`,
        },
      ),
    ];
  });
  return broken.length > 0
    ? broken.slice(0, 5)
    : [pass(`${countText(inventory.loadBalancers.length, 'load balancer')}, all backends exist`)];
}
