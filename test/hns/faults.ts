// Faults a test asks for: which call they hit, what they do to it.

import type { Kind } from './state.ts';

export type Effect =
  | { readonly hresult: number }
  | { readonly delayMs: number }
  | { readonly hang: true }
  | { readonly drop: 'before' | 'after' }
  | { readonly vanish: { readonly kind: Kind; readonly id: string } }
  | { readonly answer: string }
  | { readonly errorRecord: string };

export interface Fault {
  /** Any call when absent. */
  readonly function?: string;
  /** The k-th matching call from now; 1, the next one, when absent. */
  readonly ordinal?: number;
  readonly effect: Effect;
}

export class Faults {
  #pending: { readonly fault: Fault; left: number }[] = [];

  inject(fault: Fault): void {
    this.#pending.push({ fault, left: fault.ordinal ?? 1 });
  }

  clear(): void {
    this.#pending = [];
  }

  /** Counts a call; the effects that are due now, each only once. */
  due(name: string): Effect[] {
    const due: Effect[] = [];
    for (const entry of this.#pending) {
      if (entry.fault.function !== undefined && entry.fault.function !== name) continue;
      entry.left -= 1;
      if (entry.left === 0) due.push(entry.fault.effect);
    }
    this.#pending = this.#pending.filter((entry) => entry.left > 0);
    return due;
  }
}
