/** IANA's numbers of the protocols a configuration may name. */
export const protocolNumbers = { icmp: 1, icmpv4: 1, igmp: 2, tcp: 6, udp: 17, icmpv6: 58 } as const;
