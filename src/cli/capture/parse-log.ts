import { parseAddress } from '../../net/address.ts';
import type { Component } from './component.ts';
import { dropReasonText } from './drop-reasons.ts';

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
 * as tcpdump prints it. Windows translates most labels but `PktGroupId` and `DropReason`, so values are read by position.
 */
export function parseLog(text: string): CaptureLog {
  const events: PacketEvent[] = [];
  const components = new Map<number, Component>();
  let unreadable = 0;
  let decoded: Ends[] = [];
  for (const line of text.split(/\r?\n/)) {
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
  const [, event] = /^\[\d+\][0-9A-F]+\.[0-9A-F]+::.*?\[[^\]]*\]\s*(.*)$/i.exec(line) ?? [];
  if (event !== undefined) return event;
  return /^\S*\d\d:\d\d:\d\d\S*\s+(.*PktGroupId .*)$/.exec(line)?.[1];
}

/** `ends` receives the addresses of the lines that follow. */
function readEvent(metadata: string, ends: readonly Ends[]): PacketEvent | undefined {
  const [, group, rest = ''] = /PktGroupId (\d+), (.*)$/.exec(metadata) ?? [];
  const [number, , direction, , component] = rest.split(',').map(lastWord);
  if (group === undefined || !/^\d+$/.test(component ?? '')) return undefined;
  const [, reason] = /DropReason (.*?)\s*,\s*(?:DropLocation|OriginalSize) /.exec(rest) ?? [];
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

function lastWord(field: string): string {
  return field.trim().split(/\s+/).at(-1) ?? '';
}

/** The addresses in a line of a decoded packet, such as `10.244.1.2.50037 > 10.96.0.10.80: Flags [S]`. */
function endsIn(line: string): readonly Ends[] {
  const found: Ends[] = [];
  for (const [, from = '', to = ''] of line.matchAll(/([0-9A-Fa-f.:]+) > ([0-9A-Fa-f.:]+):(?= |$)/g)) {
    const [source, destination] = [addressIn(from), addressIn(to)];
    if (source !== undefined && destination !== undefined) found.push({ source, destination });
  }
  const [, who = '', tell = ''] =
    /who-has ([0-9A-Fa-f.:]+)(?: \([^)]*\))? tell ([0-9A-Fa-f.:]+)/.exec(line) ?? [];
  const [asker, asked] = [parseAddress(tell.replace(/[.,:]$/, '')), parseAddress(who)];
  if (asker !== undefined && asked !== undefined)
    found.push({ source: asker, destination: asked, isArp: true });
  return found;
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
  const [, id, name, value] = /^[^,]*?(\d+), ([^,=]+?)\s+= ([^=]*?)\s*$/.exec(metadata) ?? [];
  const known = components.get(Number(id));
  if (known !== undefined && name !== undefined && value !== undefined) {
    const values = known.properties.get(name.toLowerCase()) ?? [];
    const properties = new Map(known.properties).set(name.toLowerCase(), [...values, value]);
    components.set(known.id, { ...known, properties });
    return;
  }
  const [, number, type, driver, description] =
    /^[^,:=]*?(\d+), \S+ (\S+) *, \S+ ([\w-]+\.\w+), ([^=]+?)\s*$/.exec(metadata) ?? [];
  if (number === undefined || type === undefined || driver === undefined || description === undefined) return;
  components.set(Number(number), {
    id: Number(number),
    name: description,
    type,
    driver,
    properties: new Map(),
  });
}
