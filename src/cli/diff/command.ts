import type { Command } from 'commander';
import { readInventory } from '../inventory/read-inventory.ts';
import { shortGuid } from '../inventory/short-text.ts';
import { newCommand } from '../new-command.ts';
import { dataFormatOption } from '../options.ts';
import { type DataFormat, formatted } from '../output.ts';
import { exitCode, type Session } from '../session.ts';
import { reportNotFound } from '../show/find-by-key.ts';
import { findPod } from '../show/find-subject.ts';
import { comparePods, sharedEndpoint } from './compare-pods.ts';
import { comparisonText } from './comparison-text.ts';

interface Flags {
  readonly output?: DataFormat;
}

/** `diff`: what HCN has otherwise for one pod than for another. */
export function diffCommand(session: Session): Command {
  return newCommand('diff', session, {
    summary: 'what differs between two pods, one of which works and the other not',
    description:
      'Compares the endpoints of two pods as HCN has them, what matters most first: network, state and health, addresses and routes, DNS, ' +
      "ACLs, other policies, namespace and load balancers. A pod's own address within a policy is taken for the same as the other's own. " +
      'Ends with 0 when nothing differs that could be alike, and with 1 when something does.',
    examples: ['win-hcn diff 0e12d1d5a8cfb 41c0b2f1', 'win-hcn diff 0e12d1d5a8cfb 41c0b2f1 -o json'],
  })
    .argument('<pod>', "the id of a pod's container or the beginning of it, as for win-hcn show pod")
    .argument('<other>', 'the same of another pod')
    .addOption(dataFormatOption())
    .action((pod: string, other: string, { output }: Flags, command: Command) =>
      diff(pod, other, output, command, session),
    );
}

async function diff(
  key: string,
  otherKey: string,
  output: DataFormat | undefined,
  command: Command,
  session: Session,
): Promise<void> {
  const inventory = await readInventory(session);
  const [left, right] = [findPod(key, inventory), findPod(otherKey, inventory)];
  if ('problem' in left) return reportNotFound(left.problem, inventory, session);
  if ('problem' in right) return reportNotFound(right.problem, inventory, session);
  const shared = sharedEndpoint(left.found, right.found);
  if (shared !== undefined)
    return command.error(
      `win-hcn: "${key}" and "${otherKey}" have endpoint ${shortGuid(shared)} in common: give two pods`,
    );
  const comparison = comparePods(left.found, right.found, inventory);
  if (!comparison.equal) session.setExitCode(exitCode.problemFound);
  session.print(formatted(comparison, output, (shown) => comparisonText(shown, session)));
}
