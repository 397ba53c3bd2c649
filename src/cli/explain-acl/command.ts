import { Argument, type Command } from 'commander';
import { formatPort } from '../../net/address.ts';
import { aclColumns } from '../inventory/acl-row.ts';
import { readInventory } from '../inventory/read-inventory.ts';
import { reportNotFound } from '../inventory/resolve-object.ts';
import { findPod } from '../show/find-container.ts';
import { newCommand } from '../terminal/new-command.ts';
import { type FormatFlags, formatOption, podText } from '../terminal/options.ts';
import { formatted } from '../terminal/output.ts';
import { exitCode, type Session, sessionFor } from '../terminal/session.ts';
import { wrapSentences } from '../terminal/wrap.ts';
import { type AclExplanation, type Connection, type Direction, explainAcl } from '../traffic/acl-decision.ts';
import {
  describeAcl,
  describePriority,
  lowerFirst,
  missingInformation,
  ruleTypesConflict,
  ruleTypesHint,
} from '../traffic/acl-text.ts';
import {
  formatDestination,
  hasPorts,
  invalidDestination,
  isPort,
  parseDestination,
} from '../traffic/destination.ts';
import { ownerText, ruleTable, vfpNote } from '../traffic/explanation-text.ts';

interface Flags extends FormatFlags {
  readonly sourcePort?: string;
}

/** `explain-acl`: explains which ACL allows or blocks a connection. */
export function explainAclCommand(session: Session): Command {
  return newCommand('explain-acl', session, {
    summary: 'explain which ACL allows or blocks a connection',
    description:
      "Compares a connection with the ACLs of a pod's endpoints in priority order. The first matching ACL applies. If a " +
      'pod has ACLs and none matches, HNS blocks the connection; this HNS default is listed last and is not stored in ' +
      'HCN. Specify addresses and ports as the pod sees them. Exit code: 0 if win-hcn can determine the result, ' +
      'otherwise 1.',
    examples: [
      'win-hcn explain-acl shop/web in 10.9.0.7:80',
      'win-hcn explain-acl 0e12d1d5a8cfb out 10.96.0.10:53/udp',
      'win-hcn explain-acl 0e12d1d5a8cfb out [fd00::7]:443/tcp -o json',
      'win-hcn explain-acl 0e12d1d5a8cfb in 10.9.0.7/icmp',
    ],
  })
    .argument('<pod>', podText)
    .addArgument(
      new Argument('<direction>', 'in: connections to the pod; out: connections from the pod').choices([
        'in',
        'out',
      ]),
    )
    .argument(
      '<remote>',
      'remote address as ADDRESS[:PORT][/PROTOCOL] (default protocol: tcp if there is a port). PORT is the destination port: ' +
        'with in, a port of the pod; with out, a remote port',
    )
    .option(
      '--source-port <port>',
      'source port of the connection, for ACLs that filter by it (default: unknown)',
    )
    .addOption(formatOption())
    .action(async (key: string, direction: 'in' | 'out', text: string, flags: Flags, command: Command) => {
      const { output, sourcePort } = flags;
      const remote = parseDestination(text);
      if (remote === undefined) return command.error(`win-hcn: ${invalidDestination(text)}`);
      if (sourcePort !== undefined && !isPort(sourcePort))
        return command.error(`win-hcn: --source-port ${sourcePort} is not a port from 1 to 65535`);
      if (sourcePort !== undefined && !hasPorts(remote.protocol))
        return command.error(`win-hcn: --source-port requires tcp or udp, not "${text}"`);
      const connection: Connection = {
        direction: direction === 'in' ? 'In' : 'Out',
        remote,
        ...(sourcePort !== undefined && { sourcePort: Number(sourcePort) }),
      };
      const inventory = await readInventory(session);
      const search = findPod(key, inventory);
      if ('problem' in search) return reportNotFound(search, inventory, session);
      const { container, name: pod } = search.found;
      const explanations = search.found.endpoints.map((endpoint) =>
        explainAcl(endpoint, connection, inventory),
      );
      const note = vfpNote(
        explanations.map(({ macAddress }) => macAddress),
        'ACL_ENDPOINT_LAYER',
      );
      const shown = sessionFor(session, output);
      const isKnown = explanations.some(({ action, within }) => action !== undefined || within !== undefined);
      const isUncertain = ({ open, ignored }: AclExplanation) => open !== undefined || ignored.length > 0;
      if (!isKnown || explanations.some(isUncertain)) session.setExitCode(exitCode.problemFound);
      session.print(
        formatted(
          { container, ...(pod !== undefined && { pod }), ...connection, endpoints: explanations, note },
          output,
          ({ endpoints }) =>
            [
              ...endpoints.map((one) => aclText(one, pod, connection, shown)),
              wrapSentences(note, shown.width),
            ].join('\n\n'),
        ),
      );
    });
}

