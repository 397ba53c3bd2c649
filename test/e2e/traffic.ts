// Requests of a container runtime, without pause, while something else happens to the plugin.

import { setTimeout } from 'node:timers/promises';
import type { Hns } from '../simulator/hns.ts';

/** What a request returned; `missing` if there was no executable to run. */
export type Response =
  | { readonly exitCode: number | undefined; readonly stdout: string; readonly stderr: string }
  | 'missing';

/** Runs the plugin with an environment and a configuration on stdin. */
export type RunPlugin = (environment: Readonly<Record<string, string>>, stdin: string) => Promise<Response>;

export interface Traffic {
  /** Ends the requests: deletes all pods, and waits for that. */
  stop(): Promise<void>;
  /** The number of responses by command, without those of `failures` and `missing`. */
  readonly succeeded: ReadonlyMap<string, number>;
  /** Requests that returned an error. */
  readonly failures: readonly string[];
  /** Requests for which there was no executable. The runtime repeats them, and so does the traffic. */
  readonly missing: readonly string[];
}

/** Starts sandboxes that each repeat ADD, STATUS and DEL for a new pod. `pauseMs`: the longest pause between two requests. */
export function startTraffic(
  hns: Hns,
  config: object,
  { sandboxes, pauseMs = 0 }: { readonly sandboxes: number; readonly pauseMs?: number },
  run: RunPlugin,
): Traffic {
  const succeeded = new Map<string, number>();
  const failures: string[] = [];
  const missing: string[] = [];
  let isStopping = false;

  const request = async (command: string, pod: Readonly<Record<string, string>>): Promise<void> => {
    for (;;) {
      const response = await run({ ...pod, CNI_COMMAND: command }, JSON.stringify(config));
      if (response === 'missing') {
        missing.push(command);
        await setTimeout(10);
        continue;
      }
      const { exitCode, stdout, stderr } = response;
      if (exitCode === 0 && stderr === '') succeeded.set(command, (succeeded.get(command) ?? 0) + 1);
      else failures.push(`${command}: ${exitCode} ${stdout}${stderr}`);
      break;
    }
    await setTimeout(Math.random() * pauseMs);
  };

  const sandbox = async (number: number): Promise<void> => {
    for (let pod = 0; !isStopping; pod += 1) {
      const environment = {
        CNI_CONTAINERID: `sandbox${number}pod${pod}`,
        CNI_NETNS: hns.createNamespace(),
        CNI_IFNAME: 'eth0',
      };
      for (const command of ['ADD', 'STATUS', 'DEL']) await request(command, environment);
    }
  };
  const ended = Promise.all(Array.from({ length: sandboxes }, (_, number) => sandbox(number)));
  return {
    succeeded,
    failures,
    missing,
    stop: async () => {
      isStopping = true;
      await ended;
    },
  };
}
