import type { Kind } from '../../hcn/library.ts';
import { readEndpoint, readLoadBalancer, readNamespace, readNetwork } from '../../hcn/read-document.ts';
import type { Inventory, Unreadable } from '../../model/inventory.ts';
import { reasonOf } from './collector.ts';
import type { HcnObjects } from './hcn-objects.ts';
import { redact } from './redact.ts';

/** All that HCN has, without secrets, and why some documents are not in it. Rejects where a kind could not even be listed. */
export async function inventoryOf(
  find: (kind: Kind) => Promise<HcnObjects>,
): Promise<{ readonly inventory: Inventory; readonly problems: readonly string[] }> {
  const unreadable: Unreadable[] = [];
  const problems: string[] = [];
  const all = async <T>(kind: Kind, read: (json: string, id: string) => T): Promise<readonly T[]> => {
    const { documents, missing } = await find(kind);
    const leaveOut = (id: string, error: unknown) => {
      unreadable.push({ kind, id, error: error instanceof Error ? error : new Error(String(error)) });
    };
    for (const { id, error } of missing) leaveOut(id, error);
    return documents.flatMap(({ id, json }) => {
      try {
        return [read(redact(json).text, id)];
      } catch (error) {
        leaveOut(id, error);
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
    unreadable,
  };
  return { inventory, problems };
}
