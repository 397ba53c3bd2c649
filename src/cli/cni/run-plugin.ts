import { isUnavailable } from '../../hcn/hresults.ts';
import type { Entry } from '../../log/log.ts';
import { run } from '../../plugin/run.ts';
import type { System } from '../../system.ts';
import { type ExitCode, exitCode } from '../session.ts';
import type { PluginInput } from './request.ts';
import { watchLibrary } from './watch-library.ts';

/** What the plugin called, in the log's words. */
export type MadeCall = Extract<Entry, { readonly event: 'call' | 'run' }>;

export interface PluginRun {
  readonly exitCode: ExitCode;
  /** The result or the error object; undefined where the command has no result. */
  readonly answer: unknown;
  /** In the order of their ends; those that have none come last. */
  readonly calls: readonly MadeCall[];
  readonly milliseconds: number;
}

/** Runs the plugin in this process, as a runtime runs it in one of its own. */
export async function runPlugin({ environment, stdin }: PluginInput, given: System): Promise<PluginRun> {
  const { system, standing, unusable } = watchLibrary(given);
  const ended: MadeCall[] = [];
  const bytes = new TextEncoder().encode(JSON.stringify(stdin));
  const started = system.now();
  const since = (moment: number) => Math.round((system.now() - moment) * 10) / 10;
  const { exitCode: code, stdout } = await run(
    {
      ...system,
      environment: { ...withoutCni(system.environment), ...environment },
      readStdin: () => bytes,
      readStdinWithin: async () => bytes,
    },
    (entry) => {
      if (entry.event === 'call' || entry.event === 'run') ended.push(entry);
    },
  );
  const givenUp = ended.filter((call) => call.error !== undefined);
  const hanging = standing()
    .map(({ call: { name, id }, since: made }): MadeCall => {
      const about = { event: 'call', call: name, ...(id !== undefined && { id }) } as const;
      return { ...about, milliseconds: since(made), error: 'it has not answered' };
    })
    .filter((call) => !givenUp.some((other) => isSame(call, other)));
  const calls = [...ended, ...hanging];
  return {
    exitCode:
      code === 0
        ? exitCode.success
        : unusable() || isSilent(calls)
          ? exitCode.hnsUnavailable
          : exitCode.problemFound,
    answer: stdout === '' ? undefined : JSON.parse(stdout),
    calls,
    milliseconds: since(started),
  };
}

function withoutCni(environment: System['environment']): System['environment'] {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('CNI_')));
}

function isSame(one: MadeCall, other: MadeCall): boolean {
  return one.event === 'call' && other.event === 'call' && one.call === other.call && one.id === other.id;
}

/** Whether a call to HCN had no answer, or none but that the service does not do its work. */
function isSilent(calls: readonly MadeCall[]): boolean {
  return calls.some(
    (call) =>
      call.event === 'call' &&
      /^(Hcn|HNS)/.test(call.call) &&
      (call.error !== undefined || isUnavailable(Number(call.hresult ?? 0))),
  );
}
