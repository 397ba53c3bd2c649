import { loadBalancerRows } from '../../inventory/object-rows.ts';
import { countText, shortGuid } from '../../inventory/short-text.ts';
import { type Check, firstFew, pass, warn } from '../check.ts';

/** Finds load balancers that send traffic to endpoints that do not exist. */
export const backends: Check = {
  name: 'load balancers',
  diagnose: ({ inventory }) => {
    if ('error' in inventory || inventory.value.unreadable !== undefined) return [];
    const { endpoints, loadBalancers } = inventory.value;
    if (loadBalancers.length === 0) return [];
    const existing = new Set<string>(endpoints.map(({ ID }) => ID));
    const broken = loadBalancerRows(inventory.value).flatMap(({ id, frontends, ports, backends: all }) => {
      const missing = all.filter((backend) => !existing.has(backend.id)).map((one) => shortGuid(one.id));
      if (missing.length === 0) return [];
      const at = [frontends.join(', ') || 'node', ports.join(', ')].filter(Boolean).join(' ');
      const are = missing.length === 1 ? 'backend that does' : 'backends that do';
      return [
        warn(
          `${shortGuid(id)} (${at}) has ${missing.length === 1 ? 'a ' : ''}${are} not exist: ${firstFew(missing)}`,
          {
            see: `win-hcn show loadbalancer ${id}`,
          },
        ),
      ];
    });
    return broken.length > 0
      ? broken.slice(0, 5)
      : [pass(`${countText(loadBalancers.length, 'load balancer')}, all backends exist`)];
  },
};
