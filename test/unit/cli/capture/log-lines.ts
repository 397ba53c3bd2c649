/** Lines of `pktmon etl2txt`, in the forms of recorded.ts. Not recorded on Windows. */

interface Report {
  /** Correlates the reports of a packet. */
  readonly packet: number;
  readonly component: number;
  readonly direction?: 'Rx' | 'Tx' | 'Ingress' | 'Egress';
  readonly from: string;
  readonly to: string;
  /** Why the component drops the packet. */
  readonly drop?: string;
}

export function report({ packet, component, direction = 'Tx', from, to, drop }: Report): string {
  const word = drop === undefined ? '' : 'Drop: ';
  const edge = drop === undefined ? 'Edge 1, Filter 1' : 'Filter 1';
  const reason = drop === undefined ? '' : `, DropReason ${drop} , DropLocation 0xE000204E`;
  return [
    `${prefix} ${word}PktGroupId ${packet}, PktNumber 1, Appearance 1, Direction ${direction} , Type Ethernet , Component ${component}, ${edge}${reason}, OriginalSize 66, LoggedSize 66 `,
    `\t${word}00-15-5D-52-C0-00 > 00-15-5D-52-C0-FF, ethertype IPv4 (0x0800), length 66: ${from} > ${to}: Flags [S], seq 1, win 65535, length 0`,
    '',
  ].join('\r\n');
}

export interface LoggedComponent {
  readonly id: number;
  readonly type: string;
  readonly driver: string;
  readonly name: string;
  readonly properties?: Readonly<Record<string, string>>;
}

export function component({ id, type, driver, name, properties = {} }: LoggedComponent): string {
  return [
    `${prefix} Component ${id}, Type ${type} , Name ${driver}, ${name} `,
    ...Object.entries(properties).map(
      ([key, value]) => `${prefix} Property: Component ${id}, ${key}  = ${value} `,
    ),
    `${prefix} Drop Counters: Component ${id}, Direction In = Rx , Packets In 0, Bytes In 0, Direction Out = Tx , Packets Out 0, Bytes Out 0 `,
    '',
  ].join('\r\n');
}

const prefix = '[01]36E0.37B0::2026-11-23 10:26:54.059070900 [Microsoft-Windows-PktMon]';
