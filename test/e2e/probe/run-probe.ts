import type { Report } from '../../../src/cli/probe/report.ts';
import type { Fault, HnsOptions } from '../../simulator/hns.ts';
import { type HresultName, hresultOf } from '../../simulator/hresults.ts';
import { type CliEnvironment, type Printed, runCli } from '../cli/run-cli.ts';
import { type Node, startNode } from '../node.ts';

/** Permits every experiment. */
export const everything = ['--nat', '--adapter', 'Ethernet', '--restart-hns', '--yes'];

/** Runs `win-hcn probe` on a node. PowerShell restarts the service if a script asks for that, and knows nothing else. */
export function runProbe(
  node: Node,
  words: readonly string[],
  environment: CliEnvironment = {},
): Promise<Printed> {
  return runCli(['probe', ...words], {
    system: node.outside,
    powershell: (script) => {
      if (!script.includes('Stop-Service -Name hns')) return { problem: 'cannot run PowerShell: ENOENT' };
      node.hns.restart();
      return { stdout: '' };
    },
    ...environment,
  });
}

/** The report of a node with these options. */
export async function probeReport(
  options: HnsOptions,
  words: readonly string[] = everything,
): Promise<Report> {
  const node = await startNode(options, undefined, (hns) => hns.withoutDlls());
  try {
    return JSON.parse((await runProbe(node, [...words, '-o', 'json'])).stdout);
  } finally {
    await node.stop();
  }
}

interface Invocation {
  /** Default: every option. */
  readonly words?: readonly string[];
  readonly environment?: (node: Node) => CliEnvironment;
}

/** What a node with these options and faults shows of one row. */
export async function probeRow(
  row: string,
  options: HnsOptions = {},
  faults: readonly Fault[] = [],
  { words = everything, environment = () => ({}) }: Invocation = {},
): Promise<Report['rows'][number] | undefined> {
  const node = await startNode(options);
  try {
    for (const fault of faults) node.hns.inject(fault);
    const { stdout } = await runProbe(node, [...words, '--row', row, '-o', 'json'], environment(node));
    const { rows, remaining }: Report = JSON.parse(stdout);
    if (remaining.length > 0) throw new Error(`left: ${remaining.join('; ')}`);
    return rows[0];
  } finally {
    await node.stop();
  }
}

/** A call that HNS refuses, by default the next one of this function. */
export function refusal(name: string, symbol: HresultName, ordinal: Fault['ordinal'] = 1): Fault {
  return { function: name, ordinal, effect: { hresult: hresultOf(symbol) } };
}

/** A call that returns this document, by default the next one of this function. */
export function answering(name: string, document: unknown, ordinal: Fault['ordinal'] = 1): Fault {
  return { function: name, ordinal, effect: { answer: JSON.stringify(document) } };
}

/** The id of no object. */
export const noId = '3f1b2c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d';

/** A query that returns an object with these members, by default the next one of this function. */
export function returning(name: string, members: object, ordinal: Fault['ordinal'] = 1): Fault {
  return answering(name, { ID: noId, ...members }, ordinal);
}

/** A line for each row: its id, the verdict, and what was observed or why it was not tried. */
export function reportLines({ rows }: Pick<Report, 'rows'>): string {
  return rows
    .map(({ id, verdict, observed, reason }) => `${id}: ${verdict}: ${observed ?? reason}\n`)
    .join('');
}
