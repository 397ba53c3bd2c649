import type { HnsVersion } from './documents.ts';
import { HcnError, parseResponse, requireValue } from './errors.ts';
import type { ComputeNetworkLibrary } from './library.ts';
import { readVersion } from './read-document.ts';

/** Asks the Host Network Service for its version. Throws as HCN does, and HcnError if it reports a failure with S_OK. */
export async function queryVersion(library: Pick<ComputeNetworkLibrary, 'hnsCall'>): Promise<HnsVersion> {
  const action = "querying the Host Network Service's version";
  const json = requireValue(await library.hnsCall('GET', '/globals/version', ''), action);
  const version = parseResponse(action, () => readVersion(json));
  if (version === undefined) throw new HcnError(action, 0, json);
  return version;
}
