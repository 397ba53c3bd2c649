import type { Environment } from '../../cni/request.ts';
import { isUnavailable } from '../../hcn/hresults.ts';
import type { JsonObject } from '../../json/members.ts';
import type { Entry } from '../../log/log.ts';
import { run } from '../../plugin/run.ts';
import type { System } from '../../system.ts';
import { type ExitCode, exitCode } from '../terminal/session.ts';
import { parentFolder } from '../terminal/windows-path.ts';

/** A call of the plugin, as in its log. */
export type LoggedCall = Extract<Entry, { readonly event: 'call' | 'run' }>;

/** How a run of the plugin ended. */
export interface PluginRun {
  readonly exitCode: ExitCode;
  /** The result or the error object; undefined if the command has no result. */
  readonly answer: unknown;
  /** In the order of completion. */
  readonly calls: readonly LoggedCall[];
  readonly milliseconds: number;
}

/**
 * Runs the plugin in this process with a runtime's input. `print` gets the result of an ADD; if it throws, the ADD fails and is rolled
 * back.
 */
export async function runPlugin(
  environment: Environment,
  stdin: JsonObject,
  system: System,
  print: (result: PluginRun) => void = () => undefined,
): Promise<PluginRun> {
  const calls: LoggedCall[] = [];
  let isLoadFailed = false;
  const bytes = new TextEncoder().encode(JSON.stringify(stdin));
  const started = system.now();
  const soFar = (code: number, stdout: string): PluginRun => {
    const failure = isLoadFailed || calls.some(isUnansweredByHns) ? 'hnsUnavailable' : 'problemFound';
    return {
      exitCode: exitCode[code === 0 ? 'success' : failure],
      answer: stdout === '' ? undefined : JSON.parse(stdout),
      calls: [...calls],
      milliseconds: Math.round((system.now() - started) * 10) / 10,
    };
  };
  const { exitCode: code, stdout } = await run(
    {
      ...system,
      environment: { ...withoutCniVariables(system.environment), ...environment },
      readStdin: () => bytes,
      readStdinWithin: async () => bytes,
      loadLibrary: () =>
        system.loadLibrary().catch((error: unknown) => {
          isLoadFailed = true;
          throw error;
        }),
    },
    (entry) => {
      if (entry.event === 'call' || entry.event === 'run') calls.push(entry);
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

/** The default CNI_PATH: the folder of the exe. */
export function defaultCniPath({ executable }: System): string {
  return parentFolder(executable);
}

/** The environment without the variables of a CNI request. */
export function withoutCniVariables(environment: System['environment']): System['environment'] {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('CNI_')));
}

/** Whether a call to HCN did not complete, or failed because the service is not running. */
function isUnansweredByHns(call: LoggedCall): boolean {
  return (
    call.event === 'call' &&
    /^(Hcn|HNS)/.test(call.call) &&
    (call.error !== undefined || isUnavailable(Number(call.hresult ?? 0)))
  );
}
