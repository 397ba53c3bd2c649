// Handles: which client opened which object. Closing one never touches the object.

import { HnsError } from './hresults.ts';
import { type HnsObject, isLive, type Kind, type State } from './state.ts';

interface Handle {
  readonly client: number;
  readonly object: HnsObject | 'callback';
}

/** Every service starts somewhere else, so that a handle of another one is not mistaken for its own. */
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

  open(client: number, object: HnsObject | 'callback'): number {
    this.#next += 8;
    this.#open.set(this.#next, { client, object });
    return this.#next;
  }

  /** The object behind a handle, as long as it has not been deleted. */
  find<K extends Kind>(state: State, handle: number, kind: K): Extract<HnsObject, { kind: K }> {
    const object = this.objectOf(handle);
    if (!object || object.kind !== kind) throw new HnsError(handle === 0 ? 'E_INVALIDARG' : 'E_HANDLE');
    if (!isLive(state, object)) throw new HnsError('HCN_E_OBJECT_USED_AFTER_UNLOAD');
    return object as Extract<HnsObject, { kind: K }>;
  }

  objectOf(handle: number): HnsObject | undefined {
    const object = this.#open.get(handle)?.object;
    return object === 'callback' ? undefined : object;
  }

  close(handle: number, kind: Kind | 'callback'): void {
    const object = this.#open.get(handle)?.object;
    const found = object === 'callback' ? object : object?.kind;
    if (found !== kind) throw new HnsError(handle === 0 ? 'E_INVALIDARG' : 'E_HANDLE');
    this.#open.delete(handle);
  }

  /** What RPC rundown does when a client process dies. */
  releaseClient(client: number): void {
    for (const [handle, { client: owner }] of this.#open) if (owner === client) this.#open.delete(handle);
  }

  clear(): void {
    this.#open.clear();
  }
}
