import type { Guid } from '../../hcn/guid.ts';
import type { Inventory } from '../../model/inventory.ts';
import { uniqueContainers } from '../inventory/pods/container-ids.ts';
import { keysOf } from '../inventory/pods/pods-named.ts';
import { documentKeys, findByKey } from '../inventory/resolve-object.ts';
import { shortContainer, shortGuid } from '../terminal/short-text.ts';

/** A key of a container for other commands: its pod's name, the start of its ID, or all of it, the first that is unambiguous. */
export function containerKey(container: string, inventory: Inventory): string {
  const ids = uniqueContainers(inventory);
  const nameOf = (id: string) => inventory.pods?.get(id.toLowerCase())?.name;
  const name = nameOf(container);
  const named = ids.filter((id) => name !== undefined && keysOf(nameOf(id) ?? '').includes(name));
  if (name !== undefined && named.length === 1) return name;
  const short = shortContainer(container);
  return ids.filter((id) => id.startsWith(short)).length === 1 ? short : container;
}

/** A key of an object of HCN for other commands: the start of its ID, or all of it if others start alike. */
export function objectKey(id: Guid, objects: readonly Parameters<typeof documentKeys>[0][]): string {
  const short = shortGuid(id);
  return 'found' in findByKey('object', short, objects, documentKeys) ? short : id;
}
