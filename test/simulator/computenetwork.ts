// The stub library for tests: every function is asynchronous and frees its out strings.

import { loadKoffi } from '../../src/hcn/koffi.ts';
import { buildLinuxStub } from './stub/build.ts';

export interface Answer {
  /** Unsigned. */
  readonly hresult: number;
  readonly handle: unknown;
  readonly value: string | undefined;
  readonly errorRecord: string | undefined;
}

const koffi = loadKoffi();
const library = koffi.load(buildLinuxStub());
const coTaskMemFree = library.func('void CoTaskMemFree(void *memory)');
const outString = koffi.out(koffi.pointer(koffi.disposable('str16', coTaskMemFree)));
const outHandle = koffi.out(koffi.pointer('void *'));

export const liveStrings: () => number = library.func('int64_t SimulatedLiveStrings()');

type Input = 'guid' | 'handle' | 'text';
/** `null` passes a NULL pointer, which is allowed for an error record. */
type Output = 'handle' | 'value' | 'error' | 'null';

export function declare(name: string, inputs: readonly Input[], outputs: readonly Output[]) {
  const types = [
    ...inputs.map((input) => (input === 'text' ? 'str16' : 'void *')),
    ...outputs.map((output) => (output === 'null' ? 'void *' : output === 'handle' ? outHandle : outString)),
  ];
  const native = library.func(name, 'uint32_t', types);
  return (...given: readonly unknown[]): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const outs = outputs.map((output): [unknown] | null => (output === 'null' ? null : [null]));
      const finish = (error: unknown, hresult: number) => {
        const out = (output: Output): unknown => outs[outputs.indexOf(output)]?.[0] ?? undefined;
        const text = (output: Output) => out(output) as string | undefined;
        if (error) reject(error);
        else resolve({ hresult, handle: out('handle'), value: text('value'), errorRecord: text('error') });
      };
      const inputValues = given.map((value, index) =>
        inputs[index] === 'guid' && typeof value === 'string' ? guidBytes(value) : value,
      );
      native.async(...inputValues, ...outs, finish);
    });
}

function verbs(noun: string) {
  const inNetwork: readonly Input[] = noun === 'Endpoint' ? ['handle'] : [];
  return {
    enumerate: declare(`HcnEnumerate${noun}s`, ['text'], ['value', 'error']),
    create: declare(`HcnCreate${noun}`, [...inNetwork, 'guid', 'text'], ['handle', 'error']),
    open: declare(`HcnOpen${noun}`, ['guid'], ['handle', 'error']),
    modify: declare(`HcnModify${noun}`, ['handle', 'text'], ['error']),
    query: declare(`HcnQuery${noun}Properties`, ['handle', 'text'], ['value', 'error']),
    delete: declare(`HcnDelete${noun}`, ['guid'], ['error']),
    close: declare(`HcnClose${noun}`, ['handle'], []),
  };
}

export const network = verbs('Network');
export const endpoint = verbs('Endpoint');
export const namespace = verbs('Namespace');
export const loadBalancer = verbs('LoadBalancer');
export const sdnRoute = verbs('SdnRoute');
export const queryEndpointStats = declare('HcnQueryEndpointStats', ['handle', 'text'], ['value', 'error']);
export const hnsCall = declare('HNSCall', ['text', 'text', 'text'], ['value']);

/** Encodes a GUID structure, whose first three fields are little-endian. */
function guidBytes(guid: string): Buffer {
  const bytes = Buffer.from(guid.replaceAll('-', ''), 'hex');
  return Buffer.concat([
    bytes.subarray(0, 4).reverse(),
    bytes.subarray(4, 6).reverse(),
    bytes.subarray(6, 8).reverse(),
    bytes.subarray(8),
  ]);
}
