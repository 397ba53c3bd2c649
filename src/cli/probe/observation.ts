import { CniError, code } from '../../cni/error.ts';
import { HcnError, HcnTimeout, HcnUnavailable } from '../../hcn/errors.ts';
import type { Kind } from '../../hcn/guid.ts';
import { describeHresult, findHresult, hex, isFailure } from '../../hcn/hresults.ts';

/** The types of networks that experiments create. */
export type NetworkType = 'Private' | 'NAT' | 'Internal' | 'L2Bridge' | 'Overlay';

/** Whether networks of a type use an adapter. */
export function isExternal(type: unknown): boolean {
  return type === 'L2Bridge' || type === 'Overlay';
}

/** How many objects of each kind are created. */
export type Counts = Readonly<Partial<Record<Kind, number>>>;

/** What an experiment observed, without texts of HNS, which may have names and addresses of the node. */
export interface Observation {
  /** A word, or the symbol of an HRESULT. Reports of two nodes are compared by it. */
  readonly observed: string;
  /** Numbers and codes, for people: they differ from run to run. */
  readonly detail?: string;
}

/** The experiment cannot be run on this node. */
export class NotTried extends CniError {
  override readonly name = 'NotTried';

  constructor(reason: string) {
    super(code.hcnFailure, reason);
  }
}

export function seen(observed: string, detail?: string): Observation {
  return { observed, ...(detail !== undefined && { detail }) };
}

/** `accepted`, or the symbol of the refusal. */
export function seenAnswer({ hresult }: { readonly hresult: number }): Observation {
  return seen(isFailure(hresult) ? symbolOf(hresult) : 'accepted');
}

/** `accepted`, or `refused` with the HRESULT as detail. */
export function seenAcceptance({ hresult }: { readonly hresult: number }): Observation {
  return isFailure(hresult) ? seen('refused', symbolOf(hresult)) : seen('accepted');
}

/** The symbol of an HRESULT, or its number if it has no symbol. */
export function symbolOf(hresult: number): string {
  return hresult === 0 ? 'S_OK' : (findHresult(hresult)?.symbol ?? hex(hresult));
}

/** An error in words of win-hcn, because the messages of others may have names and addresses of the node. */
export function errorText(error: unknown): string {
  if (error instanceof NotTried || error instanceof HcnTimeout) return error.message;
  if (error instanceof HcnError) return `HCN returned ${describeHresult(error.hresult)}`;
  if (error instanceof HcnUnavailable) return 'the libraries of HCN cannot be used on this node';
  return `failed with ${error instanceof Error ? error.name : typeof error}`;
}
