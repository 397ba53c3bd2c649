import { wholeMessage } from '../cni/error.ts';
import { withoutKeys } from '../hcn/documents.ts';
import { hex, isFailure } from '../hcn/hresults.ts';
import type { HcnCall, HcnInterceptor, HcnResponse } from '../hcn/library.ts';
import type { IpamPlugin } from '../ipam/delegate.ts';
import type { IpHelperInterceptor } from '../iphlpapi/ip-helper.ts';
import { type CallOutcome, elapsedSince, type Log } from './log.ts';

type Write = Log['write'];

/** Writes a line for each HCN call, with error record and document if HCN refused it. */
export function logHcnCalls(write: Write, now: () => number, inner: HcnInterceptor): HcnInterceptor {
  return (call, make) => {
    const { name, id } = call;
    const entry = { event: 'call', call: name, ...(id !== undefined && { id }) } as const;
    return logged(
      now,
      () => inner(call, make),
      (response) => describeResponse(call, response),
      (outcome) => write({ ...entry, ...outcome }),
    );
  };
}

/** Writes a line for each call to the IP Helper. */
export function logIpHelperCalls(
  write: Write,
  now: () => number,
  inner: IpHelperInterceptor,
): IpHelperInterceptor {
  return (action, make) =>
    logged(
      now,
      () => inner(action, make),
      () => ({}),
      (outcome) => write({ event: 'call', call: action, ...outcome }),
    );
}

/** Writes a line for each run of another plugin. */
export function logSpawns(write: Write, now: () => number, spawn: IpamPlugin['spawn']): IpamPlugin['spawn'] {
  return (path, environment, stdin, seconds) =>
    logged(
      now,
      () => spawn(path, environment, stdin, seconds),
      ({ exitCode }) => ({ exitCode }),
      (outcome) =>
        write({ event: 'run', plugin: path, command: environment['CNI_COMMAND'] ?? '', ...outcome }),
    );
}

function describeResponse(
  { document }: HcnCall,
  { hresult, errorRecord }: HcnResponse<unknown>,
): Omit<CallOutcome, 'milliseconds'> {
  const refused = isFailure(hresult) || Boolean(errorRecord);
  return {
    hresult: hex(hresult),
    ...(errorRecord && { errorRecord }),
    ...(refused && document !== undefined && { document: withoutKeys(JSON.parse(document)) }),
  };
}

/** Runs `work` and writes its outcome with the time it took. */
async function logged<T>(
  now: () => number,
  work: () => Promise<T>,
  describe: (value: T) => Omit<CallOutcome, 'milliseconds'>,
  write: (outcome: CallOutcome) => void,
): Promise<T> {
  const started = now();
  const elapsed = () => elapsedSince(started, now);
  try {
    const value = await work();
    write({ milliseconds: elapsed(), ...describe(value) });
    return value;
  } catch (error) {
    write({ milliseconds: elapsed(), error: wholeMessage(error) });
    throw error;
  }
}
