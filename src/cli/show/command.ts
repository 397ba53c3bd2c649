import { Argument, type Command } from 'commander';
import type { Inventory } from '../../model/inventory.ts';
import { parseAddress } from '../../net/address.ts';
import { queryInventory, refreshLimits, unreadableWarnings } from '../inventory/read-inventory.ts';
import { newCommand } from '../new-command.ts';
import { formatOption } from '../options.ts';
import { formatted } from '../output.ts';
import { plain, type Session } from '../session.ts';
import { type WatchFlags, watchedEvery, watchOption } from '../watch/option.ts';
import { type Entry, printOnce, type TakeView, type View } from '../watch/view.ts';
import { watch } from '../watch/watch.ts';
import { notFoundText } from './find-by-key.ts';
import { findSubject } from './find-subject.ts';
import { type SubjectKind, subjectKinds } from './subject.ts';
import { subjectText } from './subject-text.ts';

/** `show`: one thing HCN has, with everything that belongs to it. */
export function showCommand(session: Session): Command {
  return newCommand('show', session, {
    summary: 'one pod, address or object of HCN, with all that belongs to it',
    description:
      'Shows one thing that HCN has: what belongs to it, whose it is, and its policies in the order in which they count, with what HNS ' +
      'blocks by itself. HCN does not know the names of pods: a pod goes by the id of its container, as crictl pods shows it.',
    examples: [
      'win-hcn show pod 0e12d1d5a8cfb',
      'win-hcn show ip 10.244.1.2',
      'win-hcn show endpoint 5efcf8b5',
      'win-hcn show network l2bridge -o json',
      'win-hcn show pod 0e12d1d5a8cfb --watch',
    ],
  })
    .addArgument(new Argument('<kind>', 'what the key is of').choices(subjectKinds))
    .argument('<key>', 'an id or the beginning of it, an address, or the name of an endpoint or a network')
    .addOption(formatOption())
    .addOption(watchOption())
    .action(async (kind: SubjectKind, key: string, flags: WatchFlags, command: Command) => {
      if (kind === 'ip' && parseAddress(key) === undefined)
        command.error(`win-hcn: "${key}" is no IP address`);
      const seconds = watchedEvery(flags, command);
      const limits = seconds === undefined ? undefined : refreshLimits;
      const take: TakeView = async (system) =>
        viewOf(kind, key, await queryInventory(system, limits), flags, session);
      if (seconds === undefined) return printOnce(take, session);
      return watch(`show ${kind} ${key}`, seconds, take, session);
    });
}

function viewOf(
  kind: SubjectKind,
  key: string,
  inventory: Inventory,
  { output }: WatchFlags,
  session: Session,
): View {
  const search = findSubject(kind, key, inventory);
  const remarks = unreadableWarnings(inventory);
  if ('problem' in search) {
    const problem = notFoundText(search.problem, inventory);
    return { text: undefined, entries: [], remarks: [problem, ...remarks], isProblem: true };
  }
  const { found } = search;
  const text = (shown: Session) =>
    formatted(found, output, (subject) => subjectText(subject, output === 'wide', shown));
  const isProblem = inventory.unreadable !== undefined;
  return { text, entries: entriesOf(text(plain(session))), remarks, isProblem };
}

/** The lines of a text; of those that are the same, each by itself. */
function entriesOf(text: string): readonly Entry[] {
  const lines = text.split('\n').flatMap((line) => line.trim().replaceAll(/ +/g, ' ') || []);
  return lines.map((name, index) => {
    const same = lines.slice(0, index).filter((line) => line === name).length;
    return { key: `${name}\n${same}`, name, cells: {} };
  });
}
