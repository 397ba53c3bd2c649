import type { CommandContext } from '../../../src/commands/command-context.ts';
import type { Undo } from '../../../src/commands/undo.ts';
import type { HostAdapter } from '../../../src/net/host-adapter.ts';
import { type SmallHcn, type SmallHcnOptions, smallHcn } from '../hcn/small-hcn.ts';
import { hostAdapters } from '../plan/host-adapters.ts';

export interface SmallHost extends SmallHcn {
  readonly host: CommandContext;
  readonly notices: readonly string[];
  /** What was changed about the interfaces, as in `forward 7`. */
  readonly interfaces: readonly string[];
  /** What is on the undo stack. */
  readonly undo: Undo & { readonly taken: () => readonly string[] };
}

export interface SmallHostOptions extends SmallHcnOptions, Partial<Pick<CommandContext, 'locateIpam'>> {
  readonly readAdapters?: () => Promise<readonly HostAdapter[]>;
}

/** A node with an HCN of a few objects, without IPAM plugin, where waiting takes no time but on its own clock. */
export function smallHost(options: SmallHostOptions = {}): SmallHost {
  const { readAdapters = async () => hostAdapters, locateIpam = () => undefined } = options;
  const small = smallHcn(options);
  const notices: string[] = [];
  const interfaces: string[] = [];
  let time = 0;
  let entries: readonly { readonly taken: string }[] = [];
  const host: CommandContext = {
    hcn: small.hcn,
    locateIpam,
    ipHelper: {
      readAdapters,
      enableForwarding: async (index) => void interfaces.push(`forward ${index}`),
      removeDefaultRoutes: async (index) => void interfaces.push(`no default route ${index}`),
    },
    timer: (milliseconds, call) => {
      time += milliseconds;
      queueMicrotask(call);
      return { cancel: () => undefined };
    },
    now: () => time,
    notice: (text) => {
      notices.push(text);
    },
  };
  const undo = {
    push: (taken: string) => {
      const entry = { taken };
      entries = [...entries, entry];
      return () => {
        entries = entries.filter((other) => other !== entry);
      };
    },
    unwind: async () => [],
    taken: () => entries.map(({ taken }) => taken),
  };
  return { ...small, host, notices, interfaces, undo };
}

/** An IPAM plugin that records the commands it is run with. */
export function ipamPlugin() {
  const runs: unknown[] = [];
  const delegate = {
    type: 'host-local',
    path: 'C:\\cni\\host-local.exe',
    environment: {},
    stdin: '{}',
    spawn: async (_path: string, environment: Readonly<Record<string, string | undefined>>) => {
      runs.push(environment['CNI_COMMAND']);
      return { exitCode: 0, stdout: '' };
    },
  };
  return { delegate, runs };
}
