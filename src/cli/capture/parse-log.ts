import { shortMessage } from '../../cni/short-message.ts';
import { parseAddress } from '../../net/address.ts';
import type { Component } from './component.ts';
import { dropReasonText } from './drop-reasons.ts';
import { linesOf } from './lines.ts';

/** A packet as one component reported it. */
export interface PacketEvent {
  /** The same for all reports of a packet that pktmon can correlate. */
  readonly packet: string;
  readonly component: number;
  readonly direction: Direction;
  /** Absent if the component did not drop the packet. */
  readonly drop?: Drop;
  /** The addresses of the packet, of the outermost header first. */
  readonly ends: readonly Ends[];
}

/** In or out of the component's adapter, switch or protocol. */
export type Direction = 'in' | 'out' | 'unknown';

export interface Drop {
  /** As pktmon prints it. */
  readonly reason: string;
  /** A number in hexadecimal. */
  readonly location?: string;
}

export interface Ends {
  /** Canonical. */
  readonly source: string;
  readonly destination: string;
  /** An ARP request or reply. */
  readonly isArp?: true;
}

export interface CaptureLog {
  /** In the order of the log, which is the order in time. */
  readonly events: readonly PacketEvent[];
  readonly components: readonly Component[];
  /** Lines of packets that have an unknown form. */
  readonly unreadable: number;
}

/** https://learn.microsoft.com/windows/win32/pktmon/packetmonitor/nf-packetmonitor-packetmonitorcreaterealtimestream: PKTMON_DIRECTION_TAG */
const directions: Readonly<Record<string, Direction>> = {
  In: 'in',
  Rx: 'in',
  Ingress: 'in',
  Out: 'out',
  Tx: 'out',
  Egress: 'out',
};

/**
 * Reads what `pktmon etl2txt` or `pktmon format` wrote. A packet has a line with the metadata of one report, then lines of a decoded packet
 * as tcpdump prints it. Windows translates most labels but `PktGroupId` and `DropReason`, so values are read by position. The sender of a
 * packet chooses what its lines contain: no expression here takes more than linear time.
 */
export function parseLog(text: string): CaptureLog {
  const events: PacketEvent[] = [];
  const components = new Map<number, Component>();
  let unreadable = 0;
  let decoded: Ends[] = [];
  for (const line of linesOf(text)) {
    const metadata = metadataIn(line);
    if (metadata === undefined) {
      decoded.push(...endsIn(line));
      continue;
    }
    decoded = [];
    const event = readEvent(metadata, decoded);
    if (event !== undefined) events.push(event);
    else if (metadata.includes('PktGroupId')) unreadable += 1;
    else readComponent(metadata, components);
  }
  return { events, components: [...components.values()], unreadable };
}

/** The part of a line after its time and provider; undefined for a line of a decoded packet. */
function metadataIn(line: string): string | undefined {
  const [provided] = /^\[\d+\][0-9A-F]+\.[0-9A-F]+::[^[]*\[[^\]]*\]/i.exec(line) ?? [];
  if (provided !== undefined) return line.slice(provided.length).trim();
  const [time = ''] = /^\S+/.exec(line) ?? [];
  return /\d\d:\d\d:\d\d/.test(time) && line.includes('PktGroupId ')
    ? line.slice(time.length).trim()
    : undefined;
}

/** `ends` receives the addresses of the lines that follow. */
function readEvent(metadata: string, ends: readonly Ends[]): PacketEvent | undefined {
  const [start = '', group] = /PktGroupId (\d+), /.exec(metadata) ?? [];
  const rest = metadata.slice(metadata.indexOf(start) + start.length);
  const [number, , direction, , component] = rest.split(',').map(lastWord);
  if (group === undefined || !/^\d+$/.test(component ?? '')) return undefined;
  const reason = reasonIn(rest);
  const [, location] = /DropLocation (0x[0-9A-F]+)/i.exec(rest) ?? [];
  return {
    packet: `${group}.${number}`,
    component: Number(component),
    direction: directions[direction ?? ''] ?? 'unknown',
    ...(reason !== undefined && {
      drop: { reason: dropReasonText(reason), ...(location !== undefined && { location }) },
    }),
    ends,
  };
}

/** Bytes of a reason that are shown. */
const mostReason = 200;

function reasonIn(rest: string): string | undefined {
  const label = 'DropReason ';
  const start = rest.indexOf(label);
  const reason = rest.slice(start + label.length);
  const end = reason.search(/,\s*(?:DropLocation|OriginalSize) /);
  return start < 0 || end < 0 ? undefined : shortMessage(reason.slice(0, end).trim(), mostReason);
}

function lastWord(field: string): string {
  return field.trim().split(/\s+/).at(-1) ?? '';
}

/** The addresses in a line of a decoded packet, such as `10.244.1.2.50037 > 10.96.0.10.80: Flags [S]`. */
function endsIn(line: string): readonly Ends[] {
  const words = line.split(/\s/);
  const found = words.flatMap((word, index): readonly Ends[] => {
    const [from, to] = [words[index - 1], words[index + 1]];
    if (word !== '>' || from === undefined || to?.endsWith(':') !== true) return [];
    const [source, destination] = [addressIn(from), addressIn(to.slice(0, -1))];
    return source === undefined || destination === undefined ? [] : [{ source, destination }];
  });
  const whoHas = words.indexOf('who-has');
  if (whoHas < 0) return found;
  const tell = words[words.indexOf('tell', whoHas) + 1] ?? '';
  const [source, destination] = [
    parseAddress(tell.replace(/[.,:]$/, '')),
    parseAddress(words[whoHas + 1] ?? ''),
  ];
  if (source === undefined || destination === undefined) return found;
  return [...found, { source, destination, isArp: true }];
}

/** An address with or without a port after a dot. */
function addressIn(text: string): string | undefined {
  return parseAddress(text) ?? parseAddress(text.replace(/\.\d+$/, ''));
}

/**
 * Reads `Component 134, Type VmsMiniport , Name vmswitch.sys, cbr0_ep` and `Property: Component 134, PhysAddress  = 0x00155DC5E288` at the
 * end of a log.
 */
function readComponent(metadata: string, components: Map<number, Component>): void {
  const [head = '', ...fields] = metadata.split(', ');
  const [id] = /(?<!\d)\d+$/.exec(head) ?? [];
  if (id === undefined) return;
  const known = components.get(Number(id));
  const [name = '', value, ...others] = fields.join(', ').split(' = ');
  if (known !== undefined && value !== undefined && others.length === 0) {
    const key = name.trim().toLowerCase();
    const values = known.properties.get(key) ?? [];
    const properties = new Map(known.properties).set(key, [...values, value.trim()]);
    components.set(known.id, { ...known, properties });
    return;
  }
  const [typed = '', named = '', ...rest] = fields;
  const [, type] = /^\S+ (\S+) *$/.exec(typed) ?? [];
  const [, driver] = /^\S+ ([\w-]+\.\w+)$/.exec(named) ?? [];
  const description = rest.join(', ').trim();
  if (type === undefined || driver === undefined || description === '' || /[:=]/.test(head)) return;
  components.set(Number(id), {
    id: Number(id),
    name: description,
    type,
    driver,
    properties: new Map(),
  });
}