/** An explanation as text: the result, the caveats, then a table of all ACLs. */
function aclText(
  explanation: AclExplanation,
  pod: string | undefined,
  connection: Connection,
  session: Session,
): string {
  const { endpoint, network, lines, ignored, caveats } = explanation;
  const rules = lines.map(({ acl, ...line }) => {
    const { direction: _direction, ...cells } = aclColumns(acl);
    return { ...line, cells };
  });
  return [
    session.style('bold', wrapSentences(resultSentence(explanation, connection.direction), session.width)),
    ...[...ignored, ...caveats].map((caveat) =>
      session.style('yellow', wrapSentences(caveat, session.width)),
    ),
    '',
    wrapSentences(
      `${ownerText(endpoint, pod)} on ${network}, ${formatEnds(explanation, connection)}`,
      session.width,
    ),
    ...(rules.length === 0 ? [] : [ruleTable(rules, session)]),
  ].join('\n');
}

function resultSentence(explanation: AclExplanation, direction: Direction): string {
  const { lacks, within, ignored } = explanation;
  if (lacks !== undefined) return `Not through this endpoint: it has no ${lacks} address.`;
  if (within !== undefined) return within;
  const sentence = decisionSentence(explanation, direction);
  return ignored.length === 0 ? sentence : `By its ACLs alone, ${lowerFirst(sentence)}`;
}

function decisionSentence({ action, open, lines }: AclExplanation, direction: Direction): string {
  const deciding = lines.filter(({ decides }) => decides !== 'no');
  const [first, ...others] = deciding;
  if (first === undefined) return 'Allowed: the endpoint has no ACLs, and HNS blocks nothing by default.';
  const missing = missingInformation(deciding);
  switch (open) {
    case 'equal priority':
      return (
        `Unknown: ${direction} ACLs with ${describePriority(first.acl)} conflict, and HNS does not document which one applies. ` +
        'Give them different priorities.'
      );
    case 'missing information':
      return `Unknown: ${missing}.`;
    case 'rule types':
      return `Unknown: ${direction} ${ruleTypesConflict}. ${ruleTypesHint}`;
    case undefined:
      break;
  }
  const result = action === 'Block' ? 'Blocked' : action === 'Allow' ? 'Allowed' : `${action}`;
  if (others.length > 0) return `${result} by any of the ${deciding.length} ACLs that may apply: ${missing}.`;
  return first.acl.hidden
    ? `${result}: no ${direction} ACL matches. Once an endpoint has an ACL, HNS blocks all traffic without a match.`
    : `${result}: the first matching ${direction} ACL has ${describeAcl(first.acl)}.`;
}

/** `from 10.9.0.7 to 10.244.1.2:80/tcp`, or only the remote end if the endpoint has no address of the family. */
function formatEnds({ addresses }: AclExplanation, { direction, remote, sourcePort }: Connection): string {
  const source = (address: string) => (sourcePort === undefined ? address : formatPort(address, sourcePort));
  const [own] = addresses;
  return direction === 'In'
    ? `from ${source(remote.address)}${own === undefined ? '' : ` to ${formatDestination({ ...remote, address: own })}`}`
    : `${own === undefined ? '' : `from ${source(own)} `}to ${formatDestination(remote)}`;
}
