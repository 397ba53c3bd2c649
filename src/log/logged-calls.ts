import { withoutKeys } from '../hcn/documents.ts';
import { hex, isFailure } from '../hcn/hresults.ts';
import type { HcnCall, HcnInterceptor, HcnResponse } from '../hcn/library.ts';
import type { IpamPlugin } from '../ipam/delegate.ts';
import type { IpHelperInterceptor } from '../iphlpapi/ip-helper.ts';
import { type CallOutcome, elapsedSince, type Log } from './log.ts';

type Write = Log['write'];

/** Calls to HCN that leave a line in the log each, with what HCN returned about those it refused. */
export function logHcnCalls(write: Write, now: () => number, inner: HcnInterceptor): HcnInterceptor {
  return (call, make) => {
    const { name, id } = call;
    const entry = { event: 'call', call: name, ...(id !== undefined && { id }) } as const;
    return logged(
      now,
      () => inner(call, make),
      (answer) => answerOf(call, answer),
      (ended) => write({ ...entry, ...ended }),
    );
  };
}

/** Calls to the IP Helper that leave a line in the log each. */
export function logIpHelperCalls(
  write: Write,
  now: () => number,
  inner: IpHelperInterceptor,
): IpHelperInterceptor {
  return (doing, make) =>
    logged(
      now,
      () => inner(doing, make),
      () => ({}),
      (ended) => write({ event: 'call', call: doing, ...ended }),
    );
}

/** Runs of other plugins that leave a line in the log each. */
export function logSpawns(write: Write, now: () => number, spawn: IpamPlugin['spawn']): IpamPlugin['spawn'] {
  return (path, environment, stdin, seconds) =>
    logged(
      now,
      () => spawn(path, environment, stdin, seconds),
      ({ exitCode }) => ({ exitCode }),
      (ended) => write({ event: 'run', plugin: path, command: environment['CNI_COMMAND'] ?? '', ...ended }),
    );
}

function answerOf(
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

/** Does some work and writes how it ended, with the time it took in milliseconds, to one decimal. */
async function logged<T>(
  now: () => number,
  work: () => Promise<T>,
  describe: (value: T) => Omit<CallOutcome, 'milliseconds'>,
  write: (ended: CallOutcome) => void,
): Promise<T> {
  const started = now();
  const elapsed = () => elapsedSince(started, now);
  try {
    const value = await work();
    write({ milliseconds: elapsed(), ...describe(value) });
    return value;
  } catch (error) {
    write({ milliseconds: elapsed(), error: error instanceof Error ? error.message : String(error) });
    throw error;
  }
}
