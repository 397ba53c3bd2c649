import { shortMessage } from '../../cni/error.ts';
import { parseAddress } from '../../net/address.ts';
import { dropReasonText } from './drop-reasons.ts';
import { linesOf } from './pktmon.ts';

/** A packet as one component reported it. */
export interface PacketEvent {
  /** The same for all reports of a packet that pktmon can correlate. */
  readonly packet: string;
  readonly component: number;
  /** Why the component dropped the packet, as pktmon prints it; absent if it did not. */
  readonly drop?: string;
  /** The addresses of the packet, of the outermost header first. */
  readonly ends: readonly Ends[];
}

/** Source and destination in a header of a packet. */
export interface Ends {
  /** Canonical. */
  readonly source: string;
  readonly destination: string;
  /** An ARP request or reply. */
  readonly isArp?: true;
}

/** A network component that pktmon observes, such as a driver bound to an adapter. */
export interface Component {
  readonly id: number;
  readonly name: string;
  /** Such as `Miniport`, `Filter`, `Protocol`, `VmsMiniport`. */
  readonly type: string;
  /** The driver's file, such as `vmswitch.sys`. */
  readonly driver: string;
  /** Values by name in lower case. */
  readonly properties: ReadonlyMap<string, readonly string[]>;
}

/** A log of pktmon as text. */
export interface CaptureLog {
  /** In the order of the log, which is the order in time. */
  readonly events: readonly PacketEvent[];
  readonly components: readonly Component[];
}

/**
 * Reads what `pktmon etl2txt` wrote. A packet has a line with the metadata of one report, then lines of a decoded packet
 * as tcpdump prints it. Windows translates most labels but `PktGroupId` and `DropReason`, so values are read by position. The sender of a
 * packet chooses what its lines contain: no expression here takes more than linear time.
 */
export function parseLog(text: string): CaptureLog {
  const events: PacketEvent[] = [];
  const components = new Map<number, Component>();
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
    else if (!metadata.includes('PktGroupId')) readComponent(metadata, components);
  }
  return { events, components: [...components.values()] };
}

/** The part of a line after its time and provider; undefined for a line of a decoded packet. */
function metadataIn(line: string): string | undefined {
  const [provided] = /^\[\d+\][0-9A-F]+\.[0-9A-F]+::[^[]*\[[^\]]*\]/i.exec(line) ?? [];
  return provided === undefined ? undefined : line.slice(provided.length).trim();
}

/** `ends` receives the addresses of the lines that follow. */
function readEvent(metadata: string, ends: readonly Ends[]): PacketEvent | undefined {
  const [start = '', group] = /PktGroupId (\d+), /.exec(metadata) ?? [];
  const rest = metadata.slice(metadata.indexOf(start) + start.length);
  const [number, , , , component] = rest.split(',').map(lastWord);
  if (group === undefined || !/^\d+$/.test(component ?? '')) return undefined;
  const reason = reasonIn(rest);
  return {
    packet: `${group}.${number}`,
    component: Number(component),
    ...(reason !== undefined && { drop: dropReasonText(reason) }),
    ends,
  };
}

function reasonIn(rest: string): string | undefined {
  const label = 'DropReason ';
  const start = rest.indexOf(label);
  const reason = rest.slice(start + label.length);
  const end = reason.search(/,\s*(?:DropLocation|OriginalSize) /);
  return start < 0 || end < 0 ? undefined : shortMessage(reason.slice(0, end).trim(), 200);
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
