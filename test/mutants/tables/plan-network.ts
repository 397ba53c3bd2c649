import type { MutantsOf } from '../mutant.ts';

/** What a network is to be, and which adapter it is on. */
export const planNetwork: readonly MutantsOf[] = [
  {
    file: 'src/plan/adapter.ts',
    tests: ['unit/plan/adapter'],
    mutants: [
      {
        before: 'Math.min(',
        after: 'Math.max(',
        noticed: 'the network is on the adapter of the worst default route',
      },
      {
        before: '[byAlias, byIndex, byMac',
        after: '[byIndex, byAlias, byMac',
        noticed: 'an adapter called "12" cannot be chosen',
      },
      {
        before: 'const routed = families.map(',
        after: 'const routed = families.toReversed().map(',
        noticed: "IPv6's default route comes before IPv4's",
      },
      {
        before: '[both, alike, named]',
        after: '[both, named, alike]',
        noticed: 'the wrong adapter is taken for the one under a virtual switch',
      },
      {
        before: 'some.filter(({ isUp }) => isUp)',
        after: 'some.filter(() => true)',
        noticed: 'the network is on an adapter without a cable',
      },
      {
        before: 'if (chosen !== undefined && others.length === 0)',
        after: 'if (chosen !== undefined)',
        noticed: 'of several adapters any one is taken',
      },
      {
        before: "  [mediaType.wifi, 'Wi-Fi, which carries no MAC addresses but its own'],\n",
        after: '',
        noticed: "a virtual switch on Wi-Fi carries no pod's packets",
      },
      {
        before: String.raw`(?: \d+)?$/i`,
        after: '$/i',
        noticed: 'the adapter under a virtual switch with a number is not found',
      },
      {
        before: 'describeAdapters(chosen === undefined ? adapters : usable)',
        after: "''",
        noticed: 'an error does not say which adapters there are',
      },
    ],
  },
  {
    file: 'src/plan/network-adapter.ts',
    tests: [
      'unit/plan/network-documents',
      'unit/plan/adapter',
      'e2e/adapter',
      'e2e/network',
      'e2e/host-endpoint',
      'e2e/vectors',
    ],
    mutants: [
      {
        before: 'if (config.mtu !== undefined || config.hostEndpoint !== undefined)',
        after: 'if (config.mtu !== undefined)',
        noticed: "the node's own endpoint gets an address the node has elsewhere",
      },
      {
        before: "behavior.adapter === 'may be left to HNS'",
        after: "behavior.adapter !== 'must be known' && adapters.length > 9",
        noticed: 'an inherited configuration is refused on a node where two adapters could be meant',
      },
      {
        before: ' || isBound(config)) return undefined;',
        after: ') return undefined;',
        noticed: 'the network policy that names an adapter gets a rival',
      },
      {
        before: ", 'Overlay', 'Transparent']",
        after: ", 'Overlay']",
        noticed: 'a Transparent network is on any adapter',
      },
      {
        before: 'const name = boundAdapter(network);',
        after: 'const name = network.Name;',
        noticed: 'a notice names another adapter than the one that is interrupted',
      },
      {
        before: 'same(alias, adapter ??',
        after: '!same(alias, adapter ??',
        noticed: 'an interface name is taken literally though the adapter has no Ethernet',
      },
    ],
  },
  {
    file: 'src/plan/network-differences.ts',
    tests: ['unit/plan/network-differences', 'e2e/network', 'e2e/adapter', 'e2e/inherited-endpoints'],
    mutants: [
      {
        before: 'return isAlike(networkType, observed.Type) ?',
        after: "return observed.Type !== '' ?",
        noticed: 'an inherited configuration puts pods on a network of another type',
      },
      {
        before: "    ...difference('adapter', adapter, boundAdapter(observed)),\n",
        after: '',
        noticed: 'pods are on a network of another adapter than configured',
      },
      {
        before: 'configured.length === found.size && ',
        after: '',
        noticed: 'a network with a further subnet counts as configured',
      },
      {
        before: "    ...difference(`vsid of ${prefix}`, vsid ?? 'none', isolation('VSID')),\n",
        after: '',
        noticed: 'pods are in another virtual subnet than configured',
      },
      {
        before: "    ...difference(`vlan of ${prefix}`, vlan ?? 'none', isolation('VLAN')),\n",
        after: '',
        noticed: 'pods are in another VLAN than configured',
      },
      {
        before:
          '    ...difference(`gateway of ${prefix}`, gateway, defaultGateway(observed.Routes ?? [])),\n',
        after: '',
        noticed: 'pods have another gateway than configured',
      },
      {
        before: 'row.configured.toLowerCase() === row.observed.toLowerCase()',
        after: 'row.configured === row.observed',
        noticed: 'a network that HNS writes in small letters is refused',
      },
      {
        before: "    ['nat', 'ics'],\n",
        after: '',
        noticed: 'an inherited NAT configuration does not take an ICS network',
      },
      {
        before: ': formatPrefix(networkOf(prefix));',
        after: ': formatPrefix(prefix);',
        noticed: 'a subnet that HNS writes with host bits is another one',
      },
    ],
  },
  {
    file: 'src/plan/network.ts',
    tests: ['unit/plan/network-documents', 'unit/plan/network-differences', 'e2e/network', 'e2e/adapter'],
    mutants: [
      {
        before: "if (createNetwork === 'never') {",
        after: "if (name === '') {",
        noticed: 'a network is created though the configuration forbids it',
      },
      {
        before: 'flags | (1 << bit)',
        after: 'flags | bit',
        noticed: 'a network has other flags than configured',
      },
      {
        before: "networkType === 'Private' ? undefined : ",
        after: '',
        noticed: "on a Private network a pod's packets go to nobody",
      },
      {
        before: "{ Type: 'VLAN', Settings",
        after: "{ Type: 'VSID', Settings",
        noticed: 'pods are not in their VLAN',
      },
      {
        before: 'if (first === undefined) return observed;',
        after: 'return observed;',
        noticed: 'pods are on a network that is not as configured',
      },
      {
        before: '    ...adapterPolicy(adapter),\n',
        after: '',
        noticed: 'HNS takes any adapter',
      },
      {
        before: '.filter((policy) => !isHostRoute(policy))',
        after: '',
        noticed: 'HNS refuses the network because of HostRoute',
      },
      {
        before: 'networkPolicies.filter(isHostRoute)',
        after: 'networkPolicies',
        noticed: 'every ACL of a network is added twice',
      },
      {
        before: "return Type === 'HostRoute';",
        after: 'return Type.length > 0;',
        noticed: 'a pod is put on a network without its ACLs',
      },
      {
        before: "return Type === 'HostRoute';",
        after: "return Type === '';",
        noticed: 'an ADD fails for a policy that flannel and Calico do without',
      },
      {
        before: '    ID: networkId(name),\n',
        after: '',
        noticed: 'HNS chooses the id of the network',
      },
      {
        before: 'const nextHop = gateway ?? (',
        after: 'const nextHop = (',
        noticed: 'the gateway configured is ignored',
      },
      { before: "  'EnableMirroring',\n", after: '', noticed: 'a flag sets the bit of another one' },
    ],
  },
  {
    file: 'src/plan/observed-network.ts',
    tests: [
      'unit/plan/observed-network',
      'unit/plan/network-differences',
      'unit/plan/check',
      'unit/plan/load-balancer',
      'e2e/network',
      'e2e/dual-stack',
      'e2e/status',
    ],
    mutants: [
      {
        before: 'parsePrefix(destinationPrefix)?.length === 0',
        after: "destinationPrefix === '0.0.0.0/0'",
        noticed: 'an IPv6 pod has no gateway',
      },
      {
        before: 'return hasDrMac && isUsableAddress',
        after: 'return isUsableAddress',
        noticed: 'a pod is put on an Overlay network that is not finished',
      },
      {
        before: " && !address.startsWith('169.254.')",
        after: '',
        noticed: 'no other node reaches the pods of a node that waits for DHCP',
      },
      {
        before: "['l2bridge', 'l2tunnel']",
        after: "['l2bridge']",
        noticed: 'a pod is put on an L2Tunnel network before the node has its address back',
      },
      {
        before: '(family === undefined || familyOf(NextHop) === family)',
        after: 'NextHop !== family',
        noticed: 'an IPv6 address has an IPv4 gateway',
      },
      {
        before: 'policy.Type.toLowerCase() === type.toLowerCase()',
        after: 'policy.Type === type',
        noticed: 'an Overlay network of a service that writes names in another way is never finished',
      },
      {
        before: 'network.Ipams?.flatMap((ipam) => ipam.Subnets ?? [])',
        after: 'network.Ipams?.[0]?.Subnets',
        noticed: 'the second IPAM of a network is not seen',
      },
    ],
  },
  {
    file: 'src/plan/host-endpoint.ts',
    tests: ['unit/plan/host-endpoint', 'e2e/host-endpoint'],
    mutants: [
      {
        before: 'hostEndpoint.address ?? (subnet && secondHost(subnet))',
        after: '(subnet && secondHost(subnet)) ?? hostEndpoint.address',
        noticed: 'the address configured is ignored',
      },
      {
        before: 'isOfHost(namespace) && namespace.NamespaceId === 1',
        after: 'isOfHost(namespace)',
        noticed: 'the endpoint of the node is put into a container',
      },
      {
        before: 'if (gateways.includes(address))',
        after: 'if (gateways.length > 9)',
        noticed: 'the node asks for an address that HNS reserves',
      },
      {
        before: 'has(adapter, address) && !isOf(network.Name, adapter)',
        after: 'has(adapter, address)',
        noticed: 'the second pod is refused for the endpoint the first one made',
      },
      {
        before: 'return isAbove || (',
        after: 'return isAbove && (',
        noticed: 'nothing is forwarded where the switch has another name',
      },
      {
        before: ' || alias.toLowerCase().startsWith(`${name} `)',
        after: '',
        noticed: 'an interface with a number behind its name is not found',
      },
      {
        before: 'find((prefix) => contains(prefix, address))',
        after: 'find((prefix) => prefix === undefined)',
        noticed: "the node's endpoint has no prefix length",
      },
      {
        before: '!prefixes.some((prefix) => isHostIn(prefix, address))',
        after: 'prefixes.length === 0',
        noticed: 'the node asks for an address outside of the network',
      },
      {
        before: 'return `${network}_ep`;',
        after: 'return `${network}_host`;',
        noticed: "flannel's endpoint of the node is not found",
      },
      {
        before: "Type?.toLowerCase() === 'hostdefault'",
        after: "Type === 'HostDefault'",
        noticed: 'no host endpoint where HNS writes the type of a namespace in another way',
      },
    ],
  },
  {
    file: 'src/plan/features.ts',
    tests: ['unit/plan/features', 'e2e/features'],
    mutants: [
      {
        before: 'Minor >= range.Minor',
        after: 'Minor > range.Minor',
        noticed: 'a feature is refused on the first Windows that has it',
      },
      {
        before: 'range.onwards && Major > range.Major',
        after: 'Major > range.Major',
        noticed: 'a feature that only updates of an old Windows have is tried on a later one',
      },
      {
        before: 'DSR: [within(9, 3), from(10, 2)]',
        after: 'DSR: [from(9, 3)]',
        noticed: 'direct server return is tried on 10.1',
      },
      {
        before: "String(Settings[name]).split(',').includes(value)",
        after: 'String(Settings[name]) === value',
        noticed: 'a protocol among others is not checked',
      },
      {
        before: '({ level, type }) => level === policyLevel && type === Type',
        after: '({ type }) => type === Type',
        noticed: 'a policy of an endpoint needs what one of a network does',
      },
    ],
  },
  {
    file: 'src/plan/required-features.ts',
    tests: ['unit/plan/features', 'unit/plan/load-balancer', 'e2e/features', 'e2e/dual-stack'],
    mutants: [
      {
        before: '...(createsNetwork ? [...ofSubnets',
        after: '...(createsNetwork !== undefined ? [...ofSubnets',
        noticed: 'a network that exists is refused for features it has',
      },
      {
        before: "'Overlay' ? 'IPv6Overlay' : 'IPv6DualStack'",
        after: "'Overlay' ? 'IPv6DualStack' : 'IPv6DualStack'",
        noticed: 'an Overlay network with IPv6 is tried where HNS has none',
      },
      {
        before: '...(config.loopbackDSR ?',
        after: '...(config.mtu ?',
        noticed: 'loopbackDSR is tried on a Windows that has none',
      },
      {
        before: "{ details: others.join('; ') }",
        after: '{}',
        noticed: 'only the first missing feature is named',
      },
      { before: '    ...acls,\n', after: '', noticed: 'an ACL is tried on a Windows that does not take it' },
    ],
  },
];
