import type { HcnClient } from '../hcn/client.ts';
import { checkFeatures, type RequiredFeature } from '../plan/features.ts';

/** Throws code 7 for what this host's HNS cannot do. It is asked for its version only where something needs one. */
export async function requireFeatures(required: readonly RequiredFeature[], hcn: HcnClient): Promise<void> {
  if (required.length > 0) checkFeatures(required, await hcn.version());
}
