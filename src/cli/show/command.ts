import { Argument, type Command } from 'commander';
import type { Inventory } from '../../model/inventory.ts';
import { parseAddress } from '../../net/address.ts';
import { newNameReader } from '../inventory/name-reader.ts';
import { queryInventory, refreshLimits, unreadableWarnings } from '../inventory/read-inventory.ts';
import { notFoundText, type Search } from '../inventory/resolve-object.ts';
import { newCommand } from '../terminal/new-command.ts';
import { formatOption, kindNamed, otherNamesText, podNamesText } from '../terminal/options.ts';
import { formatted } from '../terminal/output.ts';
import { runQuery } from '../terminal/powershell.ts';
import { plain, type Session } from '../terminal/session.ts';
import { type Entry, printOnce, type ReadView, type View } from '../watch/view.ts';
import { type WatchFlags, watch, watchOption, watchSeconds } from '../watch/watch.ts';
import { findAnything } from './find-anything.ts';
import { findSubject, type Subject, type SubjectKind, subjectKinds } from './find-subject.ts';
import { nodePortsQuery } from './port/node-ports.ts';
import { findPort } from './port/port-subject.ts';
import { parseWantedPort } from './port/wanted-port.ts';
import { subjectText } from './subject-text.ts';

/** `show`: shows a pod, an address or an object of HCN, with its related objects. */
export function showCommand(session: Session): Command {
  return newCommand('show', session, {
    summary: 'show a pod, address, port or HCN object in detail',
    description:
      'Shows the details of a pod, an address or an HCN object: related objects, owner, policies in evaluation order, ' +
      'and the traffic that HNS blocks by default. Without a kind, a prefix of an ID needs 8 characters. For a port, shows what ' +
      `uses it on the node: port mappings, load balancers, NetNat, processes and excluded port ranges. ${podNamesText}`,
    examples: [
      'win-hcn show shop/web',
      'win-hcn show pod web',
      'win-hcn show pod 0e12d1d5a8cfb',
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
    .addOption(watchOption())
    .action(async (first: string, second: string | undefined, flags: WatchFlags, command: Command) => {
      const { kind, key } = readSubject(first, second, command);
      const port = kind === 'port' ? parseWantedPort(key) : undefined;
      if (kind === 'port' && port === undefined)
        command.error(`win-hcn: "${key}" is not a port. Use PORT, PORT/tcp or PORT/udp.`);
      if (kind === 'ip' && parseAddress(key) === undefined)
        command.error(`win-hcn: "${key}" is not an IP address`);
      const seconds = watchSeconds(flags, command);
      const limits = seconds === undefined ? undefined : refreshLimits;
      const withNames = newNameReader(session);
      const read: ReadView = async (system) => {
        const inventory = withNames(await queryInventory(system, limits));
        const search =
          port === undefined
            ? findObject(kind, key, inventory)
            : {
                found: findPort(port, inventory, await runQuery(session.terminal, nodePortsQuery(port.port))),
              };
        return subjectView(search, inventory, flags, session);
      };
      if (seconds === undefined) return printOnce(read, session);
      return watch(['show', ...(kind === undefined ? [] : [kind]), key].join(' '), seconds, read, session);
    });
}

/** A key without a kind is the only argument. */
function readSubject(
  first: string,
  second: string | undefined,
  command: Command,
): { readonly kind?: SubjectKind; readonly key: string } {
  const kind = kindNamed(first, subjectKinds);
  if (second === undefined)
    return kind === undefined ? { key: first } : command.error("win-hcn: missing required argument 'key'");
  return kind === undefined
    ? command.error(
        `win-hcn: command-argument value '${first}' is invalid for argument 'kind'. Allowed choices are ${subjectKinds.join(', ')}.`,
      )
    : { kind, key: second };
}

function findObject(kind: SubjectKind | undefined, key: string, inventory: Inventory): Search<Subject> {
  return kind === undefined || kind === 'port'
    ? findAnything(key, inventory)
    : findSubject(kind, key, inventory);
}

function subjectView(
  search: Search<Subject>,
  inventory: Inventory,
  { output }: WatchFlags,
  session: Session,
): View {
  const warnings = unreadableWarnings(inventory);
  if ('problem' in search) {
    const problem = notFoundText(search, inventory);
    const isAmbiguous = search.isAmbiguous ?? false;
    return { text: undefined, entries: [], warnings: [problem, ...warnings], isProblem: true, isAmbiguous };
  }
  const { found } = search;
  const text = (shown: Session) =>
    formatted(found, output, (subject) => subjectText(subject, output === 'wide', shown));
  const isUnknown = found.kind === 'port' && found.verdicts.some(({ held }) => held === 'unknown');
  const isProblem = inventory.unreadable !== undefined || isUnknown;
  return { text, entries: entriesOf(text(plain(session))), warnings, isProblem };
}

/** Returns the lines of a text as entries. Equal lines get different keys. */
function entriesOf(text: string): readonly Entry[] {
  const lines = text.split('\n').flatMap((line) => line.trim().replaceAll(/ +/g, ' ') || []);
  return lines.map((name, index) => {
    const same = lines.slice(0, index).filter((line) => line === name).length;
    return { key: `${name}\n${same}`, name, cells: {} };
  });
}
