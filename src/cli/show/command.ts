import { Argument, type Command } from 'commander';
import type { Inventory } from '../../model/inventory.ts';
import { parseAddress } from '../../net/address.ts';
import { unreadableWarnings } from '../inventory/read-inventory.ts';
import { notFoundText, type Search } from '../inventory/resolve-object.ts';
import { newCommand } from '../terminal/new-command.ts';
import { formatOption, kindNamed, otherNamesText, podNamesText } from '../terminal/options.ts';
import { formatted } from '../terminal/output.ts';
import { type Session, sessionFor } from '../terminal/session.ts';
import { showView, type View, type WatchFlags, watchOption } from '../watch/watch.ts';
import { comparePods } from './compare-pods.ts';
import { findPod } from './find-container.ts';
import { findAnything, findSubject, type Subject, subjectKinds } from './find-subject.ts';
import { findPort, parseWantedPort } from './port.ts';
import { subjectText } from './subject-text.ts';

interface ShowFlags extends WatchFlags {
  readonly diff?: string;
}

/** `show`: shows a pod, an address or an object of HCN, with its related objects, or compares two pods. */
export function showCommand(session: Session): Command {
  return newCommand('show', session, {
    summary: 'show a pod, address, port or HCN object in detail',
    description:
      'Shows the details of a pod, an address or an HCN object: related objects, owner, policies in evaluation order, ' +
      'and the traffic that HNS blocks by default. Without a kind, a prefix of an ID needs 8 characters. For a port, shows what ' +
      'uses it on the node: port mappings, load balancers, NetNat, processes and excluded port ranges. With --diff, compares the ' +
      'endpoints of two pods; their IDs, MAC and own addresses are not compared, and the exit code is 1 if the pods differ. ' +
      podNamesText,
    examples: [
      'win-hcn show shop/web',
      'win-hcn show pod web',
      'win-hcn show shop/web --diff shop/api',
      'win-hcn show ip 10.244.1.2',
      'win-hcn show port 8080/tcp',
      'win-hcn show endpoint 5efcf8b5',
      'win-hcn show network l2bridge -o json',
      'win-hcn show pod 0e12d1d5a8cfb --watch',
    ],
  })
    .usage('[options] [kind] <key>')
    .addArgument(
      new Argument(
        '<kind>',
        `kind of object to show, ${otherNamesText}; pod and container are the same (default: any kind)`,
      )
        .choices(subjectKinds)
        .argParser(String),
    )
    .argument(
      '[key]',
      `pod name as NAMESPACE/NAME or NAME, ID or ID prefix, address, name of an endpoint or network, or port as PORT[/PROTOCOL]`,
    )
    .addOption(formatOption())
    .option('--diff <pod>', 'compare with this pod')
    .addOption(watchOption())
    .action((first: string, second: string | undefined, flags: ShowFlags, command: Command) => {
      const find = finderOf(first, second, flags, command, session);
      const viewOf = async (inventory: Inventory) => subjectView(await find(inventory), inventory, flags);
      return showView(viewOf, flags, session, command);
    });
}

type Find = (inventory: Inventory) => Search<Subject> | Promise<Search<Subject>>;

/** Returns what finds the subject that the arguments name. A key without a kind is the only argument. */
function finderOf(
  first: string,
  second: string | undefined,
  { diff }: ShowFlags,
  command: Command,
  session: Session,
): Find {
  const refuse = (problem: string) => command.error(`win-hcn: ${problem}`);
  const kind = kindNamed(first, subjectKinds);
  if (kind === undefined && second !== undefined)
    return refuse(
      `command-argument value '${first}' is invalid for argument 'kind'. Allowed choices are ${subjectKinds.join(', ')}.`,
    );
  if (kind !== undefined && second === undefined) return refuse("missing required argument 'key'");
  const key = second ?? first;
  if (diff !== undefined)
    return kind === undefined || kind === 'pod' || kind === 'container'
      ? (inventory) => compare(key, diff, inventory)
      : refuse('--diff compares pods');
  if (kind === undefined) return (inventory) => findAnything(key, inventory);
  if (kind === 'ip' && parseAddress(key) === undefined) return refuse(`"${key}" is not an IP address`);
  if (kind !== 'port') return (inventory) => findSubject(kind, key, inventory);
  const port = parseWantedPort(key);
  if (port === undefined) return refuse(`"${key}" is not a port. Use PORT, PORT/tcp or PORT/udp.`);
  return async (inventory) => ({ found: await findPort(port, inventory, session) });
}

function compare(key: string, otherKey: string, inventory: Inventory): Search<Subject> {
  const [left, right] = [findPod(key, inventory), findPod(otherKey, inventory)];
  if ('problem' in left) return left;
  if ('problem' in right) return right;
  return { found: comparePods(left.found, right.found, inventory) };
}

function subjectView(search: Search<Subject>, inventory: Inventory, { output }: ShowFlags): View {
  const warnings = unreadableWarnings(inventory);
  if ('problem' in search)
    return { text: undefined, warnings: [notFoundText(search, inventory), ...warnings], isProblem: true };
  const { found } = search;
  return {
    text: (session) =>
      formatted(found, output, (subject) =>
        subjectText(subject, output === 'wide', sessionFor(session, output)),
      ),
    warnings,
    isProblem: inventory.unreadable !== undefined || isProblem(found),
  };
}

/** Whether pods differ, or the holders of a port are unknown. */
function isProblem(subject: Subject): boolean {
  if (subject.kind === 'comparison') return !subject.equal;
  return subject.kind === 'port' && Object.values(subject.held).includes('unknown');
}
