import { type Command, Option } from 'commander';
import { familyOf } from '../../net/address.ts';
import { foundIn } from '../inventory/resolve-object.ts';
import { checkNewFile } from '../terminal/files.ts';
import { newCommand } from '../terminal/new-command.ts';
import { type FormatFlags, formatOption, podText, secondsParser } from '../terminal/options.ts';
import { serialized } from '../terminal/output.ts';
import { exitCode, type Session, sessionFor } from '../terminal/session.ts';
import { type Destination, invalidDestination } from '../traffic/destination.ts';
import { findSenders, findTarget, nodeWord } from './ends.ts';
import { isDropped, observationText, observe } from './live.ts';
import { addressesOfSender, type ReadNode, readNodeState, type Sender } from './predict-path.ts';
import { type Trace, traceFrom, traceMembers, traceText } from './trace.ts';

interface Flags extends FormatFlags {
  readonly live?: number;
  readonly file?: string;
  readonly force?: boolean;
}

const description =
  'Predicts the path of the first packet of a connection through this node, and of the reply: which rule decides at each hop, which ' +
  'address and next hop the packet gets, and where it is lost; -o wide shows all paths. It is unknown where HNS is undocumented. trace ' +
  'sends no packets and reads no rules of the virtual switch (VFP), which may differ. --live also records packets between both ends ' +
  'with pktmon.exe, and shows where and why they are dropped: send the traffic during that time. It refuses if pktmon is in use, and ' +
  'requires an administrator and Windows Server 2022 or later. The exit code is 1 if a packet is lost, if that is unknown, or if none was seen.';

/** `trace`: predicts the path of a packet through this node, and records it. */
export function traceCommand(session: Session): Command {
  return newCommand('trace', session, {
    summary: 'predict the path of a packet, or record its drops',
    description,
    examples: [
      'win-hcn trace shop/web 10.244.2.7:80',
      'win-hcn trace shop/web 10.96.0.10:53/udp',
      'win-hcn trace node shop/web:80 -o wide',
      'win-hcn trace 10.244.2.7 shop/web:80',
      'win-hcn trace shop/web 8.8.8.8 --live 30 --file C:\\temp\\web.pcapng',
    ],
  })
    .argument('<pod>', `sender: ${podText}; ${nodeWord} for this node; or the address of a sender elsewhere`)
    .argument(
      '<dest>',
      'destination: an address or a pod of this node, with :PORT for TCP, :PORT/udp for UDP, otherwise ICMP',
    )
    .addOption(
      new Option('--live <seconds>', 'also record the packets, for 1 to 3600 seconds').argParser(
        secondsParser(),
      ),
    )
    .addOption(new Option('--file <file>', 'pcapng file for the recorded packets; requires --live'))
    .addOption(formatOption())
    .option('--force', 'replace an existing file')
    .action(async (key: string, text: string, flags: Flags, command: Command) => {
      const { file, live, output, force = false } = flags;
      if (file !== undefined && live === undefined) return command.error('win-hcn: --file requires --live');
      const problem = file === undefined ? undefined : checkNewFile(file, force, session.terminal);
      if (problem !== undefined) return command.error(`win-hcn: ${problem}`);
      const read = await readNodeState(session);
      const { node } = read;
      const { senders, ...names } = foundIn(findSenders(key, node));
      const target = findTarget(text, node.inventory);
      if (target === undefined) return command.error(`win-hcn: ${invalidDestination(text)}`);
      const traces = tracesOf(senders, foundIn(target), read);
      const observed =
        live === undefined ? undefined : await observe(traces, live, file, node.inventory, session);
      const lost = traces.filter(({ outcome }) => outcome === 'lost' || outcome === 'unknown');
      // A record shows no more if an endpoint or backend is missing.
      const isOpen = lost.some(({ paths: [worst] }) => !worst?.hops.at(-1)?.did.startsWith('finds no '));
      if (lost.length > 0 || (observed !== undefined && isDropped(observed)))
        session.setExitCode(exitCode.problemFound);
      const shown = sessionFor(session, output);
      session.print(
        serialized(
          { ...names, traces: traces.map(traceMembers), ...(observed && { live: observed }) },
          output,
        ) ??
          [
            ...traces.map((one) => traceText(one, names.pod, output === 'wide', shown)),
            ...(observed === undefined ? [] : [observationText(observed, shown)]),
            ...(isOpen && observed === undefined ? [`see: win-hcn trace ${key} ${text} --live 10`] : []),
          ].join('\n\n'),
      );
    });
}

/** One trace for each sender and each destination of a family that it has; at least one for each sender. */
function tracesOf(
  senders: readonly Sender[],
  destinations: readonly Destination[],
  read: ReadNode,
): readonly Trace[] {
  return senders.flatMap((sender) => {
    const own = addressesOfSender(sender);
    const possible = destinations.filter(
      ({ address }) => own === undefined || own.some((one) => familyOf(one) === familyOf(address)),
    );
    const chosen = possible.length > 0 ? possible : destinations.slice(0, 1);
    return chosen.map((one) => traceFrom(sender, one, read));
  });
}
