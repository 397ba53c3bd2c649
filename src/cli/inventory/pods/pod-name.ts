import { isName } from '../../../cni/request.ts';
import type { KnownPod } from '../../../model/inventory.ts';

/** A pod name in a record of an ADD. */
export interface PodRecord extends KnownPod {
  /** The ID of the pod's sandbox container, in lower case. */
  readonly container: string;
}

/** The longest namespace (a DNS label) and name (a DNS subdomain) of Kubernetes. */
const maximumLength = { namespace: 63, name: 253 } as const;

/**
 * Returns `namespace/name`, or the name alone for a runtime that passes no namespace. Undefined if one of them is not a name: other
 * programs may write to the files that the names are read from.
 */
export function podName(namespace: string, name: string): string | undefined {
  if (!isName(name) || name.length > maximumLength.name) return undefined;
  if (namespace === '') return name;
  if (!isName(namespace) || namespace.length > maximumLength.namespace) return undefined;
  return `${namespace}/${name}`;
}
