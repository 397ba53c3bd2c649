import type { Command } from 'commander';
import { limitsOf, newLimit } from '../../hcn/deadline.ts';
import { aroundIpHelperCalls, ipHelperWithin } from '../../iphlpapi/around-calls.ts';
import type { System } from '../../system.ts';
import { lookTelling } from '../inventory/look-telling.ts';
import { newCommand } from '../new-command.ts';
import { dataFormatOption } from '../options.ts';
import { type DataFormat, formatted } from '../output.ts';
import { exitCode, type Session } from '../session.ts';
import { findPod } from '../show/find-pod.ts';
import { notFound } from '../show/not-found.ts';
import { expectedDestination, formatDestination, parseDestination } from '../traffic/destination.ts';
import { vfpNote } from '../traffic/vfp-note.ts';
import { explainNat } from './explain-nat.ts';
import { natText } from './nat-text.ts';

interface Flags {
  readonly output?: DataFormat;
}

/** `explain-nat`: what becomes of what a pod sends, and which line of which policy decides. */
export function explainNatCommand(session: Session): Command {
  return newCommand('explain-nat', session, {
    summary: 'whether what a pod sends gets another address or goes another way, and which line decides',
    description:
      'Says what HNS was told to do with what a pod sends: a load balancer that catches it, an exception of OutBoundNAT or a translation, ' +
      'an SDN route or a proxy. Policies are numbered as HCN lists them, exceptions are compared with the destination as given. Ends ' +
      'with 0 when it can tell, whatever the answer is, and with 1 when it cannot.',
    examples: [
      'win-hcn explain-nat 0e12d1d5a8cfb 10.96.0.10:53/udp',
      'win-hcn explain-nat 0e12d1d5a8cfb 8.8.8.8',
      'win-hcn explain-nat 0e12d1d5a8cfb [fd00::7]:443 -o json',
    ],
  })
    .argument('<pod>', "the id of the pod's container or the beginning of it, as for win-hcn show pod")
    .argument(
      '<destination>',
      'an address, with a port and a protocol where they matter; with a port it is tcp unless it is said',
    )
    .addOption(dataFormatOption())
    .action((pod: string, destination: string, { output }: Flags, command: Command) =>
      explain(pod, destination, output, command, session),
    );
}

async function explain(
  key: string,
  text: string,
  output: DataFormat | undefined,
  command: Command,
  session: Session,
): Promise<void> {
  const destination = parseDestination(text);
  if (destination === undefined) return command.error(`win-hcn: ${expectedDestination(text)}`);
  const inventory = await lookTelling(session);
  const search = findPod(key, inventory);
  if ('problem' in search) return notFound(search.problem, inventory, session);
  const { container } = search.found;
  const node = await readNodeAddresses(session.system);
  const explanations = search.found.endpoints.map((endpoint) =>
    explainNat(endpoint, destination, inventory, node),
  );
  const macAddresses = explanations.map(({ macAddress }) => macAddress);
  const acls = `Whether ACLs let it out: win-hcn explain-acl ${key} out ${formatDestination(destination)}`;
  const isSent = explanations.some(({ lines }) => lines.length > 0);
  const note = [vfpNote(macAddresses), ...(isSent ? [acls] : [])].join('\n');
  if (explanations.some(({ open }) => open)) session.setExitCode(exitCode.problemFound);
  session.print(
    formatted({ container, destination, endpoints: explanations, note }, output, ({ endpoints }) =>
      [...endpoints.map((one) => natText(one, destination, session)), note].join('\n\n'),
    ),
  );
}

/** Time limit of the call. */
const seconds = 10;

/** The addresses that this node's network adapters have; undefined where Windows does not tell. */
async function readNodeAddresses({
  loadIpHelper,
  timer,
  now,
}: System): Promise<readonly string[] | undefined> {
  const limit = newLimit(limitsOf(seconds), timer, now);
  const ipHelper = aroundIpHelperCalls(loadIpHelper, ipHelperWithin(limit));
  try {
    const adapters = await ipHelper.readAdapters();
    return adapters.flatMap(({ addresses }) => addresses.map(({ address }) => address));
  } catch {
    return undefined;
  }
}
