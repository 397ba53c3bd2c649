import { Argument, type Command } from 'commander';
import { parseAddress } from '../../net/address.ts';
import { camelCased } from '../inventory/policy-text.ts';
import { readInventory } from '../inventory/read-inventory.ts';
import { foundIn } from '../inventory/resolve-object.ts';
import { newCommand } from '../terminal/new-command.ts';
import {
  type FormatFlags,
  formatOption,
  kindNamed,
  otherNamesText,
  podNamesText,
} from '../terminal/options.ts';
import { printableIn, serialized } from '../terminal/output.ts';
import { exitCode, type Session, sessionFor } from '../terminal/session.ts';
import { isPort } from '../traffic/destination.ts';
import { comparePods, comparisonText } from './compare-pods.ts';
import { findAnything, findSubject, subjectKinds } from './find-subject.ts';
import { findPort, portText } from './port.ts';
import { subjectText } from './subject-text.ts';

interface ShowFlags extends FormatFlags {
  readonly diff?: string;
}

/** `show`: shows a pod, an address or an object of HCN, with its related objects, or compares two pods. */
export function showCommand(session: Session): Command {
  return newCommand('show', session, {
    summary: 'show a pod, address, port or HCN object in detail',
    description:
      'Shows a pod, an address or an HCN object: related objects, owner, policies in evaluation order, and the traffic that HNS ' +
      'blocks by default; of a port, what reserves it. Without a kind, a prefix of an ID needs 8 characters. --diff compares ' +
      'the endpoints of two pods, except IDs, MAC and own addresses; the exit code is 1 if they differ. ' +
      podNamesText,
    examples: [
      'win-hcn show shop/web',
      'win-hcn show pod web',
      'win-hcn show shop/web --diff shop/api',
      'win-hcn show ip 10.244.1.2',
      'win-hcn show port 8080',
      'win-hcn show endpoint 5efcf8b5',
      'win-hcn show network l2bridge -o json',
    ],
  })
    .usage('[options] [kind] <key>')
    .addArgument(
      new Argument('[kind]', `kind of object to show, ${otherNamesText} (default: any kind)`)
        .choices(subjectKinds)
        .argParser(String),
    )
    .argument(
      '[key]',
      'pod name as NAMESPACE/NAME or NAME, ID or ID prefix, address, name of an endpoint or network, or port',
    )
    .addOption(formatOption())
    .option('--diff <pod>', 'compare with this pod')
    .action((first: string | undefined, second: string | undefined, flags: ShowFlags, command: Command) => {
      const refuse = (problem: string) => command.error(`win-hcn: ${problem}`);
      if (first === undefined) return refuse("missing required argument 'key'");
      const kind = kindNamed(first, subjectKinds);
      if (kind === undefined && second !== undefined)
        return refuse(
          `command-argument value '${first}' is invalid for argument 'kind'. Allowed choices are ${subjectKinds.join(', ')}.`,
        );
      if (kind !== undefined && second === undefined) return refuse("missing required argument 'key'");
      const key = second ?? first;
      if (flags.diff !== undefined && kind !== undefined && kind !== 'pod')
        return refuse('--diff compares pods');
      if (kind === 'ip' && parseAddress(key) === undefined) return refuse(`"${key}" is not an IP address`);
      if (kind === 'port' && !isPort(key)) return refuse(`"${key}" is not a port`);
      return show(kind, key, flags, session);
    });
}

async function show(
  kind: (typeof subjectKinds)[number] | undefined,
  key: string,
  { diff, output }: ShowFlags,
  session: Session,
): Promise<void> {
  const print = <T extends object>(value: T, text: (value: T, session: Session) => string) =>
    session.print(
      serialized(camelCased(value), output) ?? text(printableIn(value), sessionFor(session, output)),
    );
  const inventory = await readInventory(session);
  if (kind === 'port') return print(await findPort(Number(key), inventory, session), portText);
  if (diff === undefined) {
    const search = kind === undefined ? findAnything(key, inventory) : findSubject(kind, key, inventory);
    return print(foundIn(search), (subject, shown) => subjectText(subject, output === 'wide', shown));
  }
  const pod = (one: string) => foundIn(findSubject('pod', one, inventory));
  const comparison = comparePods([key, diff], pod(key), pod(diff));
  if (!comparison.equal) session.setExitCode(exitCode.problemFound);
  print(comparison, comparisonText);
}
