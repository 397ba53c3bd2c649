import { shortContainer } from '../terminal/short-text.ts';
import type { NamespaceRow } from './object-rows.ts';

/** The pods of a namespace; the short ids of containers whose pods are unknown. */
export function podTexts({ containers, pods }: NamespaceRow): readonly string[] {
  return containers.map((id) => podOf(id, pods) ?? shortContainer(id));
}

/** The pod of a container of a namespace; undefined if unknown. */
export function podOf(id: string, pods: NamespaceRow['pods']): string | undefined {
  return pods?.find(({ container }) => container === id)?.pod;
}
