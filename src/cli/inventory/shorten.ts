import type { Guid } from '../../hcn/guid.ts';

/** The first group of a GUID, by which every command that takes a key finds it. */
export function shortGuid(guid: Guid): string {
  return guid.slice(0, 8);
}

/** A container's id as crictl shows it. */
export function shortContainer(id: string): string {
  return id.slice(0, 13);
}
