// Measures requests in rounds: each round starts every program once, so that all of them meet the same machine.

import type { Node } from '../e2e/node.ts';
import { type Latency, noLatency } from '../simulator/latency.ts';
import type { Form } from './form.ts';
import type { Nodes } from './nodes.ts';
import type { Prepared, Row } from './rows.ts';
import { type Sample, type Summary, summarize } from './statistics.ts';

/** The measurements of one form of the plugin with one latency. */
export interface Lane {
  readonly platform: Form['platform'];
  readonly form: Form['name'];
  readonly latency: Latency;
  readonly bare: Summary;
  /** A bare start with one HCN call. */
  readonly oneCall: Summary;
  readonly requests: readonly Summary[];
}

interface Measurement {
  readonly name: string;
  sample(): Promise<Sample>;
}

export const bareName = 'bare start';
export const oneCallName = 'bare start with one HCN call';

/** A first round, which is not counted, fills the caches and extracts the addon. */
export async function runLane(
  form: Form,
  rows: readonly Row[],
  nodes: Nodes,
  options: { readonly runs: number; readonly latency: Latency },
): Promise<Lane> {
  const { runs, latency } = options;
  const { hns } = nodes.quiet;
  const start = (command: readonly string[]) => () =>
    counted(nodes.quiet, latency, () =>
      form.measure(command, { environment: form.environment(hns), stdin: '' }),
    );
  const measurements: readonly Measurement[] = [
    { name: bareName, sample: start(form.bare) },
    { name: oneCallName, sample: start(form.oneCall) },
    ...rows.map((row) => ({ name: row.name, sample: () => sampleRow(form, row, nodes, latency) })),
  ];
  const samples = new Map<string, Sample[]>(measurements.map(({ name }) => [name, []]));
  for (let round = -1; round < runs; round += 1)
    for (const { name, sample } of rotated(measurements, round)) {
      const taken = await sample();
      if (round >= 0) samples.get(name)?.push(taken);
    }
  const [bare, oneCall, ...requests] = [...samples].map(([name, taken]) => summarize(name, taken));
  if (bare === undefined || oneCall === undefined) throw new Error('nothing was measured');
  return { platform: form.platform, form: form.name, latency, bare, oneCall, requests };
}

/** Starts each round with another one. */
function rotated<T>(list: readonly T[], by: number): readonly T[] {
  const first = Math.max(by, 0) % list.length;
  return [...list.slice(first), ...list.slice(0, first)];
}

async function sampleRow(form: Form, row: Row, nodes: Nodes, latency: Latency): Promise<Sample> {
  const node = row.isCrowded ? nodes.crowded : nodes.quiet;
  const prepared = await row.prepare(node);
  const environment = environmentOf(form, node, prepared);
  const stdin = JSON.stringify({ ...prepared.config, ...form.config });
  const sample = await counted(node, latency, () => form.measure(form.plugin, { environment, stdin }));
  await prepared.restore?.();
  return sample;
}

function environmentOf(form: Form, node: Node, { command, pod, ipamResult }: Prepared) {
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

async function counted(
  { hns }: Node,
  latency: Latency,
  run: () => ReturnType<Form['measure']>,
): Promise<Sample> {
  const before = { hcn: hns.calls.length, ipHelper: hns.ipHelperCalls.length };
  hns.delay(latency);
  const { exitCode, stdout, stderr, ...usage } = await run();
  hns.delay(noLatency);
  if (exitCode !== 0) throw new Error(`a measured program failed with ${exitCode}: ${stdout}${stderr}`);
  return {
    ...usage,
    hcnCalls: hns.calls.length - before.hcn,
    ipHelperCalls: hns.ipHelperCalls.length - before.ipHelper,
  };
}
