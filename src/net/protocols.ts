/** IANA's protocol numbers, by the names a configuration or a command may use. */
export const protocolNumbers = { icmp: 1, icmpv4: 1, igmp: 2, tcp: 6, udp: 17, icmpv6: 58 } as const;

/** The number HCN takes for any protocol. https://learn.microsoft.com/virtualization/api/hcn/hns_schema#AclPolicySetting */
const anyProtocol = 256;

/** The name of a protocol number, such as `tcp`; `any` for 256; `protocol 132` for numbers without a name here. */
export function protocolName(number: number): string {
  if (number === anyProtocol) return 'any';
  const name = Object.entries(protocolNumbers).find(([, known]) => known === number)?.[0];
  return name ?? `protocol ${number}`;
}
