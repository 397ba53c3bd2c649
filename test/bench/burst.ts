// Programs that start at once, as all pods of a node after a reboot: npm run bench -- --pods 110

import { readdirSync, readFileSync } from 'node:fs';
import type { Node } from '../e2e/node.ts';
import { table } from '../markdown-table.ts';
import type { Form } from './form.ts';
import type { Request } from './measure.ts';
import { environmentOf } from './run-lane.ts';
import { median } from './statistics.ts';

/** What programs that started at once took. */
export interface Burst {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly failed: number;
  /** The highest sum of their memory, with each shared page divided by its users (PSS). */
  readonly togetherKib: number;
  /** The median of the highest private memory of each that was sampled. */
  readonly privateKib: number;
  readonly sampled: number;
}

/** containerd kills a plugin at the kubelet's limit for RunPodSandbox, twice its runtimeRequestTimeout (remote_runtime.go). */
const timeoutMs = 240_000;

/** ADDs of new pods. */
export function addRequests(form: Form, node: Node, config: object, count: number): readonly Request[] {
  const stdin = JSON.stringify({ ...config, ...form.config });
  return Array.from({ length: count }, () => {
    const prepared = { command: 'ADD', config, pod: node.newPod() };
    return { environment: environmentOf(form, node, prepared), stdin };
  });
}

/** Starts a program for each request. */
export async function startTogether(
  form: Form,
  [program = '', ...words]: readonly string[],
  requests: readonly Request[],
): Promise<Burst> {
  let togetherKib = 0;
  const highest = new Map<string, number>();
  // Samples for a tenth of the time at most: the service is in this process.
  const sample = () => {
    const used = process.threadCpuUsage();
    let sum = 0;
    for (const id of readdirSync('/proc')) {
      const { Pss = 0, Private_Clean = 0, Private_Dirty = 0 } = memoryOf(id, program);
      sum += Pss;
      if (Pss > 0) highest.set(id, Math.max(highest.get(id) ?? 0, Private_Clean + Private_Dirty));
    }
    togetherKib = Math.max(togetherKib, sum);
    sampling = setTimeout(sample, Math.max(500, (9 * process.threadCpuUsage(used).system) / 1000));
  };
  let sampling = setTimeout(sample, 500);
  const began = performance.now();
  const runs = await Promise.all(
    requests.map((request, at) =>
      form
        .measure([program, ...words], { ...request, folder: `burst/${at}`, timeoutMs })
        .catch(() => ({ exitCode: -1, cpuUs: 0 })),
    ),
  );
  clearTimeout(sampling);
  return {
    wallMs: performance.now() - began,
    cpuMs: runs.reduce((sum, { cpuUs }) => sum + cpuUs, 0) / 1000,
    failed: runs.filter(({ exitCode }) => exitCode !== 0).length,
    togetherKib,
    privateKib: highest.size === 0 ? 0 : median([...highest.values()]),
    sampled: highest.size,
  };
}

/** Returns the values of smaps_rollup; none for another program, or a process that has ended. */
function memoryOf(process: string, program: string): Readonly<Record<string, number>> {
  try {
    if (readFileSync(`/proc/${process}/cmdline`, 'utf8').split('\0')[0] !== program) return {};
    const values = readFileSync(`/proc/${process}/smaps_rollup`, 'utf8').matchAll(/^(\w+): +(\d+) kB$/gm);
    return Object.fromEntries([...values].map(([, name, kib]) => [name, Number(kib)]));
  } catch {
    return {};
  }
}

/** Compares bursts as a table. */
export function burstTable(bursts: Readonly<Record<string, Burst>>): string {
  const rows = Object.entries(bursts).map(([name, { wallMs, cpuMs, failed, togetherKib, privateKib }]) => [
    name,
    ...[wallMs / 1000, cpuMs / 1000].map((seconds) => seconds.toFixed(1)),
    String(failed),
    ...[togetherKib, privateKib].map((kib) => ((kib * 1024) / 1e6).toFixed(1)),
  ]);
  return table(['burst', 'wall s', 'CPU s', 'failed', 'MB together', 'private MB each'], rows).join('\n');
}
