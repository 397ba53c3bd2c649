import { shortMessage } from '../../cni/error.ts';
import { parseAddress } from '../../net/address.ts';
import { linesOf } from './pktmon.ts';

/** A packet as one component reported it. */
export type PacketEvent = NonNullable<ReturnType<typeof readEvent>>;

/** A network component that pktmon observes, such as a driver bound to an adapter. */
export interface Component {
  readonly name: string;
  /** The driver's file, such as `vmswitch.sys`. */
  readonly driver: string;
  /** In HCN's form; absent if it has none. */
  readonly mac?: string;
}

/** A log of pktmon: its events in the order of time, and its components by their number. */
export type CaptureLog = ReturnType<typeof parseLog>;

/**
 * Reads what `pktmon etl2txt` wrote. A packet has a line with the metadata of one report, then lines of a decoded packet
 * as tcpdump prints it. Windows translates most labels but `PktGroupId` and `DropReason`, so values are read by position. The sender of a
 * packet chooses what its lines contain: no expression here takes more than linear time.
 */
export function parseLog(text: string) {
  const events: PacketEvent[] = [];
  const components = new Map<number, Component>();
  let sources: string[] = [];
  for (const line of linesOf(text)) {
    const metadata = metadataIn(line);
    if (metadata === undefined) {
      sources.push(...sourcesIn(line));
      continue;
    }
    sources = [];
    const event = readEvent(metadata, sources);
    if (event !== undefined) events.push(event);
    else if (!metadata.includes('PktGroupId')) readComponent(metadata, components);
  }
  return { events, components };
}

/** The part of a line after its time and provider; undefined for a line of a decoded packet. */
function metadataIn(line: string): string | undefined {
  const [provided] = /^\[\d+\][0-9A-F]+\.[0-9A-F]+::[^[]*\[[^\]]*\]/i.exec(line) ?? [];
  return provided === undefined ? undefined : line.slice(provided.length).trim();
}

/** Reads a report. `sources` receives the source addresses in the headers of the packet, the outermost first: they are on the next lines. */
function readEvent(metadata: string, sources: readonly string[]) {
  const [start = '', group] = /PktGroupId (\d+), /.exec(metadata) ?? [];
  const rest = metadata.slice(metadata.indexOf(start) + start.length);
  const [number, , , , component] = rest.split(',').map(lastWord);
  if (group === undefined || !/^\d+$/.test(component ?? '')) return undefined;
  const drop = reasonIn(rest);
  // All reports of a packet that pktmon can correlate have the same `packet`.
  return {
    ...{ packet: `${group}.${number}`, component: Number(component), sources },
    ...(drop !== undefined && { drop }),
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

/** The sources in a line of a decoded packet, such as `10.244.1.2.50037 > 10.96.0.10.80: Flags [S]`. */
function sourcesIn(line: string): readonly string[] {
  const words = line.split(/\s/);
  const isEnd = (word: string, index: number) => word === '>' && words[index + 1]?.endsWith(':') === true;
  return words.flatMap((word, index) => (isEnd(word, index) && addressIn(words[index - 1] ?? '')) || []);
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
  const [head = '', property = '', named = '', ...rest] = metadata.split(', ');
  const id = Number(lastWord(head));
  const known = components.get(id);
  const [driver, name] = [lastWord(named), rest.join(', ').trim()];
  const [, digits] = /^PhysAddress\s+= 0x([0-9A-F]{12})$/i.exec(property.trim()) ?? [];
  if (digits !== undefined && known !== undefined)
    components.set(id, { ...known, mac: digits.toUpperCase().replaceAll(/..(?!$)/g, '$&-') });
  else if (known === undefined && name !== '' && /^[\w-]+\.\w+$/.test(driver) && !Number.isNaN(id))
    components.set(id, { name, driver });
}
