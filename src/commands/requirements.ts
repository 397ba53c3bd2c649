import { CniError, code } from '../cni/error.ts';
import type { HcnReader } from '../hcn/client.ts';
import type { NamespaceId } from '../hcn/guid.ts';
import { checkFeatures, type RequiredFeature } from '../plan/features.ts';

/** Begins the query of the version of HNS if something is required whether or not the network exists. */
export function beginFeatures(required: readonly RequiredFeature[], hcn: HcnReader): void {
  if (required.length > 0) void begin(hcn.version());
}

/** Throws code 7 for features that this host's HNS lacks. Queries the version of HNS only if something is required. */
export async function requireFeatures(required: readonly RequiredFeature[], hcn: HcnReader): Promise<void> {
  if (required.length > 0) checkFeatures(required, await hcn.version());
}

/** Throws code 3 if HCN has no namespace with this id; `netns` is how the caller spelled it. */
export async function requireNamespace(id: NamespaceId, netns: string, hcn: HcnReader): Promise<void> {
  if (await hcn.openNamespace(id)) return;
  throw new CniError(code.unknownContainer, `HCN has no namespace ${netns}: the sandbox is gone`, {
    details: 'the runtime creates a new sandbox; win-hcn ls namespaces lists the existing namespaces',
  });
}

/**
 * Marks a read that runs in parallel with others. Its failure counts only where it is awaited, so that the order in which a command awaits
 * its reads decides which failure it reports. Not for changes: a command that fails must not leave one running.
 */
export function begin<T>(read: Promise<T>): Promise<T> {
  read.catch(() => undefined);
  return read;
}
