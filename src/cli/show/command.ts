import { Argument, type Command } from 'commander';
import { parseAddress } from '../../net/address.ts';
import { look } from '../inventory/look.ts';
import { newCommand } from '../new-command.ts';
import { type Format, formatOption, serialized } from '../output.ts';
import type { Session } from '../session.ts';
import { findSubject, type SubjectKind, subjectKinds } from './find-subject.ts';
import { notFound } from './not-found.ts';
import { subjectText } from './subject-text.ts';

interface Flags {
  readonly output?: Format;
}

/** `show`: one thing HCN has, with everything that belongs to it. */
export function showCommand(session: Session): Command {
  return newCommand('show', session, {
    summary: 'one pod, container, address, endpoint, namespace or network, with all that belongs to it',
    description:
      'Shows one thing that HCN has: what belongs to it, whose it is, and its policies in the order in which they count, with what HNS ' +
      'blocks by itself. HCN does not know the names of pods: a pod goes by the id of its container, as crictl pods shows it.',
    examples: [
      'win-hcn show pod 0e12d1d5a8cfb',
      'win-hcn show ip 10.244.1.2',
      'win-hcn show endpoint 5efcf8b5',
      'win-hcn show network l2bridge -o json',
    ],
  })
    .addArgument(new Argument('<kind>', 'what the key is of').choices(subjectKinds))
    .argument('<key>', 'an id or the beginning of it, an address, or the name of an endpoint or a network')
    .addOption(formatOption())
    .action(async (kind: SubjectKind, key: string, { output }: Flags, command: Command) => {
      if (kind === 'ip' && parseAddress(key) === undefined)
        command.error(`win-hcn: "${key}" is no IP address`);
      const search = findSubject(kind, key, await look(session.system));
      if ('problem' in search) return notFound(search.problem, session);
      const { found } = search;
      session.print(serialized(found, output) ?? subjectText(found, output === 'wide', session));
    });
}
