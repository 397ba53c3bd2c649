import { CniError, code } from '../../cni/error.ts';
import { HcnError, HcnTimeout, HcnUnavailable } from '../../hcn/errors.ts';
import type { Guid } from '../../hcn/guid.ts';
import { describeHresult, findHresult, hex, isFailure } from '../../hcn/hresults.ts';
import type { JsonObject } from '../../json/members.ts';
import type { HcnCalls, OpenObject } from './hcn-calls.ts';
import type { Subnet } from './names.ts';

/** The types of networks that experiments create. */
export type NetworkType = 'Private' | 'L2Bridge' | 'Overlay';

/** Whether networks of a type use an adapter. */
export function isExternal(type: unknown): boolean {
  return type === 'L2Bridge' || type === 'Overlay';
}

/**
 * Where an experiment runs. `node`: needs no network. `base`: the L2Bridge network with --adapter, otherwise the Private network. The
 * others: a network of this type.
 */
export type Ground = 'node' | 'base' | NetworkType;

/**
 * Uncertain behavior of HNS whose observation changes what win-hcn does or reports. docs/notes/uncertain-hns.md has the claim, its
 * evidence, and what win-hcn does in either case.
 */
export interface Row {
  readonly id: string;
  readonly on: Ground;
  /** The observations for which the claim holds. */
  readonly expected: readonly string[];
  /** Further observations for which win-hcn works. */
  readonly handled: readonly string[];
}

/** What was observed, without texts of HNS, which may have names and addresses of the node; or why nothing was. */
export interface Observation {
  /** A word, or the symbol of an HRESULT. Reports of two nodes are compared by it. */
  readonly observed?: string;
  /** Numbers and codes, for people: they differ from run to run. */
  readonly detail?: string;
  /** Why nothing was observed. */
  readonly reason?: string;
  /** The type of the network on which the experiment ran. Absent if it needs none. */
  readonly on?: NetworkType;
}

/** Calls of HNS that show how it behaves. */
export interface Experiment {
  readonly on: Ground;
  readonly rows: readonly Row[];
  /** Returns an observation for each row. Throws NotTried if the experiment is not possible on this node. */
  readonly run: (context: Context) => Promise<Readonly<Record<string, Observation>>>;
}

/** An experiment for a single row. */
export function experimentFor(row: Row, run: (context: Context) => Promise<Observation>): Experiment {
  return { on: row.on, rows: [row], run: async (context) => ({ [row.id]: await run(context) }) };
}

/** The network of a ground, which its experiments share. */
export type SharedNetwork = OpenObject<'Network'> & {
  readonly type: NetworkType;
  readonly subnet: Subnet;
  /** The ID that was requested. */
  readonly requested: Guid<'Network'>;
  /** The first V2 document. */
  readonly document: JsonObject;
  /** The HRESULTs by which HNS refused the creation at first. */
  readonly refusals: readonly number[];
  /** Another network was on the adapter before. */
  readonly isReplacement: boolean;
};

/** What an experiment can use. */
export interface Context extends HcnCalls {
  /** The network of the experiment's ground. Throws if it has none. */
  readonly network: SharedNetwork;
  /** The adapter of --adapter. */
  readonly adapter: string | undefined;
  readonly newSubnet: () => Subnet;
  /** Throws RunEnded after Ctrl+C. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

/** The experiment cannot be run on this node. */
export class NotTried extends CniError {
  override readonly name = 'NotTried';

  constructor(reason: string) {
    super(code.hcnFailure, reason);
  }
}

/** Nor is any other one: the run ends. */
export class RunEnded extends NotTried {}

/** An observation in a word. */
export function seen(observed: string, detail?: string): Observation {
  return { observed, ...(detail !== undefined && { detail }) };
}

/** `accepted`, or the symbol of the refusal. */
export function seenAnswer({ hresult }: { readonly hresult: number }): Observation {
  return seen(isFailure(hresult) ? symbolOf(hresult) : 'accepted');
}

/** The symbol of an HRESULT, or its number if it has no symbol. */
export function symbolOf(hresult: number): string {
  return findHresult(hresult)?.symbol ?? hex(hresult);
}

/** Retries a call that HNS refuses for up to 10 s. Returns the last answer, and the HRESULTs of the refusals before it. */
export async function retried<T extends { readonly hresult: number }>(
  { pause }: Pick<Context, 'pause'>,
  mayRetry: (hresult: number) => boolean,
  call: () => Promise<T>,
) {
  const refusals: number[] = [];
  for (;;) {
    const answer = await call();
    if (!mayRetry(answer.hresult) || refusals.length >= 20) return { answer, refusals };
    refusals.push(answer.hresult);
    await pause(500);
  }
}

/** An error in words of win-hcn, because the messages of others may have names and addresses of the node. */
export function errorText(error: unknown): string {
  if (error instanceof NotTried || error instanceof HcnTimeout) return error.message;
  if (error instanceof HcnError) return `HCN returned ${describeHresult(error.hresult)}`;
  if (error instanceof HcnUnavailable) return 'the libraries of HCN cannot be used on this node';
  return `failed with ${error instanceof Error ? error.name : typeof error}`;
}
