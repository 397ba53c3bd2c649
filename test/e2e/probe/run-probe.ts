import type { Report } from '../../../src/cli/probe/report.ts';
import type { HnsOptions } from '../../simulator/hns.ts';
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
      if (!script.includes('Restart-Service')) return { problem: 'cannot run PowerShell: ENOENT' };
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
  const node = await startNode(options);
  try {
    return JSON.parse((await runProbe(node, [...words, '-o', 'json'])).stdout);
  } finally {
    await node.stop();
  }
}
