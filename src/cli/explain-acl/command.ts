import { Argument, type Command } from 'commander';
import { lookTelling } from '../inventory/look-telling.ts';
import { newCommand } from '../new-command.ts';
import { dataFormatOption } from '../options.ts';
import { type DataFormat, formatted } from '../output.ts';
import { exitCode, type Session } from '../session.ts';
import { findPod } from '../show/find-pod.ts';
import { notFound } from '../show/not-found.ts';
import { expectedDestination, hasPorts, isPort, parseDestination } from '../traffic/destination.ts';
import { vfpNote } from '../traffic/vfp-note.ts';
import { aclText } from './acl-text.ts';
import { type AclExplanation, type Connection, explainAcl } from './explain-acl.ts';

interface Flags {
  readonly output?: DataFormat;
  readonly sourcePort?: string;
}

/** `explain-acl`: which access rule decides over a connection. */
export function explainAclCommand(session: Session): Command {
  return newCommand('explain-acl', session, {
    summary: 'which ACL of a pod decides over a connection, and why the others do not',
    description:
      "Says which ACL of a pod's endpoint allows or blocks a connection: the first that matches, in the order of priorities, and in the end " +
      "HNS's own block, which no document shows. Addresses and ports are those that the pod sees. Ends with 0 when it can tell, whatever the answer is, and with 1 when it cannot.",
    examples: [
      'win-hcn explain-acl 0e12d1d5a8cfb in 10.9.0.7:80',
      'win-hcn explain-acl 0e12d1d5a8cfb out 10.96.0.10:53/udp',
      'win-hcn explain-acl 0e12d1d5a8cfb out [fd00::7]:443/tcp -o json',
      'win-hcn explain-acl 0e12d1d5a8cfb in 10.9.0.7/icmp',
    ],
  })
    .argument('<pod>', "the id of the pod's container or the beginning of it, as for win-hcn show pod")
    .addArgument(
      new Argument('<direction>', 'who connects: in, somebody to the pod; out, the pod to somebody').choices([
        'in',
        'out',
      ]),
    )
    .argument(
      '<remote>',
      "the other party's address, with the port that is connected to (in: the pod's; out: the other party's) and the protocol, " +
        'which with a port is tcp unless it is said',
    )
    .option('--source-port <port>', 'the port that the connection comes from, where an ACL is about it')
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
  if (remote === undefined) return command.error(`win-hcn: ${expectedDestination(text)}`);
  if (sourcePort !== undefined && !isPort(sourcePort))
    return command.error(`win-hcn: --source-port ${sourcePort} is no port from 1 to 65535`);
  if (sourcePort !== undefined && !hasPorts(remote.protocol))
    return command.error(`win-hcn: --source-port is for tcp and udp, and "${text}" is neither`);
  const connection: Connection = {
    direction: direction === 'in' ? 'In' : 'Out',
    remote,
    ...(sourcePort !== undefined && { sourcePort: Number(sourcePort) }),
  };
  const inventory = await lookTelling(session);
  const search = findPod(key, inventory);
  if ('problem' in search) return notFound(search.problem, inventory, session);
  const { container } = search.found;
  const explanations = search.found.endpoints.map((endpoint) => explainAcl(endpoint, connection, inventory));
  const note = vfpNote(
    explanations.map(({ macAddress }) => macAddress),
    'ACL_ENDPOINT_LAYER',
  );
  const isTold = explanations.some(({ action, within }) => action !== undefined || within !== undefined);
  const isOpen = ({ open, ignored }: AclExplanation) => open !== undefined || ignored.length > 0;
  if (!isTold || explanations.some(isOpen)) session.setExitCode(exitCode.problemFound);
  session.print(
    formatted({ container, ...connection, endpoints: explanations, note }, output, ({ endpoints }) =>
      [...endpoints.map((one) => aclText(one, connection, session)), note].join('\n\n'),
    ),
  );
}
