import { Argument, type Command } from 'commander';
import { readInventory } from '../inventory/read-inventory.ts';
import { newCommand } from '../new-command.ts';
import { dataFormatOption, podText } from '../options.ts';
import { type DataFormat, formatted } from '../output.ts';
import { exitCode, type Session } from '../session.ts';
import { reportNotFound } from '../show/find-by-key.ts';
import { findPod } from '../show/find-subject.ts';
import { hasPorts, invalidDestination, isPort, parseDestination } from '../traffic/destination.ts';
import { vfpNote } from '../traffic/explanation-text.ts';
import { aclText } from './acl-text.ts';
import { type AclExplanation, type Connection, explainAcl } from './explain-acl.ts';

interface Flags {
  readonly output?: DataFormat;
  readonly sourcePort?: string;
}

/** `explain-acl`: explains which ACL allows or blocks a connection. */
export function explainAclCommand(session: Session): Command {
  return newCommand('explain-acl', session, {
    summary: 'explain which ACL allows or blocks a connection',
    description:
      "Compares a connection with the ACLs of a pod's endpoints in priority order. The first match decides. HNS's default, to block, is " +
      'last and not part of any document. Specify addresses and ports as the pod sees them. Exit code: 0 if the result is known, ' +
      'otherwise 1.',
    examples: [
      'win-hcn explain-acl 0e12d1d5a8cfb in 10.9.0.7:80',
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
      'remote address, with an optional destination port (in: a port of the pod; out: a remote port) and protocol (default with a ' +
        'port: tcp)',
    )
    .option('--source-port <port>', 'source port of the connection, for ACLs that filter by it')
    .addOption(dataFormatOption())
    .action((pod: string, direction: 'in' | 'out', remote: string, flags: Flags, command: Command) =>
      explain(pod, direction, remote, flags, command, session),
    );
}

async function explain(
  key: string,
  direction: 'in' | 'out',
  text: string,
  { output, sourcePort }: Flags,
  command: Command,
  session: Session,
): Promise<void> {
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
  if ('problem' in search) return reportNotFound(search.problem, inventory, session);
  const { container } = search.found;
  const explanations = search.found.endpoints.map((endpoint) => explainAcl(endpoint, connection, inventory));
  const note = vfpNote(
    explanations.map(({ macAddress }) => macAddress),
    'ACL_ENDPOINT_LAYER',
  );
  const isKnown = explanations.some(({ action, within }) => action !== undefined || within !== undefined);
  const isUncertain = ({ open, ignored }: AclExplanation) => open !== undefined || ignored.length > 0;
  if (!isKnown || explanations.some(isUncertain)) session.setExitCode(exitCode.problemFound);
  session.print(
    formatted({ container, ...connection, endpoints: explanations, note }, output, ({ endpoints }) =>
      [...endpoints.map((one) => aclText(one, connection, session)), note].join('\n\n'),
    ),
  );
}
