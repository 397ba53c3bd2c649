// A node for clients: plugins, a Host Network Service, and containers.

import { type Hns, type HnsOptions, startHns } from '../simulator/hns.ts';
import { loopbackAdapter } from '../windows/loopback-adapter.ts';
import type { Program } from './build.ts';
import type { Host, OpenHost } from './hosts.ts';

export interface Node extends Pick<OpenHost, 'path' | 'cacheDir'> {
  readonly hns: Hns;
  /** Runs libcni and returns the answer to each command. */
  libcni(pod: LibcniPod, commands: readonly LibcniCommand[]): Promise<LibcniAnswer[]>;
  /** Runs the client with a newer libcni and returns the answer to each command. */
  newerLibcni(pod: NewerLibcniPod, commands: readonly NewerLibcniCommand[]): Promise<LibcniAnswer[]>;
  /** Runs go-cni and returns the answer to each command. */
  gocni(pod: GocniPod, commands: readonly GocniCommand[]): Promise<GocniAnswer[]>;
  stop(): Promise<void>;
}

export type LibcniCommand = 'add' | 'check' | 'del' | 'del-without-netns' | 'version';
/** Commands that libcni supports since 1.2.0. */
export type NewerLibcniCommand = LibcniCommand | 'status' | 'gc';

/** One attachment and its runtime configuration for libcni. */
export interface LibcniPod {
  readonly conflist: object;
  readonly netns: string;
  readonly containerId?: string;
  readonly ifname?: string;
  readonly args?: readonly (readonly [string, string])[];
  readonly capabilityArgs?: object;
  /** Plugin folders after that of win-hcn. */
  readonly morePath?: readonly string[];
}

export interface NewerLibcniPod extends LibcniPod {
  /** The valid attachments of gc. */
  readonly validAttachments?: readonly { readonly containerID: string; readonly ifname: string }[];
  /** The client's cache folder, if not the shared one. */
  readonly cacheDir?: string;
}

export interface LibcniAnswer {
  readonly command: NewerLibcniCommand;
  /** The result as libcni parsed it, in the conflist's version and in 1.0.0. */
  readonly result?: object;
  readonly result100?: { readonly ips?: readonly { readonly address: string }[] };
  readonly versions?: readonly string[];
  readonly error?: {
    readonly text: string;
    readonly plugin?: { readonly code: number; readonly msg: string; readonly details?: string };
  };
}

export type GocniCommand = 'setup' | 'check' | 'remove' | 'remove-without-netns';

export interface GocniPod {
  readonly conflist: object;
  readonly netns: string;
  readonly id?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly portMappings?: readonly object[];
  readonly bandwidth?: object;
  readonly dns?: object;
}

export interface GocniAnswer {
  readonly command: GocniCommand;
  readonly result?: object;
  readonly error?: string;
}

/** `executable` is the file name of win-hcn there. */
export async function startNode(host: Host, options: HnsOptions = {}, executable?: string): Promise<Node> {
  const hns = await startHns({ adapters: [loopbackAdapter], ...options });
  const { path, cacheDir, run, close } = host.open(executable);
  const libcni =
    (program: Program) =>
    async ({ morePath = [], ...pod }: LibcniPod, commands: readonly string[]): Promise<LibcniAnswer[]> => {
      const defaults = { path: [...path, ...morePath], cacheDir, containerId: 'pod1', ifname: 'eth0' };
      return lines(await run(program, { ...defaults, ...pod, commands }, hns.environment));
    };
  return {
    hns,
    path,
    cacheDir,
    libcni: libcni('libcni'),
    newerLibcni: libcni('newer-libcni'),
    gocni: async (pod, commands) =>
      lines(await run('gocni', { path, cacheDir, id: 'pod1', ...pod, commands }, hns.environment)),
    stop: async () => {
      await hns.stop();
      close();
    },
  };
}

function lines<Answer>(printed: string): Answer[] {
  return printed
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}
