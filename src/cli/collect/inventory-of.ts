import type { Kind } from '../../hcn/library.ts';
import { readEndpoint, readLoadBalancer, readNamespace, readNetwork } from '../../hcn/read-document.ts';
import type { Inventory } from '../inventory/inventory.ts';
import { reasonOf } from './collector.ts';
import type { HcnObjects } from './hcn-objects.ts';
import { redact } from './redact.ts';

/** All that HCN has, but for the documents that cannot be read, without secrets. Rejects where a kind could not even be listed. */
export async function inventoryOf(
  find: (kind: Kind) => Promise<HcnObjects>,
): Promise<{ readonly inventory: Inventory; readonly problems: readonly string[] }> {
  const problems: string[] = [];
  const all = async <T>(kind: Kind, read: (json: string, id: string) => T): Promise<readonly T[]> => {
    const { documents } = await find(kind);
    return documents.flatMap(({ id, json }) => {
      try {
        return [read(redact(json).text, id)];
      } catch (error) {
        problems.push(`${kind} ${id}: ${reasonOf(error)}`);
        return [];
      }
    });
  };
  const inventory = {
    networks: await all('Network', readNetwork),
    endpoints: await all('Endpoint', readEndpoint),
    namespaces: await all('Namespace', readNamespace),
    loadBalancers: await all('LoadBalancer', readLoadBalancer),
  };
  return { inventory, problems };
}
