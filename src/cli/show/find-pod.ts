import type { ObservedEndpoint } from '../../hcn/documents.ts';
import type { Inventory } from '../../model/inventory.ts';
import type { Search } from './find-by-key.ts';
import { findContainer } from './find-subject.ts';
import type { ContainerSubject } from './subject.ts';

/** A pod's container, and its endpoints as HCN has them. */
export interface Pod {
  readonly container: string;
  readonly subject: ContainerSubject;
  /** At least one. */
  readonly endpoints: readonly ObservedEndpoint[];
}

/** The pod that a key is for, found as `show pod` finds it; one without endpoints is a problem. */
export function findPod(key: string, inventory: Inventory): Search<Pod> {
  const search = findContainer('pod', key, inventory);
  if ('problem' in search) return search;
  const { found: subject } = search;
  const ids = new Set(subject.endpoints.map(({ id }) => id));
  const endpoints = inventory.endpoints.filter(({ ID }) => ids.has(ID));
  const { container } = subject;
  return endpoints.length === 0
    ? { problem: `container ${container} has no endpoint` }
    : { found: { container, subject, endpoints } };
}
