// A node as a client sees it: plugins, a Host Network Service, and containers.

import { type Hns, type HnsOptions, startHns } from '../hns/hns.ts';
import type { Host, OpenHost } from './hosts.ts';

export interface Node extends Pick<OpenHost, 'path' | 'cacheDir'> {
  readonly hns: Hns;
  /** Runs libcni; its answer to each command. */
  libcni(pod: LibcniPod, commands: readonly LibcniCommand[]): Promise<LibcniAnswer[]>;
  /** Runs go-cni; its answer to each command. */
  gocni(pod: GocniPod, commands: readonly GocniCommand[]): Promise<GocniAnswer[]>;
  stop(): Promise<void>;
}

export type LibcniCommand = 'add' | 'check' | 'del' | 'del-without-netns' | 'validate' | 'version';

/** One attachment, with what libcni is told of it. */
export interface LibcniPod {
  readonly conflist: object;
  readonly netns: string;
  readonly containerId?: string;
  readonly ifname?: string;
  readonly args?: readonly (readonly [string, string])[];
  readonly capabilityArgs?: object;
  /** Folders of plugins behind win-hcn's own. */
  readonly morePath?: readonly string[];
}

export interface LibcniAnswer {
  readonly command: LibcniCommand;
  /** As libcni parsed it, in the conflist's version and in 1.0.0. */
  readonly result?: object;
  readonly result100?: { readonly ips?: readonly { readonly address: string }[] };
  readonly capabilities?: readonly string[];
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

export async function startNode(host: Host, options: HnsOptions = {}): Promise<Node> {
  const hns = await startHns(options);
  const { path, cacheDir, run, close } = host.open();
  return {
    hns,
    path,
    cacheDir,
    libcni: async ({ morePath = [], ...pod }, commands) => {
      const defaults = { path: [...path, ...morePath], cacheDir, containerId: 'pod1', ifname: 'eth0' };
      return lines(await run('libcni', { ...defaults, ...pod, commands }, hns.environment));
    },
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
