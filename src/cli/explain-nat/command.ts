import type { Command } from 'commander';
import type { HostAdapter } from '../../net/host-adapter.ts';
import type { System } from '../../system.ts';
import { readAdapters, readInventory } from '../inventory/read-inventory.ts';
import { reportNotFound } from '../inventory/resolve-object.ts';
import { findPod } from '../show/find-container.ts';
import { newCommand } from '../terminal/new-command.ts';
import { type FormatFlags, formatOption, podText } from '../terminal/options.ts';
import { formatted } from '../terminal/output.ts';
import { exitCode, type Session, sessionFor } from '../terminal/session.ts';
import { wrapSentences } from '../terminal/wrap.ts';
import type { AclVerdict } from '../traffic/acl-verdict.ts';
import {
  type Destination,
  formatDestination,
  invalidDestination,
  parseDestination,
} from '../traffic/destination.ts';
import { ownerText, ruleTable, vfpNote } from '../traffic/explanation-text.ts';
import { explainNat, type NatExplanation } from './explain-nat.ts';

/** `explain-nat`: explains NAT, load balancing and routing of traffic from a pod. */
export function explainNatCommand(session: Session): Command {
  return newCommand('explain-nat', session, {
    summary: 'explain NAT and routing for pod traffic',
    description:
      'Shows how the HNS configuration affects traffic from a pod to a destination: load balancers, OutBoundNAT and its ' +
      'exceptions, SDN routes and proxies, and whether ACLs block it. Policies are numbered in the order in which HCN returns them. OutBoundNAT ' +
      'exceptions are matched against the destination that you specify, not against the backends of a load balancer. ' +
      'Exit code: 0 if win-hcn can determine NAT and routing, otherwise 1.',
    examples: [
      'win-hcn explain-nat shop/web 10.96.0.10:53/udp',
      'win-hcn explain-nat 0e12d1d5a8cfb 8.8.8.8',
      'win-hcn explain-nat 0e12d1d5a8cfb [fd00::7]:443 -o json',
    ],
  })
    .argument('<pod>', podText)
    .argument(
      '<destination>',
      'destination as ADDRESS[:PORT][/PROTOCOL] (default protocol: tcp if there is a port)',
    )
    .addOption(formatOption())
    .action(async (key: string, text: string, { output }: FormatFlags, command: Command) => {
      const destination = parseDestination(text);
      if (destination === undefined) return command.error(`win-hcn: ${invalidDestination(text)}`);
      const inventory = await readInventory(session);
      const search = findPod(key, inventory);
      if ('problem' in search) return reportNotFound(search, inventory, session);
      const { container, name: pod } = search.found;
      const node = await readNodeAdapters(session.system);
      const explanations = search.found.endpoints.map((endpoint) =>
        explainNat(endpoint, destination, inventory, node),
      );
      const macAddresses = explanations.map(({ macAddress }) => macAddress);
      const see = `win-hcn explain-acl ${key} out ${formatDestination(destination)}`;
      const note = vfpNote(macAddresses);
      const shown = sessionFor(session, output);
      if (explanations.some(({ open }) => open)) session.setExitCode(exitCode.problemFound);
      session.print(
        formatted(
          { container, ...(pod !== undefined && { pod }), destination, endpoints: explanations, note },
          output,
          ({ endpoints }) =>
            [
              ...endpoints.map((one) => natText(one, pod, destination, see, shown)),
              wrapSentences(note, shown.width),
            ].join('\n\n'),
        ),
      );
    });
}

/** The node's network adapters; undefined if Windows does not return them. */
async function readNodeAdapters(system: System): Promise<readonly HostAdapter[] | undefined> {
  try {
    return await readAdapters(system);
  } catch {
    return undefined;
  }
}

/** An explanation as text: the verdict, its reasons, then a table of all rules. */
function natText(
  { endpoint, network, addresses, says, acls, lines }: NatExplanation,
  pod: string | undefined,
  destination: Destination,
  see: string,
  session: Session,
): string {
  const [first = '', ...others] = says;
  const from = addresses.length === 0 ? '' : `from ${addresses.join(' or ')} `;
  const rules = lines.map(({ stage, line, ...rest }) => ({ ...rest, cells: { stage, rule: line } }));
  return [
    session.style('bold', wrapSentences(first, session.width)),
    ...(acls === undefined ? [] : aclLines(acls, see, session)),
    ...others.map((sentence) => wrapSentences(sentence, session.width)),
    '',
    wrapSentences(
      `${ownerText(endpoint, pod)} on ${network}, ${from}to ${formatDestination(destination)}`,
      session.width,
    ),
    ...(rules.length === 0 ? [] : [ruleTable(rules, session)]),
  ].join('\n');
}

/** What the ACLs do, with the command that shows them if they block, or may block, the traffic. */
function aclLines({ action, sentence }: AclVerdict, see: string, session: Session): readonly string[] {
  const text = wrapSentences(sentence, session.width);
  if (action === 'Allow') return [text];
  return [session.style(action === 'Block' ? 'bold' : 'yellow', text), `see: ${see}`];
}
