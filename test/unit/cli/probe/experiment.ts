import type { CallRecord } from '../../../../src/cli/probe/laboratory.ts';
import { type Subnet, subnetsBeside } from '../../../../src/cli/probe/names.ts';
import type { Finding } from '../../../../src/cli/probe/report.ts';
import type { Row } from '../../../../src/cli/probe/row.ts';
import { rows } from '../../../../src/cli/probe/rows.ts';
import { runRows } from '../../../../src/cli/probe/run-rows.ts';
import { HcnTimeout } from '../../../../src/hcn/errors.ts';
import type { Guid } from '../../../../src/hcn/guid.ts';
import {
  type ComputeNetworkLibrary,
  type HcnInterceptor,
  type HcnResponse,
  interceptHcnCalls,
  type Kind,
} from '../../../../src/hcn/library.ts';
import type { HostAdapter } from '../../../../src/net/host-adapter.ts';
import { serviceLibrary } from '../../../properties/service-library.ts';
import { type HnsOptions, initialState } from '../../../simulator/hns.ts';
import { hresultOf } from '../../../simulator/hresults.ts';
import { ipHelperWithoutDll } from '../../../simulator/without-dll.ts';

/** The rows with an experiment. */
export const possible = rows.filter(({ experiment }) => 'run' in experiment);

/** A replaced response of HCN: an HRESULT without effect, another document, success after all, or no response in time. */
export type Replacement =
  | { readonly hresult: number }
  | { readonly change: (value: string) => string }
  | 'accepted'
  | 'timeout';

/** A call of an experiment or of its cleanup. */
export interface AskedCall {
  readonly name: string;
  /** From 0, among all calls. */
  readonly position: number;
  /** From 1, among the calls of this function. */
  readonly ordinal: number;
  /** The object's id; empty for an enumeration. */
  readonly id: Guid;
  /** The document that is sent; empty if there is none. */
  readonly document: string;
}

export interface Circumstances {
  readonly options?: HnsOptions;
  /** Actions of other programs before the experiment. */
  readonly before?: (hns: ComputeNetworkLibrary) => Promise<unknown>;
  /** Returns the replacement of a response; undefined to keep HCN's own. Default: every response is HCN's own. */
  readonly answer?: (call: AskedCall) => Replacement | undefined;
  /** How long a call takes, in milliseconds. Default: no time. */
  readonly duration?: (call: AskedCall) => number;
  /** The adapters that Windows lists instead, at the time in milliseconds. */
  readonly adapters?: (usual: readonly HostAdapter[], time: number) => readonly HostAdapter[];
  /** The HRESULT for another process that opens an object. Default: HCN's own. */
  readonly elsewhere?: (kind: string) => number | undefined;
  /** The output of PowerShell. Default: none. */
  readonly powershell?: string;
}

/** Replaces the response to the call at a position, from 0. */
export function at(position: number, replacement: Replacement): Circumstances {
  return { answer: (call) => (call.position === position ? replacement : undefined) };
}

/** Replaces the responses to the calls of a function at or after a position. */
export function from(position: number, name: string, replacement: Replacement): Circumstances {
  return { answer: (call) => (call.name === name && call.position >= position ? replacement : undefined) };
}

export interface Run {
  readonly finding: Finding;
  /** The actions of the experiment besides its calls. */
  readonly events: readonly string[];
  /** The functions called, including those that clean up. */
  readonly called: readonly string[];
  /** The same, each with the ID of its object. */
  readonly asked: readonly string[];
  /** The documents that calls returned, in the order of `called`. */
  readonly returned: readonly unknown[];
  /** The names of the objects that are left on the node. */
  readonly left: readonly string[];
}

/** The time at which experiments start, in milliseconds. */
const start = 86_400_000;

