// Injected faults: which calls they affect and how. A held call waits until the test releases it.

import { isIpHelper } from './functions.ts';
import type { Kind, Unhealthy } from './state.ts';

/** Degrades an endpoint while every call succeeds: the named one, or the one that the call creates. */
export interface UnhealthyEndpoint extends Unhealthy {
  readonly id?: string;
}

export type Effect =
  | { readonly hresult: number }
  | { readonly delayMs: number }
  | { readonly hang: true }
  /** Holds the call before or after its effect, until it is released. */
  | { readonly hold: 'before' | 'after' }
  | { readonly drop: 'before' | 'after' }
  | { readonly vanish: { readonly kind: Kind; readonly id: string } }
  | { readonly unhealthy: UnhealthyEndpoint }
  | { readonly answer: string }
  | { readonly errorRecord: string };

export interface Fault {
  /** Default: any function of the service, not those of the IP Helper. */
  readonly function?: string;
  /** The k-th matching call from now, or every one until faults are cleared. Default: 1, the next one. */
  readonly ordinal?: number | 'every';
  readonly effect: Effect;
}

export class Faults {
  #pending: { readonly fault: Fault; left: number | 'every' }[] = [];

  inject(fault: Fault): void {
    this.#pending.push({ fault, left: fault.ordinal ?? 1 });
  }

  clear(): void {
    this.#pending = [];
  }

  /** Counts a call and returns the effects that apply to it. */
  due(name: string): Effect[] {
    const due: Effect[] = [];
    for (const entry of this.#pending) {
      const { function: wanted } = entry.fault;
      if (wanted === undefined ? isIpHelper(name) : wanted !== name) continue;
      if (entry.left !== 'every') entry.left -= 1;
      if (entry.left === 'every' || entry.left === 0) due.push(entry.fault.effect);
    }
    this.#pending = this.#pending.filter((entry) => entry.left !== 0);
    return due;
  }
}

export class Holds {
  #held: { readonly name: string; readonly resolve: (isLost: boolean) => void }[] = [];
  #watchers: (() => void)[] = [];

  /** The functions of calls that hang or are held now. */
  get names(): readonly string[] {
    return this.#held.map(({ name }) => name);
  }

  /** Waits until `end` and returns whether the call is lost. */
  wait(name: string): Promise<boolean> {
    return new Promise((resolve) => {
      this.#held.push({ name, resolve });
      const watchers = this.#watchers;
      this.#watchers = [];
      for (const watcher of watchers) watcher();
    });
  }

  /** Ends all waits. */
  end(isLost: boolean): void {
    const held = this.#held;
    this.#held = [];
    for (const { resolve } of held) resolve(isLost);
  }

  /** Resolves when the next call hangs or is held. */
  next(): Promise<void> {
    return new Promise((resolve) => this.#watchers.push(resolve));
  }
}
