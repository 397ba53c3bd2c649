import type { Finding, Report } from '../../../src/cli/probe/report.ts';
import type { Fault, HnsOptions } from '../../simulator/hns.ts';
import type { CliEnvironment } from '../cli/run-cli.ts';
import { type Node, startNode } from '../node.ts';
import { everything, runProbe } from './run-probe.ts';

export interface Circumstances {
  readonly options?: HnsOptions;
  readonly faults?: readonly Fault[];
  /** Default: every option. */
  readonly words?: readonly string[];
  readonly environment?: (node: Node) => CliEnvironment;
}

/** Probes one row on a new node. Returns its finding without claim and calls. */
export async function findRow(
  row: string,
  { options, faults = [], words = everything, environment = () => ({}) }: Circumstances = {},
): Promise<Partial<Finding>> {
  const node = await startNode(options);
  try {
    for (const fault of faults) node.hns.inject(fault);
    const { stdout } = await runProbe(node, [...words, '--row', row, '-o', 'json'], environment(node));
    const report: Report = JSON.parse(stdout);
    const [{ id: _id, claim: _claim, calls: _calls, ...finding } = { id: '', claim: '' }] = report.rows;
    if (report.remaining.length > 0) throw new Error(`the probe left ${report.remaining.join(', ')}`);
    return finding;
  } finally {
    await node.stop();
  }
}
