// Handles: which client opened which object. Closing a handle does not change the object.

import { HnsError } from './hresults.ts';
import { type HnsObject, isLive, type Kind, type State } from './state.ts';

interface Handle {
  readonly client: number;
  readonly object: HnsObject;
}

/** Each service starts at another number, so that the handle of one service is invalid in another. */
let services = 0;

export class Handles {
  readonly #open = new Map<number, Handle>();
  #next: number;

  constructor() {
    services += 1;
    this.#next = services * 0x100_0000;
  }

  get count(): number {
    return this.#open.size;
  }

  open(client: number, object: HnsObject): number {
    this.#next += 8;
    this.#open.set(this.#next, { client, object });
    return this.#next;
  }

  /** Returns the object of a handle. Throws if the handle is invalid or the object was deleted. */
  find<K extends Kind>(state: State, handle: number, kind: K): Extract<HnsObject, { kind: K }> {
    const object = this.objectOf(handle);
    if (!object || object.kind !== kind) throw new HnsError(handle === 0 ? 'E_INVALIDARG' : 'E_HANDLE');
    if (!isLive(state, object)) throw new HnsError('HCN_E_OBJECT_USED_AFTER_UNLOAD');
    return object as Extract<HnsObject, { kind: K }>;
  }

  objectOf(handle: number): HnsObject | undefined {
    return this.#open.get(handle)?.object;
  }

  close(handle: number, kind: Kind): void {
    if (this.objectOf(handle)?.kind !== kind) throw new HnsError(handle === 0 ? 'E_INVALIDARG' : 'E_HANDLE');
    this.#open.delete(handle);
  }

  /** Closes a client's handles, as RPC rundown does when a client process dies. */
  releaseClient(client: number): void {
    for (const [handle, { client: owner }] of this.#open) if (owner === client) this.#open.delete(handle);
  }

  clear(): void {
    this.#open.clear();
  }
}
