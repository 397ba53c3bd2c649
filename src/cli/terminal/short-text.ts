import type { Guid } from '../../hcn/guid.ts';

/** Returns the first group of a GUID, which every command accepts as a key. */
export function shortGuid(guid: Guid): string {
  return guid.slice(0, 8);
}

/** Returns a container's id as crictl prints it. */
export function shortContainer(id: string): string {
  return id.slice(0, 13);
}

/** `1 endpoint`, `2 endpoints`, `2 addresses` */
export function countText(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}${noun.endsWith('s') ? 'es' : 's'}`;
}

/** The first three texts, and the number of the others. */
export function firstFew(texts: readonly string[], separator = ', '): string {
  const shown = texts.slice(0, 3).join(separator);
  return texts.length > 3 ? `${shown} and ${texts.length - 3} more` : shown;
}
