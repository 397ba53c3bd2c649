import type { Command } from 'commander';
import { addressesIn } from '../../hcn/documents.ts';
import type { Inventory } from '../../model/inventory.ts';
import { isRemote } from '../../model/ownership.ts';
import { families, familyOf, formatPort, parseAddress } from '../../net/address.ts';
import { endpointRow } from '../inventory/endpoint-row.ts';
import { reportNotFound, type Search } from '../inventory/resolve-object.ts';
import { findPod } from '../show/find-container.ts';
import { newCommand } from '../terminal/new-command.ts';
import { type FormatFlags, formatOption, podText } from '../terminal/options.ts';
import { formatted } from '../terminal/output.ts';
import { exitCode, type Session, sessionFor } from '../terminal/session.ts';
import { wrapSentences } from '../terminal/wrap.ts';
import {
  type Destination,
  formatDestination,
  invalidDestination,
  parseDestination,
} from '../traffic/destination.ts';
import { adapterWith, localEndpoint, managementAddress } from '../traffic/node-state.ts';
import { addressesOfSender, type ReadNode, readNodeState, type Sender } from './predict-path.ts';
import { type Trace, traceFrom, traceText } from './trace.ts';

/** The word for the node itself, as the source or the destination of traffic. A pod of this name needs its namespace. */
const nodeWord = 'node';

/** Describes an argument that is a destination. */
export const destinationText =
  `destination: ADDRESS[:PORT][/PROTOCOL], a pod of this node, or ${nodeWord} for this node, both with an optional :PORT[/PROTOCOL] (default protocol: ` +
  'tcp if there is a port)';

/** `trace`: predicts the path of a packet through this node. */
export function traceCommand(session: Session): Command {
  return newCommand('trace', session, {
    summary: 'predict the path of a packet, hop by hop',
    description:
      'Predicts the path of the first packet of a connection through this node: the pod, its port of the virtual switch (ACLs, load ' +
      'balancers, OutBoundNAT), its network, the IP stack of the node, and the adapter. Shows which rule decides at each hop, which ' +
      'address and next hop the packet gets, and where it is lost; there, and with -o wide at every hop, all rules and why the others do not ' +
      'decide. If HNS does not document what happens, the outcome is unknown. If the packet leaves the node, trace shows what the next node ' +
      'needs. trace sends no packets, and reads no rules of the virtual switch (VFP), which may differ. Exit code: 1 if the packet or its reply is lost, or if that is unknown.',
    examples: [
      'win-hcn trace shop/web 10.244.2.7:80',
      'win-hcn trace shop/web 10.96.0.10:53/udp',
      'win-hcn trace shop/web shop/api:8080 -o wide',
      'win-hcn trace shop/web node -o json',
      'win-hcn trace node shop/web:80',
      'win-hcn trace 10.244.2.7 shop/web:80',
    ],
  })
    .argument('<pod>', `sender: ${podText}; ${nodeWord} for this node; or the address of a sender elsewhere`)
    .argument('<dest>', destinationText)
    .addOption(formatOption())
    .action(async (key: string, text: string, { output }: FormatFlags, command: Command) => {
      const read = await readNodeState(session);
      const { inventory } = read.node;
      const search = findSenders(key, read);
      if ('problem' in search) return reportNotFound(search, inventory, session);
      const { senders, ...names } = search.found;
      const target = findTarget(text, nodeAddresses(senders, read), inventory);
      if (target === undefined) return command.error(`win-hcn: ${invalidDestination(text)}`);
      if ('problem' in target) return reportNotFound(target, inventory, session);
      const traces = tracesOf(senders, target.found, read);
      const problem = traces.find(isProblem);
      const unread = traces.some(({ outcome }) => outcome === 'unknown') ? read.unread : [];
      if (problem !== undefined) session.setExitCode(exitCode.problemFound);
      const shown = sessionFor(session, output);
      const see =
        problem?.endpoint &&
        `see: win-hcn capture ${parseAddress(key) === undefined ? key : (names.container ?? key)} ${formatDestination(problem.destination)}`;
      session.print(
        formatted({ ...names, traces, ...(unread.length > 0 && { unread }) }, output, () =>
          [
            ...traces.map((one) => traceText(one, names.pod, output === 'wide', shown)),
            ...unread.map(({ part, error }) =>
              wrapSentences(`The ${part} of the node could not be read: ${error}`, shown.width),
            ),
            ...(see === undefined ? [] : [see]),
          ].join('\n\n'),
        ),
      );
    });
}

