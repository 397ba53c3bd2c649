// Injected faults: which calls they affect and how. A held call waits until the test releases it.

import { isIpHelper, isServed } from './functions.ts';
import { guidPattern, isObject } from './schema/validate.ts';
import { type Kind, kinds, type Unhealthy } from './state.ts';

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

  /** Throws an error if the fault is invalid. */
  inject(given: unknown): void {
    const fault = readFault(given);
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

const longestDelay = 2 ** 31 - 1;

function readFault(given: unknown): Fault {
  if (!isObject(given)) throw new Error('A fault is an object.');
  const { function: name, ordinal, effect, ...others } = given as Record<string, unknown>;
  const [other] = Object.keys(others);
  if (other !== undefined) throw new Error(`A fault has function, ordinal and effect, not "${other}".`);
  if (name !== undefined && (typeof name !== 'string' || !isServed(name)))
    throw new Error(`${JSON.stringify(name)} is not a function of the service.`);
  if (ordinal !== undefined && ordinal !== 'every' && !isIntegerWithin(ordinal, 1, Number.MAX_SAFE_INTEGER))
    throw new Error('The ordinal of a fault is 1 or more, or "every".');
  return {
    ...(name !== undefined && { function: name }),
    ...(ordinal !== undefined && { ordinal }),
    effect: readEffect(effect),
  };
}

function readEffect(given: unknown): Effect {
  const [first, ...others] = isObject(given) ? Object.entries<unknown>(given) : [];
  if (!first || others.length > 0)
    throw new Error(
      'The effect of a fault is one of hresult, delayMs, hang, hold, drop, vanish, unhealthy, answer and errorRecord.',
    );
  const [name, value] = first;
  switch (name) {
    case 'hresult':
      if (!isIntegerWithin(value, -(2 ** 31), 2 ** 32 - 1))
        throw new Error('An hresult is a number of 32 bits, with or without sign.');
      return { hresult: value >>> 0 };
    case 'delayMs':
      if (!isIntegerWithin(value, 0, longestDelay))
        throw new Error(`delayMs is a whole number up to ${longestDelay}.`);
      return { delayMs: value };
    case 'hang':
      if (value !== true) throw new Error('hang is true.');
      return { hang: value };
    case 'hold':
      if (value !== 'before' && value !== 'after') throw new Error('hold is "before" or "after".');
      return { hold: value };
    case 'drop':
      if (value !== 'before' && value !== 'after') throw new Error('drop is "before" or "after".');
      return { drop: value };
    case 'vanish':
      return { vanish: readObjectName(value) };
    case 'unhealthy':
      return { unhealthy: readUnhealthy(value) };
    case 'answer':
      if (typeof value !== 'string') throw new Error('answer is a string.');
      return { answer: value };
    case 'errorRecord':
      if (typeof value !== 'string') throw new Error('errorRecord is a string.');
      return { errorRecord: value };
    default:
      throw new Error(`"${name}" is not an effect of a fault.`);
  }
}

function readObjectName(given: unknown): { readonly kind: Kind; readonly id: string } {
  const { kind: wanted, id } = (isObject(given) ? given : {}) as { kind?: unknown; id?: unknown };
  const kind = kinds.find((known) => known === wanted);
  if (!kind || typeof id !== 'string' || !guidPattern.test(id))
    throw new Error(`What vanishes has a kind (${kinds.join(', ')}) and the GUID of an object as id.`);
  return { kind, id };
}

function readUnhealthy(given: unknown): UnhealthyEndpoint {
  const { id, state, lastErrorCode, ...others } = (isObject(given) ? given : {}) as Record<string, unknown>;
  const isState = state === undefined || isIntegerWithin(state, 0, 6);
  const isCode = lastErrorCode === undefined || isIntegerWithin(lastErrorCode, 0, 2 ** 32 - 1);
  const isId = id === undefined || (typeof id === 'string' && guidPattern.test(id));
  const isEmpty = state === undefined && lastErrorCode === undefined;
  if (isEmpty || !isState || !isCode || !isId || Object.keys(others).length > 0)
    throw new Error(
      'An unhealthy endpoint has a state up to 6 or a lastErrorCode of 32 bits, or both, and perhaps an id.',
    );
  return {
    ...(id !== undefined && { id }),
    ...(state !== undefined && { state }),
    ...(lastErrorCode !== undefined && { lastErrorCode }),
  };
}

function isIntegerWithin(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
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
