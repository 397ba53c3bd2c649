// Measures requests in rounds: each round starts every program once, so that the load of the machine affects all alike.

import type { Node } from '../e2e/node.ts';
import { type Latency, noLatency } from '../simulator/latency.ts';
import type { Form } from './form.ts';
import type { Run } from './measure.ts';
import type { Nodes } from './nodes.ts';
import type { Prepared, Row } from './rows.ts';
import { type Sample, type Summary, summarize } from './statistics.ts';

/** The measurements of one form of the plugin with one latency. */
export interface Lane {
  readonly bare: Summary;
  /** A bare start with one HCN call. */
  readonly oneCall: Summary;
  readonly requests: readonly Summary[];
}

interface Measurement {
  readonly name: string;
  sample(): Promise<Sample>;
}

const bareName = 'bare start';
const oneCallName = 'bare start with one HCN call';

/**
 * Measures rows with one form and latency, interleaved with bare starts. A first round, which is not counted, fills the caches and
 * extracts the addon.
 */
export async function runLane(
  form: Form,
  rows: readonly Row[],
  nodes: Nodes,
  options: { readonly runs: number; readonly latency: Latency },
): Promise<Lane> {
  const { runs, latency } = options;
  const [first] = rows;
  if (first === undefined) throw new Error('there is no request to measure');
  const start = (command: readonly string[]) => () => {
    const node = nodes.use(first.scene);
    const request = { environment: form.environment(node.hns), stdin: '' };
    return counted(node, latency, async () =>
      requireSuccess('a bare start', await form.measure(command, request)),
    );
  };
  const measurements: readonly Measurement[] = [
    { name: bareName, sample: start(form.bare) },
    { name: oneCallName, sample: start(form.oneCall) },
    ...rows.map((row) => ({
      name: row.name,
      sample: () => sampleRow(form, row, nodes, latency),
    })),
  ];
  const samples = new Map<string, Sample[]>(measurements.map(({ name }) => [name, []]));
  for (let round = -1; round < runs; round += 1)
    for (const { name, sample } of rotated(measurements, round)) {
      const taken = await sample();
      if (round >= 0) samples.get(name)?.push(taken);
    }
  const summaryOf = ({ name }: { readonly name: string }) => summarize(name, samples.get(name) ?? []);
  return {
    bare: summaryOf({ name: bareName }),
    oneCall: summaryOf({ name: oneCallName }),
    requests: rows.map(summaryOf),
  };
}

/** Rotates the order, so that each round starts with another request. */
function rotated<T>(list: readonly T[], by: number): readonly T[] {
  const first = Math.max(by, 0) % list.length;
  return [...list.slice(first), ...list.slice(0, first)];
}

/** Measures a request once. */
async function sampleRow(form: Form, row: Row, nodes: Nodes, latency: Latency): Promise<Sample> {
  const node = nodes.use(row.scene);
  const prepared = await row.prepare(node);
  const stdin = JSON.stringify({ ...prepared.config, ...form.config });
  const environment = prepared.words ? form.environment(node.hns) : environmentOf(form, node, prepared);
  const command = [...form.plugin, ...(prepared.words ?? [])];
  const sample = await counted(node, latency, async () =>
    requireSuccess(row.name, await form.measure(command, { environment, stdin })),
  );
  await prepared.restore?.();
  return sample;
}

/** The environment of a request of the plugin. */
export function environmentOf(form: Form, node: Node, { command, pod, ipamResult }: Prepared) {
  return {
    ...form.environment(node.hns),
    CNI_COMMAND: command,
    CNI_CONTAINERID: pod.containerId,
    CNI_NETNS: pod.netns,
    CNI_IFNAME: 'eth0',
    CNI_PATH: form.ipamFolder,
    ...(ipamResult && { BENCH_IPAM_RESULT: JSON.stringify(ipamResult) }),
  };
}

/** Counts the calls of a run. */
async function counted({ hns }: Node, latency: Latency, run: () => Promise<Run>): Promise<Sample> {
  const before = { hcn: hns.calls.length, ipHelper: hns.ipHelperCalls.length };
  hns.delay(latency);
  const { wallUs, cpuUs, memoryKib, bytesRead } = await run();
  hns.delay(noLatency);
  return {
    wallUs,
    cpuUs,
    memoryKib,
    bytesRead,
    hcnCalls: hns.calls.length - before.hcn,
    ipHelperCalls: hns.ipHelperCalls.length - before.ipHelper,
  };
}

function requireSuccess(name: string, run: Run): Run {
  const { exitCode, stdout, stderr } = run;
  if (exitCode !== 0) throw new Error(`${name} failed with exit code ${exitCode}: ${stdout}${stderr}`);
  return run;
}