function isProblem({ outcome }: Trace): boolean {
  return outcome === 'lost' || outcome === 'unknown';
}

interface Senders {
  /** Absent if the sender is no pod, or not known. */
  readonly container?: string;
  /** The name of the pod; absent if unknown. */
  readonly pod?: string;
  /** At least one. */
  readonly senders: readonly Sender[];
}

/** Finds a pod by its key or address, this node by its name or address, otherwise a sender elsewhere by its address. */
function findSenders(key: string, { node }: ReadNode): Search<Senders> {
  const address = parseAddress(key);
  const own = address === undefined ? undefined : localEndpoint(node, address);
  const isNode =
    key.toLowerCase() === nodeWord || (address !== undefined && adapterWith(node, address) !== undefined);
  if (isNode && own === undefined) return { found: { senders: [{ is: 'node' }] } };
  if (address !== undefined && own === undefined)
    return { found: { senders: [{ is: 'elsewhere', address }] } };
  const container = own && endpointRow(own, node.inventory).container;
  if (own !== undefined && container === undefined)
    return { found: { senders: [{ is: 'pod', endpoint: own }] } };
  const search = findPod(container ?? key, node.inventory);
  if ('problem' in search) return search;
  const { container: id, name: pod, endpoints } = search.found;
  const senders = (own === undefined ? endpoints : [own]).map(
    (endpoint) => ({ is: 'pod', endpoint }) as const,
  );
  return { found: { container: id, ...(pod !== undefined && { pod }), senders } };
}

/** The addresses of the node on the networks of the sending pod; on all networks for other senders. */
export function nodeAddresses(senders: readonly Sender[], { node }: ReadNode): readonly string[] {
  const ids = senders.flatMap((sender) => (sender.is === 'pod' ? sender.endpoint.HostComputeNetwork : []));
  const networks = node.inventory.networks.filter(({ ID }) => ids.length === 0 || ids.includes(ID));
  const found = networks.flatMap((network) =>
    families.flatMap((family) => managementAddress(node, network, family) ?? []),
  );
  return [...new Set(found)];
}

/** One trace for each sender and each destination of a family that it has; at least one for each sender. */
function tracesOf(senders: readonly Sender[], destinations: readonly Destination[], read: ReadNode) {
  return senders.flatMap((sender) => {
    const own = addressesOfSender(sender);
    const possible = destinations.filter(
      ({ address }) => own === undefined || own.some((one) => familyOf(one) === familyOf(address)),
    );
    const chosen = possible.length > 0 ? possible : destinations.slice(0, 1);
    return chosen.map((one) => traceFrom(sender, one, read));
  });
}

/**
 * Finds the destinations that a text names, at least one: an address, this node, or a pod of this node. Undefined if its port or protocol is
 * invalid.
 */
export function findTarget(
  text: string,
  nodeAddresses: readonly string[],
  inventory: Inventory,
): Search<readonly Destination[]> | undefined {
  const destination = parseDestination(text);
  if (destination !== undefined) return { found: [destination] };
  const [, key = text, port, protocol = ''] = /^(.+):(\d+)(\/\w+)?$/.exec(text) ?? [];
  const at = (addresses: readonly string[], problem: string): Search<readonly Destination[]> | undefined => {
    const found = addresses.flatMap(
      (one) => parseDestination(port === undefined ? one : `${formatPort(one, port)}${protocol}`) ?? [],
    );
    if (found.length > 0) return { found };
    return addresses.length === 0 ? { problem, fix: useAddress } : undefined;
  };
  if (key.toLowerCase() === nodeWord)
    return at(nodeAddresses, "the node's address on the pod's network is unknown");
  const search = findPod(key, inventory);
  if ('problem' in search) return search.isAmbiguous ? search : { ...search, fix: search.fix ?? useAddress };
  const { container, name, endpoints } = search.found;
  const pod = name === undefined ? `container ${container}` : `pod ${name}`;
  return at(endpoints.filter((one) => !isRemote(one)).flatMap(addressesIn), `${pod} has no address`);
}

const useAddress =
  'Pods of other nodes and services need their address: kubectl get pods,services --all-namespaces -o wide';
