import { protocolNumbers } from '../../config/protocol-numbers.ts';

const { icmp, igmp, tcp, udp, icmpv6 } = protocolNumbers;
/** 256 is HCN's number for any. */
const names: Readonly<Record<number, string>> = {
  [icmp]: 'icmp',
  [igmp]: 'igmp',
  [tcp]: 'tcp',
  [udp]: 'udp',
  [icmpv6]: 'icmpv6',
  256: 'any',
};

/** What IANA calls a protocol, where a configuration has a word for it. */
export function protocolName(number: number): string {
  return names[number] ?? `protocol ${number}`;
}
