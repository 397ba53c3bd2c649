import type { Report } from '../../../src/cli/probe/report.ts';
import { type HcnInterceptor, interceptHcnCalls } from '../../../src/hcn/library.ts';
import type { System } from '../../../src/system.ts';
import type { Fault, HnsOptions } from '../../simulator/hns.ts';
import { type HresultName, hresultOf } from '../../simulator/hresults.ts';
import { type CliEnvironment, type Printed, runCli } from '../cli/run-cli.ts';
import { type Node, startNode } from '../node.ts';

/** Adapters of which the second has no default gateway. */
export const adapters = [
  { name: 'Ethernet', managementIp: '10.0.0.4' },
  { name: 'Ethernet 2', managementIp: '10.0.1.4' },
];

/** Permits every experiment. */
export const everything = ['--adapter', 'Ethernet 2', '--yes'];

/** Runs `win-hcn debug probe` on a node without PowerShell. */
export function runProbe(
  node: Node,
  words: readonly string[],
  environment: CliEnvironment = {},
): Promise<Printed> {
  return runCli(['debug', 'probe', ...words], { system: node.outside, ...environment });
}

/** Starts a node for a probe. */
export function startProbedNode(options: HnsOptions = {}): Promise<Node> {
  return startNode({ adapters, ...options }, undefined, (hns) => hns.withoutDlls());
}

/** The node's system whose calls of HCN pass through `intercept`. */
export function interceptedSystem(node: Node, intercept: HcnInterceptor): Partial<System> {
  const { loadLibrary } = node.outside;
  if (loadLibrary === undefined) throw new Error('a node has a library');
  return { ...node.outside, loadLibrary: async () => interceptHcnCalls(loadLibrary, intercept) };
}

/** The report of a node with these options and faults. */
export async function probeReport(
  options: HnsOptions,
  words: readonly string[] = everything,
  faults: readonly Fault[] = [],
): Promise<Report> {
  const node = await startProbedNode(options);
  try {
    for (const fault of faults) node.hns.inject(fault);
    return JSON.parse((await runProbe(node, [...words, '-o', 'json'])).stdout);
  } finally {
    await node.stop();
  }
}

/** A call that HNS refuses, by default the next one of this function. */
export function refusal(name: string, symbol: HresultName, ordinal: Fault['ordinal'] = 1): Fault {
  return { function: name, ordinal, effect: { hresult: hresultOf(symbol) } };
}

/** A line for each row: its id, the verdict, and what was observed or why it was not tried. */
export function reportLines({ rows }: Pick<Report, 'rows'>): string {
  return rows
    .map(({ id, verdict, observed, reason }) => `${id}: ${verdict}: ${observed ?? reason}\n`)
    .join('');
}
