import { type Subnet, subnetsBeside } from '../../../../src/cli/probe/names.ts';
import type { Finding } from '../../../../src/cli/probe/report.ts';
import type { Row } from '../../../../src/cli/probe/row.ts';
import { rows } from '../../../../src/cli/probe/rows.ts';
import { runRows } from '../../../../src/cli/probe/run-rows.ts';
import { HcnTimeout } from '../../../../src/hcn/errors.ts';
import { type HcnInterceptor, type HcnResponse, interceptHcnCalls } from '../../../../src/hcn/library.ts';
import { serviceIpHelper, serviceLibrary } from '../../../properties/service-library.ts';
import { type HnsOptions, initialState } from '../../../simulator/hns.ts';
import { hresultOf } from '../../../simulator/hresults.ts';

/** The rows with an experiment. */
export const possible = rows.filter(({ experiment }) => 'run' in experiment);

/** What HCN answers instead: a refusal, another document, or nothing in time. */
export type Replacement =
  | { readonly hresult: number }
  | { readonly change: (value: string) => string }
  | 'timeout';

export interface Circumstances {
  readonly options?: HnsOptions;
  /** The position of a call, from 0, and what HCN answers to it. Default: none. */
  readonly fault?: readonly [position: number, replacement: Replacement];
}

export interface Run {
  readonly finding: Finding;
  /** What the experiment did besides its calls. */
  readonly events: readonly string[];
  /** The functions called, including those that clean up. */
  readonly called: readonly string[];
  /** The documents that calls returned, in the order of `called`. */
  readonly returned: readonly unknown[];
  /** The names of what is left on the node. */
  readonly left: readonly string[];
}

/** Runs the experiment of a row on a simulated node of its own, where waiting takes no time. */
export async function runExperiment(row: Row, { options = {}, fault }: Circumstances = {}): Promise<Run> {
  const state = initialState(options);
  const events: string[] = [];
  const called: string[] = [];
  const returned: unknown[] = [];
  let time = 0;
  const interceptor: HcnInterceptor = async (call, make) => {
    const position = called.push(call.name) - 1;
    const replacement = fault?.[0] === position ? fault[1] : undefined;
    if (replacement === 'timeout') {
      time += 30_000;
      throw new HcnTimeout(call.name, 30);
    }
    const response =
      replacement !== undefined && 'hresult' in replacement
        ? { hresult: replacement.hresult, value: '', errorRecord: undefined }
        : await make();
    if (typeof response.value === 'string') returned[position] = response.value;
    const changed =
      replacement !== undefined && 'change' in replacement
        ? { ...response, value: replacement.change(String(response.value)) }
        : response;
    // The value of a refused call means nothing, and documents replace only documents.
    return changed as HcnResponse<never>;
  };
  const service = serviceLibrary(state);
  const [finding] = await runRows(
    [row],
    { adapter: 'Ethernet', nat: true, restart: true },
    {
      adapter: 'Ethernet',
      library: interceptHcnCalls(async () => service, interceptor),
      doubt: (kind, id) => void events.push(`doubts ${kind} ${id}`),
      openElsewhere: async (kind, id) => {
        events.push(`opens ${kind} ${id} in another process`);
        return (await service.open(kind, id)).hresult;
      },
      adapters: () => serviceIpHelper(state).readAdapters(),
      powershell: async (script, seconds) => {
        events.push(`runs PowerShell for at most ${seconds} s: ${script.trim()}`);
        return '';
      },
      newSubnet: subnetsBeside('') ?? noSubnet,
      pause: async (milliseconds) => {
        events.push(`waits ${milliseconds} ms`);
        time += milliseconds;
      },
      now: () => time,
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
  return { finding, events, called, returned, left };
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

/** As in `holds: refused (HCN_E_INVALID_POLICY)`, or `not tried: creating an endpoint: …`. */
export function outcome({ finding, events, left }: Run): string {
  const { verdict, observed, detail, reason }: Finding = finding;
  const seen = detail === undefined ? observed : `${observed} (${detail})`;
  const suspect = events.includes('is suspect') ? '; is suspect' : '';
  const remains = left.length === 0 ? '' : `; leaves ${left.length}`;
  return numbered(`${verdict}: ${reason ?? seen}${suspect}${remains}`);
}

/** What HCN answers instead, and to which functions. */
export const replacements: readonly (readonly [what: string, replacement: Replacement, isFor: RegExp])[] = [
  ['refused', { hresult: hresultOf('E_ACCESSDENIED') }, /./],
  ['absent', { hresult: hresultOf('ERROR_NOT_FOUND') }, /Open|Query|Modify|Delete/],
  ['late', 'timeout', /./],
  ['null', { change: () => 'null' }, /Query|Enumerate/],
];
