interface Capability {
  readonly name: string;
  /** A value of `runtimeConfig`. */
  readonly example: unknown;
  readonly effect: string;
}

/** What a runtime can set for a pod, if `capabilities` of the configuration has the name. */
export const capabilities: readonly Capability[] = [
  {
    name: 'dns',
    example: { servers: ['10.96.0.10'], searches: ['shop.svc.cluster.local'], options: ['ndots:5'] },
    effect: 'DNS settings. A list with a usable entry replaces that of the key `dns`.',
  },
  {
    name: 'portMappings',
    example: [{ hostPort: 8080, containerPort: 80, protocol: 'tcp', hostIP: '10.0.0.4' }],
    effect:
      'Maps ports of the node to ports of the pod; `protocol` is tcp (default) or udp. Without `hostIP`, on all addresses of the node; `0.0.0.0` or `::`: all of the family.',
  },
  {
    name: 'bandwidth',
    example: { egressRate: 8000000 },
    effect:
      'Limits outgoing traffic, in bits per second (8 or more). HCN cannot limit incoming traffic: `ingressRate` is refused. Burst sizes are ignored.',
  },
  {
    name: 'ips',
    example: ['10.244.1.7/24'],
    effect: 'Requests addresses, with or without prefix length, also if HNS assigns them.',
  },
  { name: 'mac', example: '00-15-5D-52-C0-07', effect: 'Requests the MAC address.' },
];
