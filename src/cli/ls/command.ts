import { Argument, type Command } from 'commander';
import { queryInventory, refreshLimits } from '../inventory/read-inventory.ts';
import { newCommand } from '../new-command.ts';
import { formatOption } from '../options.ts';
import type { Session } from '../session.ts';
import { printOnce, type ReadView } from '../watch/view.ts';
import { watch, watchOption, watchSeconds } from '../watch/watch.ts';
import { type ListFlags, type ListKind, listKinds, listView } from './list-view.ts';

/** `ls`: lists the objects of HCN, with the objects that they belong to. */
export function lsCommand(session: Session): Command {
  return newCommand('ls', session, {
    summary: 'list networks, endpoints, namespaces and load balancers',
    description:
      'Lists HCN objects: endpoints with their container, network, namespace and owner, and which are leftovers. Without ' +
      'a kind, all four kinds are listed. The endpoint of a running ADD is in no namespace for a moment.',
    examples: [
      'win-hcn ls',
      'win-hcn ls endpoints',
      'win-hcn ls endpoints --remote -o wide',
      'win-hcn ls endpoints --watch 5',
      'win-hcn ls endpoints -o json | ConvertFrom-Json | Where-Object stale',
    ],
  })
    .addArgument(new Argument('[kind]', 'kind of objects').choices(listKinds))
    .addOption(formatOption())
    .option('--remote', 'include remote endpoints (pods on other nodes)')
    .addOption(watchOption())
    .action(async (kind: ListKind | undefined, flags: ListFlags, command: Command) => {
      const seconds = watchSeconds(flags, command);
      const limits = seconds === undefined ? undefined : refreshLimits;
      const read: ReadView = async (system) => listView(await queryInventory(system, limits), kind, flags);
      if (seconds === undefined) return printOnce(read, session);
      const words = ['ls', ...(kind === undefined ? [] : [kind]), ...(flags.remote ? ['--remote'] : [])];
      return watch(words.join(' '), seconds, read, session);
    });
}
