import type { Guid } from './guid.ts';

export type Kind = 'Network' | 'Endpoint' | 'Namespace' | 'LoadBalancer';

/** An open object. HCN gives it back when the process ends, or earlier with `close`. */
export interface Handle<K extends Kind = Kind> {
  readonly kind: K;
  readonly id: Guid;
  readonly pointer: unknown;
}

/** What the DLL returned, unjudged. `value` is meaningless when `hresult` (unsigned) says failure. */
export interface Answer<T = void> {
  readonly hresult: number;
  readonly value: T;
  readonly errorRecord: string | undefined;
}

/**
 * computenetwork.dll as seven verbs, for four kinds of object, and vmcompute.dll's one; every string is a JSON document.
 * A call never throws for a failure of HCN, and reads no JSON.
 * https://learn.microsoft.com/virtualization/api/hcn/hns_overview
 */
export interface ComputeNetworkLibrary {
  enumerate(kind: Kind, query: string): Promise<Answer<string>>;
  create<K extends Exclude<Kind, 'Endpoint'>>(
    kind: K,
    id: Guid,
    settings: string,
  ): Promise<Answer<Handle<K>>>;
  createEndpoint(network: Handle<'Network'>, id: Guid, settings: string): Promise<Answer<Handle<'Endpoint'>>>;
  open<K extends Kind>(kind: K, id: Guid): Promise<Answer<Handle<K>>>;
  query(handle: Handle, query: string): Promise<Answer<string>>;
  modify(handle: Handle, settings: string): Promise<Answer>;
  delete(kind: Kind, id: Guid): Promise<Answer>;
  close(handle: Handle): Promise<Answer>;
  /**
   * `HNSCall`: the service's older interface, which alone tells its version. vmcompute.dll is loaded with the first of these
   * calls, and HcnUnavailable thrown where it cannot be.
   */
  hnsCall(method: string, path: string, request: string): Promise<Answer<string>>;
}