/** Runs the experiment of a row on a simulated node of its own, where waiting takes no time. */
export async function runExperiment(row: Row, circumstances: Circumstances = {}): Promise<Run> {
  const { options = {}, before, answer, duration, adapters, elsewhere, powershell = '' } = circumstances;
  const state = initialState(options);
  const service = serviceLibrary(state);
  await before?.(service);
  const events: string[] = [];
  const called: string[] = [];
  const asked: string[] = [];
  const returned: unknown[] = [];
  const running: string[] = [];
  let time = 0;
  const during = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    const overlap = `${what} starts during ${running.join(', ')}`;
    if (running.length > 0 && !events.includes(overlap)) events.push(overlap);
    running.push(what);
    try {
      return await work();
    } finally {
      running.splice(running.indexOf(what), 1);
    }
  };
  const intercepted = async <T>(call: AskedCall, make: () => Promise<HcnResponse<T>>) => {
    const replacement = answer?.(call);
    if (replacement === 'timeout') {
      time += 30_000;
      throw new HcnTimeout(call.name, 30);
    }
    time += duration?.(call) ?? 0;
    if (typeof replacement === 'object' && 'hresult' in replacement)
      return { hresult: replacement.hresult, value: '', errorRecord: undefined };
    const response = await make();
    if (replacement === 'accepted') {
      const [, kind] = /^HcnCreate(\w+)$/.exec(call.name) ?? [];
      const existing = kind === undefined ? response : await service.open(kind as Kind, call.id);
      return { value: existing.value, hresult: 0, errorRecord: undefined };
    }
    if (typeof response.value === 'string') returned[call.position] = response.value;
    return replacement === undefined
      ? response
      : { ...response, value: replacement.change(String(response.value)) };
  };
  const interceptor: HcnInterceptor = async ({ name, id = '', document = '' }, make) => {
    const position = called.push(name) - 1;
    asked.push(`${name} ${id}`);
    const ordinal = called.filter((one) => one === name).length;
    const response = await during(name, () => intercepted({ name, position, ordinal, id, document }, make));
    // The value of a refused call means nothing, and documents replace only documents.
    return response as HcnResponse<never>;
  };
  const [finding] = await runRows(
    [row],
    { adapter: 'Ethernet', nat: true, restart: true },
    {
      adapter: 'Ethernet',
      library: interceptHcnCalls(async () => service, interceptor),
      doubt: (kind, id) => void events.push(`doubts ${kind} ${id}`),
      openElsewhere: (kind, id) => {
        events.push(`opens ${kind} ${id} in another process`);
        return during('opening', async () => elsewhere?.(kind) ?? (await service.open(kind, id)).hresult);
      },
      adapters: () =>
        during('listing adapters', async () => {
          const usual = await ipHelperWithoutDll(state).readAdapters();
          return adapters?.(usual, time) ?? usual;
        }),
      powershell: (script, seconds) => {
        events.push(`runs PowerShell for at most ${seconds} s: ${script.trim()}`);
        return during('PowerShell', async () => powershell);
      },
      newSubnet: subnetsBeside('') ?? noSubnet,
      pause: (milliseconds) => {
        events.push(`waits ${milliseconds} ms`);
        return during('waiting', async () => {
          // Calls that do not wait for the end start within these turns.
          for (let turn = 0; turn < 5; turn += 1) await undefined;
          time += milliseconds;
        });
      },
      now: () => start + time,
      onStart: () => undefined,
      stopReason: async (isSuspect) => {
        if (isSuspect) events.push('is suspect');
        return undefined;
      },
    },
  );
  if (finding === undefined) throw new Error(`no finding of ${row.id}`);
  const left = [state.networks, state.endpoints, state.loadBalancers].flatMap((objects) => [
    ...objects.keys(),
  ]);
  return { finding, events, called, asked, returned, left };
}

function noSubnet(): Subnet {
  throw new Error('no subnet');
}

/** Numbers the random ids, names and addresses of a text in the order in which they appear. */
export function numbered(text: string): string {
  const numbers = new Map<string, string>();
  return text.replaceAll(random, (found, probeId?: string, id?: string, name?: string) => {
    if (found === zeroGuid) return found;
    const kind = probeId ? 'id' : id ? 'guid' : name ? 'win-hcn-probe' : 'frontend';
    const number = [...numbers.values()].filter((one) => one.startsWith(`${kind}-`)).length + 1;
    const known = numbers.get(found.toLowerCase()) ?? `${kind}-${number}`;
    numbers.set(found.toLowerCase(), known);
    return /[A-F]/.test(found) && !/[a-f]/.test(found) ? known.toUpperCase() : known;
  });
}

const zeroGuid = '00000000-0000-0000-0000-000000000000';
const random =
  /(77696e68-636e-4070-a072-6f6265[0-9a-f]{6})|([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})|(win-hcn-probe-\d+)|192\.0\.2\.\d+/gi;

/** Equal lines that follow each other, once, with their number. */
export function folded(lines: readonly string[]): readonly string[] {
  const found: { readonly line: string; times: number }[] = [];
  for (const line of lines) {
    const last = found.at(-1);
    if (last?.line === line) last.times += 1;
    else found.push({ line, times: 1 });
  }
  return found.map(({ line, times }) => (times === 1 ? line : `${line}, ${times} times`));
}

/** As in `HcnDeleteNetwork id`, with the document that was sent. */
export function callText({ function: name, id, sent }: CallRecord): string {
  const words = [name, id, sent === undefined ? undefined : JSON.stringify(sent)];
  return words.filter((word) => word !== undefined).join(' ');
}

/** Whether an event is that a call started before another one had ended. */
export function isOverlap(event: string): boolean {
  return event.includes(' starts during ');
}

/** As in `holds: refused (HCN_E_INVALID_POLICY)`, or `not tried: creating an endpoint: …`. */
export function outcome({ finding, events, left }: Run): string {
  const { verdict, observed, detail, reason }: Finding = finding;
  const seen = detail === undefined ? observed : `${observed} (${detail})`;
  const suspect = events.includes('is suspect') ? '; is suspect' : '';
  const overlap = events.some(isOverlap) ? '; calls overlap' : '';
  const remains = left.length === 0 ? '' : `; leaves ${left.length}`;
  return numbered(`${verdict}: ${reason ?? seen}${suspect}${overlap}${remains}`);
}

/** Replaced responses, and the functions to which they apply. */
export const replacements: readonly (readonly [what: string, replacement: Replacement, isFor: RegExp])[] = [
  ['refused', { hresult: hresultOf('E_ACCESSDENIED') }, /./],
  ['absent', { hresult: hresultOf('ERROR_NOT_FOUND') }, /Open|Query|Modify|Delete/],
  ['late', 'timeout', /./],
  ['null', { change: () => 'null' }, /Query|Enumerate/],
  ['without effect', { hresult: 0 }, /Modify|Delete/],
];

/** Returns the IDs of a document in upper case. */
export const upperCase: Replacement = {
  change: (text) => text.replaceAll(/[0-9a-f]{8}-[-0-9a-f]{27}/g, (id) => id.toUpperCase()),
};
