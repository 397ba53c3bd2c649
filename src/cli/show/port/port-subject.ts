import type { Inventory } from '../../../model/inventory.ts';
import type { Fact } from '../../terminal/powershell.ts';
import type { Session } from '../../terminal/session.ts';
import { rowsTable } from '../../terminal/table.ts';
import { wrapSentences } from '../../terminal/wrap.ts';
import type { NodePorts } from './node-ports.ts';
import {
  holdersInHcn,
  holdersOnNode,
  type PortHolder,
  type PortProtocol,
  type WantedPort,
} from './port-holders.ts';

/** What uses a port of the node. */
export interface PortSubject {
  readonly kind: 'port';
  readonly port: number;
  /** The outcome for each protocol. */
  readonly verdicts: readonly PortVerdict[];
  readonly holders: readonly PortHolder[];
  /** What could not be checked, and why. */
  readonly unchecked: readonly string[];
}

export interface PortVerdict {
  readonly protocol: PortProtocol;
  readonly held: 'yes' | 'no' | 'unknown';
  /** In one sentence. */
  readonly text: string;
}

/** Finds what uses a port of the node: objects of HCN, and what Windows reports. */
export function findPort(wanted: WantedPort, inventory: Inventory, node: Fact<NodePorts>): PortSubject {
  const holders = [
    ...holdersInHcn(wanted, inventory),
    ...('value' in node ? holdersOnNode(wanted, node.value) : []),
  ];
  const unchecked = uncheckedIn(inventory, node);
  return {
    kind: 'port',
    port: wanted.port,
    verdicts: wanted.protocols.map((protocol) => verdictOn(protocol, wanted.port, holders, unchecked)),
    holders,
    unchecked,
  };
}

function uncheckedIn({ unreadable = [] }: Inventory, node: Fact<NodePorts>): readonly string[] {
  return [
    ...(unreadable.length === 0 ? [] : ['objects that HCN does not return']),
    ...('error' in node ? [`processes, NetNat and excluded port ranges (${node.error})`] : []),
    ...('value' in node && !node.value.hasMappings ? ['NetNat (Get-NetNatStaticMapping failed)'] : []),
  ];
}

function verdictOn(
  protocol: PortProtocol,
  port: number,
  holders: readonly PortHolder[],
  unchecked: readonly string[],
): PortVerdict {
  const own = holders.filter((holder) => holder.protocol === protocol);
  const onAny = own.flatMap(({ name, address }) => (address === 'any' ? name : []));
  const onOne = own.flatMap(({ name, address }) => (address === 'any' ? [] : `${name} on ${address}`));
  const names = [...new Set([...onAny, ...onOne])];
  const scope = onAny.length === 0 ? 'on single addresses only, ' : '';
  if (names.length > 0)
    return {
      protocol,
      held: 'yes',
      text: `Host port ${port}/${protocol} is used ${scope}by ${listed(names)}.`,
    };
  if (unchecked.length === 0) return { protocol, held: 'no', text: `Host port ${port}/${protocol} is free.` };
  return {
    protocol,
    held: 'unknown',
    text: `Host port ${port}/${protocol} may be free: no holder was found, but not everything could be checked.`,
  };
}

/** The most holders that a sentence names. */
const most = 3;

/** `a`, `a and b`, `a, b and 5 others` */
function listed(texts: readonly string[]): string {
  const shown =
    texts.length > most ? [...texts.slice(0, most - 1), `${texts.length - most + 1} others`] : texts;
  return shown.length < 2 ? shown.join() : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/** What uses a port as text: a sentence for each protocol, then a table. */
export function portText({ verdicts, holders, unchecked }: PortSubject, session: Session): string {
  const rows = holders.map(({ protocol, address, name, use }) => ({ protocol, address, holder: name, use }));
  return [
    ...verdicts.map(({ held, text }) =>
      session.style(held === 'yes' ? 'yellow' : 'bold', wrapSentences(text, session.width)),
    ),
    ...(unchecked.length === 0
      ? []
      : [wrapSentences(`Not checked: ${unchecked.join('; ')}.`, session.width)]),
    ...(rows.length === 0 ? [] : ['', rowsTable(rows, session, { prose: ['holder', 'use'] })]),
  ].join('\n');
}
