import { CniError, code } from '../../cni/error.ts';
import { findHresult, hex, isFailure } from '../../hcn/hresults.ts';
import type { Laboratory } from './laboratory.ts';

/** The types of networks that experiments create. */
export type NetworkType =
  | 'Private'
  | 'Internal'
  | 'NAT'
  | 'L2Bridge'
  | 'L2Tunnel'
  | 'Overlay'
  | 'Transparent';

/** Whether networks of a type use an adapter. */
export function isExternal(type: NetworkType): boolean {
  return type === 'L2Bridge' || type === 'L2Tunnel' || type === 'Overlay' || type === 'Transparent';
}

/** Where an experiment runs. `base` is a Private network, or an L2Bridge network with --adapter; `service` restarts HNS. */
export type Ground = 'base' | Exclude<NetworkType, 'Private' | 'Internal'> | 'service';

/** What an experiment observed. */
export interface Observation {
  /** A word, or the symbol of an HRESULT. Reports of two nodes are compared by it. */
  readonly observed: string;
  /** Numbers and documents, for people: they differ from run to run. */
  readonly detail?: string;
}

export interface Experiment {
  readonly on: Ground;
  /** Deletes the shared network first, so that the experiment's network is the first on the adapter. Default: false. */
  readonly isAlone?: boolean;
  /** The observations for which the claim holds. */
  readonly expected: readonly string[];
  /** Throws NotTried if the experiment is not possible on this node. */
  readonly run: (laboratory: Laboratory) => Promise<Observation>;
}

/** Uncertain behavior of HNS. */
export interface Row {
  readonly id: string;
  /** What win-hcn assumes, in one sentence. */
  readonly claim: string;
  /** D documented, S relied on by a client's source, T required by hcsshim's or hnslib's tests, O observed on a host, C reported in a
   * code comment, I inferred. */
  readonly evidence: string;
  /** What win-hcn does, so that it works whether or not the claim holds. */
  readonly handling: string;
  readonly experiment: Experiment | Impossible;
}

/** Why no experiment can decide a row. */
export interface Impossible {
  readonly impossible: string;
}

/** The experiment cannot be run on this node. */
export class NotTried extends CniError {
  override readonly name = 'NotTried';

  constructor(reason: string, cause?: unknown) {
    super(code.hcnFailure, reason, { cause });
  }
}

export function seen(observed: string, detail?: string): Observation {
  return { observed, ...(detail !== undefined && { detail }) };
}

/** `accepted`, or the symbol of the refusal. */
export function seenAnswer(hresult: number, accepted = 'accepted'): Observation {
  return seen(isFailure(hresult) ? symbolOf(hresult) : accepted);
}

/** `accepted`, or `refused` with the HRESULT as detail. */
export function seenAcceptance(hresult: number, accepted = 'accepted'): Observation {
  return isFailure(hresult) ? seen('refused', symbolOf(hresult)) : seen(accepted);
}

/** The symbol of an HRESULT, or its number if it has no symbol. */
export function symbolOf(hresult: number): string {
  return hresult === 0 ? 'S_OK' : (findHresult(hresult)?.symbol ?? hex(hresult));
}
