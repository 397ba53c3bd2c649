import { isUnavailable } from '../../hcn/hresults.ts';
import { type HcnCall, interceptHcnCalls } from '../../hcn/library.ts';
import type { Entry } from '../../log/log.ts';
import { run } from '../../plugin/run.ts';
import type { System } from '../../system.ts';
import { type ExitCode, exitCode } from '../terminal/session.ts';
import type { PluginInput } from './plugin-input.ts';

/** A call of the plugin, as in its log. */
export type LoggedCall = Extract<Entry, { readonly event: 'call' | 'run' }>;

export interface PluginRun {
  readonly exitCode: ExitCode;
  /** The result or the error object; undefined if the command has no result. */
  readonly answer: unknown;
  /** In the order of completion; calls that have not completed come last. */
  readonly calls: readonly LoggedCall[];
  readonly milliseconds: number;
}

/**
 * Runs the plugin in this process with a runtime's input. `print` gets the result of an ADD; if it throws, the ADD fails and is rolled
 * back.
 */
export async function runPlugin(
  { environment, stdin }: PluginInput,
  outer: System,
  print: (result: PluginRun) => void = () => undefined,
): Promise<PluginRun> {
  const { system, pendingCalls, isLoadFailed } = trackCalls(outer);
  const completed: LoggedCall[] = [];
  const bytes = new TextEncoder().encode(JSON.stringify(stdin));
  const started = system.now();
  const millisecondsSince = (moment: number) => Math.round((system.now() - moment) * 10) / 10;
  const soFar = (code: number, stdout: string): PluginRun => {
    const timedOut = completed.filter((call) => call.error !== undefined);
    const pending = pendingCalls()
      .map(({ call: { name, id }, started: callStarted }): LoggedCall => {
        const call = { event: 'call', call: name, ...(id !== undefined && { id }) } as const;
        return { ...call, milliseconds: millisecondsSince(callStarted), error: 'no response yet' };
      })
      .filter((call) => !timedOut.some((other) => isSameCall(call, other)));
    const calls = [...completed, ...pending];
    const failure = isLoadFailed() || calls.some(isUnansweredByHns) ? 'hnsUnavailable' : 'problemFound';
    return {
      exitCode: exitCode[code === 0 ? 'success' : failure],
      answer: stdout === '' ? undefined : JSON.parse(stdout),
      calls,
      milliseconds: millisecondsSince(started),
    };
  };
  const { exitCode: code, stdout } = await run(
    {
      ...system,
      environment: { ...withoutCniVariables(system.environment), ...environment },
      readStdin: () => bytes,
      readStdinWithin: async () => bytes,
    },
    (entry) => {
      if (entry.event === 'call' || entry.event === 'run') completed.push(entry);
    },
    (text) => print(soFar(0, text)),
  );
  return soFar(code, stdout);
}

/** The message of an error object, with its details. */
export function messageOf(answer: unknown): string {
  const { msg, details } = answer as { readonly msg: string; readonly details?: string };
  return details === undefined ? msg : `${msg} (${details})`;
}

/** The environment without the variables of a CNI request. */
export function withoutCniVariables(environment: System['environment']): System['environment'] {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('CNI_')));
}

function isSameCall(one: LoggedCall, other: LoggedCall): boolean {
  return one.event === 'call' && other.event === 'call' && one.call === other.call && one.id === other.id;
}

/** Whether a call to HCN did not complete, or failed because the service is not running. */
function isUnansweredByHns(call: LoggedCall): boolean {
  return (
    call.event === 'call' &&
    /^(Hcn|HNS)/.test(call.call) &&
    (call.error !== undefined || isUnavailable(Number(call.hresult ?? 0)))
  );
}

interface PendingCall {
  readonly call: HcnCall;
  /** In milliseconds of the system's clock. */
  readonly started: number;
}

/** A system whose HCN calls are tracked: the plugin's log lacks those it no longer waits for. */
interface TrackedSystem {
  readonly system: System;
  pendingCalls(): readonly PendingCall[];
  /** Whether loading HCN's library failed. */
  isLoadFailed(): boolean;
}

function trackCalls(system: System): TrackedSystem {
  const pending = new Set<PendingCall>();
  let loadFailed = false;
  const loadLibrary: System['loadLibrary'] = async () => {
    try {
      const library = await system.loadLibrary();
      return interceptHcnCalls(
        async () => library,
        async (call, make) => {
          const entry = { call, started: system.now() };
          pending.add(entry);
          try {
            return await make();
          } finally {
            pending.delete(entry);
          }
        },
      );
    } catch (error) {
      loadFailed = true;
      throw error;
    }
  };
  return {
    system: { ...system, loadLibrary },
    pendingCalls: () => [...pending],
    isLoadFailed: () => loadFailed,
  };
}
