import { setTimeout as sleep } from 'node:timers/promises';
import { run } from '../../src/plugin/run.ts';
import { system } from '../../src/system.ts';
import { type Ended, startBundle } from '../e2e/process.ts';
import type { StormNetwork } from './networks.ts';
import { haste, type World } from './world.ts';

export type Command = 'ADD' | 'CHECK' | 'DEL' | 'GC' | 'STATUS';

/** How a runtime runs win-hcn. */
export type Transport =
  | { readonly kind: 'in this process' | 'process' }
  /** Killed after so many calls to HNS, of all clients, or after the time. */
  | { readonly kind: 'killed'; readonly calls: number; readonly milliseconds: number };

export interface StormRequest {
  readonly command: Command;
  readonly network: StormNetwork;
  readonly config: Readonly<Record<string, unknown>>;
  readonly containerId: string;
  readonly netns: string;
  readonly transport: Transport;
  /** The time limit of each call, for a process. */
  readonly seconds: number;
}

/** A process has this long to end in any weather, on a busy machine. */
export const longestMilliseconds = 60_000;

/** Runs a request. The exit code is null if it was killed, and undefined if it did not end in time. */
export interface Response extends Omit<Ended, 'exitCode'> {
  readonly exitCode: number | null | undefined;
}

export async function respond(world: World, request: StormRequest): Promise<Response> {
  const { transport } = request;
  const seconds = transport.kind === 'in this process' ? request.seconds * haste : request.seconds;
  const stdin = JSON.stringify({
    ...request.config,
    hcnTimeoutSeconds: Math.min(seconds, 120),
    logFile: world.logFile,
  });
  const environment = {
    CNI_COMMAND: request.command,
    ...(request.command === 'GC' || request.command === 'STATUS'
      ? {}
      : { CNI_CONTAINERID: request.containerId, CNI_NETNS: request.netns, CNI_IFNAME: 'eth0' }),
  };
  if (transport.kind === 'in this process')
    return inThisProcess(world, { ...environment, CNI_PATH: '/opt/cni/bin' }, stdin);
  const ofProcess = {
    ...world.hns.environment,
    ...environment,
    CNI_PATH: world.cniPath,
    TMPDIR: world.temporary,
  };
  switch (transport.kind) {
    case 'process':
      return inTime(startBundle(ofProcess, stdin));
    case 'killed': {
      const running = startBundle(ofProcess, stdin);
      void killAt(world, transport, running.ended, running.kill);
      return inTime(running);
    }
  }
}

async function inThisProcess(
  world: World,
  environment: Readonly<Record<string, string>>,
  stdin: string,
): Promise<Response> {
  let stderr = '';
  const outcome = await run({
    ...system,
    ...world.outside,
    environment,
    readStdin: () => new TextEncoder().encode(stdin),
    writeStderr: (text) => {
      stderr += text;
    },
  });
  return { ...outcome, stderr };
}

/** Kills a process that does not end. */
export async function inTime({
  ended,
  kill,
}: {
  readonly ended: Promise<Ended>;
  readonly kill: () => void;
}): Promise<Response> {
  const over = new AbortController();
  const late = sleep(longestMilliseconds, 'late' as const, { signal: over.signal }).catch(() => undefined);
  const first = await Promise.race([ended, late]);
  over.abort();
  if (first !== 'late' && first !== undefined) return first;
  kill();
  return { ...(await ended), exitCode: undefined };
}

async function killAt(
  { hns }: World,
  { calls, milliseconds }: { readonly calls: number; readonly milliseconds: number },
  ended: Promise<unknown>,
  kill: () => void,
): Promise<void> {
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  const last = hns.calls.length + calls;
  const deadline = performance.now() + milliseconds;
  while (!isOver && hns.calls.length < last && performance.now() < deadline) await sleep(1);
  kill();
}
