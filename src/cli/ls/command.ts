import { Argument, type Command } from 'commander';
import { queryInventory, refreshLimits } from '../inventory/read-inventory.ts';
import { newCommand } from '../new-command.ts';
import { formatOption } from '../options.ts';
import type { Session } from '../session.ts';
import { watchedEvery, watchOption } from '../watch/option.ts';
import { printOnce, type TakeView } from '../watch/view.ts';
import { watch } from '../watch/watch.ts';
import { type Flags, type Kind, kinds, viewOf } from './view-of.ts';

/** `ls`: what HCN has, as joined tables. */
export function lsCommand(session: Session): Command {
  return newCommand('ls', session, {
    summary: 'networks, endpoints, namespaces and load balancers, each with what it belongs to',
    description:
      'Lists what HCN has: endpoints with their container, network and namespace, who made them, and which are stale. Without a kind it ' +
      'lists all four. An endpoint of an ADD that is under way is in no namespace for a moment.',
    examples: [
      'win-hcn ls',
      'win-hcn ls endpoints',
      'win-hcn ls endpoints --remote -o wide',
      'win-hcn ls endpoints --watch 5',
      'win-hcn ls endpoints -o json | ConvertFrom-Json | Where-Object stale',
    ],
  })
    .addArgument(new Argument('[kind]', 'one kind of objects').choices(kinds))
    .addOption(formatOption())
    .option('--remote', 'show remote endpoints too, which stand for pods on other nodes')
    .addOption(watchOption())
    .action(async (kind: Kind | undefined, flags: Flags, command: Command) => {
      const seconds = watchedEvery(flags, command);
      const limits = seconds === undefined ? undefined : refreshLimits;
      const take: TakeView = async (system) => viewOf(await queryInventory(system, limits), kind, flags);
      if (seconds === undefined) return printOnce(take, session);
      const what = ['ls', ...(kind === undefined ? [] : [kind]), ...(flags.remote ? ['--remote'] : [])];
      return watch(what.join(' '), seconds, take, session);
    });
}
