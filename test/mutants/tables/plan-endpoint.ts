import type { MutantsOf } from '../mutant.ts';

/** What an endpoint is to be. */
export const planEndpoint: readonly MutantsOf[] = [
  {
    file: 'src/plan/acls.ts',
    tests: ['unit/plan/endpoint-documents', 'e2e/vectors'],
    mutants: [
      {
        before: 'lastPriority = 65500',
        after: 'lastPriority = 65',
        noticed: "the default action comes before the configuration's rules",
      },
      {
        before: 'portMappingPriority = 1000',
        after: 'portMappingPriority = 65501',
        noticed: 'the rules of port mappings come after the default action',
      },
      {
        before: "acl.localAddresses.join(',')",
        after: "acl.localAddresses.join(', ')",
        noticed: 'HCN refuses a list of addresses',
      },
      {
        before: 'LocalPorts: acl.localPorts',
        after: 'RemotePorts: acl.localPorts',
        noticed: 'a rule opens the wrong ports',
      },
      {
        before: "['In', 'Out'] as const",
        after: "['In'] as const",
        noticed: 'the default action leaves one direction to HNS',
      },
      {
        before: "direction: 'In',",
        after: "direction: 'Out',",
        noticed: 'the traffic of port mappings is not let in',
      },
    ],
  },
  {
    file: 'src/plan/endpoint-addresses.ts',
    tests: [
      'unit/plan/endpoint-addresses',
      'unit/plan/endpoint-documents',
      'e2e/dual-stack',
      'e2e/inherited-gateways',
      'e2e/host-endpoint',
      'e2e/vectors',
    ],
    mutants: [
      {
        before: 'if (!isHostIn(prefix, address)) {',
        after: "if (address === '') {",
        noticed: "a pod gets the network's own address",
      },
      {
        before: 'if (address === hnsGateway || address === hostAddress) {',
        after: 'if (address === hostAddress) {',
        noticed: "a pod gets the gateway's address",
      },
      {
        before: 'if (address === hnsGateway || address === hostAddress) {',
        after: 'if (address === hnsGateway) {',
        noticed: "a pod gets the address of the node's own endpoint",
      },
      { before: '.filter((gateway) => gateway !== address)', after: '', noticed: 'a pod is its own gateway' },
      {
        before: '?? hnsGateway ?? ip.gateway;',
        after: '?? ip.gateway ?? hnsGateway;',
        noticed: "the IPAM plugin's guess comes before the network's gateway",
      },
      {
        before: 'preferred.find((one) => contains(prefix, one))',
        after: 'preferred[0]',
        noticed: 'a pod has a gateway outside its subnet',
      },
      {
        before: 'given !== undefined && ip.keepsLength ? given.length',
        after: 'given !== undefined ? given.length',
        noticed: "an address has the IPAM plugin's prefix length, not the subnet's",
      },
      {
        before: 'given !== undefined && ip.keepsLength ? given.length : prefix.length',
        after: 'prefix.length',
        noticed: 'the prefix length asked for is ignored',
      },
      {
        before: 'if (first === undefined || second === undefined) return first ?? [];',
        after: 'if (first !== second) return first ?? [];',
        noticed: 'the second of two addresses of a family is lost without a word',
      },
      {
        before: '&& length > prefix.length) {',
        after: '&& length > 128) {',
        noticed: 'a pod does not reach its gateway',
      },
      {
        before: 'return families.flatMap((family) => {',
        after: 'return families.toReversed().flatMap((family) => {',
        noticed: 'the IPv6 address comes first',
      },
      {
        before: 'keepsLength: true',
        after: 'keepsLength: false',
        noticed: 'the prefix length asked for is ignored',
      },
    ],
  },
  {
    file: 'src/plan/endpoint.ts',
    tests: [
      'unit/plan/endpoint-documents',
      'e2e/dual-stack',
      'e2e/inherited-gateways',
      'e2e/vectors',
      'e2e/attachment',
    ],
    mutants: [
      {
        before: '(named ?? own) : (own ?? named)',
        after: '(own ?? named) : (own ?? named)',
        noticed: "the gateway of the IPAM plugin's default route does not count where it should",
      },
      {
        before: '(named ?? own) : (own ?? named)',
        after: '(named ?? own) : (named ?? own)',
        noticed: "the gateway of the IPAM plugin's default route counts where it should not",
      },
      { before: ' || isDefaultRoute(dst) || ', after: ' || ', noticed: 'there are two default routes' },
      {
        before: 'formatPrefix(networkOf(prefix))',
        after: 'formatPrefix(prefix)',
        noticed: 'HCN refuses a route with host bits',
      },
      {
        before: 'mergeDns(config.dns, assignment?.dns ?? {})',
        after: 'mergeDns(assignment?.dns ?? {}, config.dns)',
        noticed: "the IPAM plugin's DNS hides the configuration's",
      },
      {
        before: 'const nextHop = gw ?? gatewayFor(addresses, familyOf(dst));',
        after: 'const nextHop = gatewayFor(addresses, familyOf(dst)) ?? gw;',
        noticed: 'a route does not lead through the gateway it names',
      },
      {
        before: '  checkPortMappings(config, endpointFamilies);',
        after: '',
        noticed: 'a port mapping of a family the pod has not leads nowhere',
      },
      {
        before: "config.networkType === 'Overlay' ? providerAddressOf(network) : undefined",
        after: 'undefined',
        noticed: 'other nodes do not know where to send the packets of an Overlay pod',
      },
      {
        before: 'if (config.loopbackDSR && isIPv6Only)',
        after: 'if (config.loopbackDSR && own.length > 2)',
        noticed: 'loopbackDSR without an IPv4 address does nothing, without a word',
      },
      {
        before: '[...preferred, ...own].find',
        after: '[...own, ...preferred].find',
        noticed: "an address of HNS's has another gateway than one of an IPAM plugin's",
      },
      {
        before: '      : routesThroughOthers(config, network);',
        after: '      : [];',
        noticed: "with addresses of HNS's the node's own endpoint is not the gateway",
      },
      {
        before: "find((address) => familyOf(address) === 'IPv4');",
        after: 'find((address) => familyOf(address));',
        noticed: 'the MAC address comes from an IPv6 address',
      },
      {
        before:
          '    macAddress ??\n    (macPrefix !== undefined && ipv4 !== undefined ? macFromAddress(macPrefix, ipv4) : undefined)',
        after:
          '    (macPrefix !== undefined && ipv4 !== undefined ? macFromAddress(macPrefix, ipv4) : undefined) ??\n    macAddress',
        noticed: 'the MAC address asked for is ignored where there is a prefix',
      },
      {
        before: 'subnets.some((prefix) => prefix !== undefined && contains(prefix, gateway)),',
        after: 'subnets.length > 0 && gateway,',
        noticed: 'HCN refuses a gateway outside the network',
      },
    ],
  },
  {
    file: 'src/plan/gateways.ts',
    tests: [
      'unit/plan/gateways',
      'e2e/inherited-gateways',
      'e2e/host-endpoint',
      'e2e/vectors',
      'unit/plan/endpoint-documents',
    ],
    mutants: [
      {
        before: '...(node === undefined ? [] : [node]),',
        after: '',
        noticed: "the node's own endpoint is not the pods' gateway",
      },
      {
        before: '    ...gateways,\n    ...gatewaysOfIpam(config, assigned),',
        after: '    ...gatewaysOfIpam(config, assigned),\n    ...gateways,',
        noticed: "the IPAM plugin's gateway comes before the configuration's",
      },
      {
        before: ' && assigned.gateway !== firstHost(assigned.prefix)',
        after: '',
        noticed: "host-local's guess comes before the network's gateway",
      },
      {
        before: 'secondHostIsGateway.includes(familyOf(second))',
        after: 'secondHostIsGateway.length > 0',
        noticed: 'an IPv6 gateway is taken where only IPv4 has that habit',
      },
      {
        before: "=== 'before the network' ?",
        after: "!== 'before the network' ?",
        noticed: "the IPAM plugin's gateway counts where it should not",
      },
      {
        before: 'if (!isKnown) return manner.additionalGateways;',
        after: 'if (!isKnown) return [];',
        noticed: 'an inherited configuration has another gateway than before',
      },
    ],
  },
  {
    file: 'src/plan/policies.ts',
    tests: [
      'unit/plan/policies',
      'unit/plan/endpoint-documents',
      'unit/plan/check',
      'e2e/dual-stack',
      'e2e/vectors',
      'e2e/policies',
    ],
    mutants: [
      {
        before: 'const own = [...given, ...defaultAcls(config.defaultAction)];',
        after: 'const own = given;',
        noticed: 'the default action is ignored',
      },
      {
        before: '=== undefined || provided',
        after: '=== undefined',
        noticed: 'HCN gets two provider addresses',
      },
      {
        before: '? families : [only]',
        after: '? families.slice(0, 1) : [only]',
        noticed: 'a port mapping of a dual-stack pod is only on IPv4',
      },
      {
        before: '{ localRoutedVip: 1, ipv6: 2 }',
        after: '{ localRoutedVip: 2, ipv6: 1 }',
        noticed: 'the flags of a port mapping say something else',
      },
      {
        before: 'if (policies?.length === 0)',
        after: 'if (policies?.length === 9)',
        noticed: 'loopbackDSR without an IPv4 address does nothing, without a word',
      },
      {
        before: '{ ...shared, Destinations: nat.destinations }',
        after: '{ ...general, Destinations: nat.destinations }',
        noticed: 'exceptions take destinations out of outbound NAT',
      },
      {
        before: '...(manner.exceptOwnSubnets\n',
        after: '...(manner.exceptOwnSubnets && context.ownSubnets.length > 9\n',
        noticed: "win-overlay's outbound NAT translates what stays in the network",
      },
      {
        before: 'InternalPort: containerPort,\n',
        after: 'InternalPort: hostPort,\n',
        noticed: 'a port mapping leads to the wrong port',
      },
      {
        before: 'MaximumOutgoingBandwidthInBytes: egressBytes',
        after: 'MaximumOutgoingBandwidthInBytes: 8 * egressBytes',
        noticed: 'the limit of the traffic is eight times too high',
      },
      {
        before: 'hostIP === undefined ? family : familyOf(hostIP);',
        after: 'hostIP === undefined ? undefined : familyOf(hostIP);',
        noticed: 'a port mapping for one family is there for both',
      },
    ],
  },
  {
    file: 'src/plan/outbound-nat.ts',
    tests: ['unit/plan/outbound-nat'],
    mutants: [
      {
        before: "listOf(policy, 'Destinations').length === 0",
        after: "listOf(policy, 'Destinations').length >= 0",
        noticed: 'outbound NAT of destinations is lost',
      },
      {
        before: '[VirtualIP, Flags, MaxPortPoolUsage]',
        after: '[VirtualIP]',
        noticed: 'outbound NAT with other flags is lost',
      },
      {
        before: '.findIndex(isAlike) !== index',
        after: '.findLastIndex(isAlike) !== index',
        noticed: 'policies change their order, which HNS honours',
      },
      {
        before: 'Exceptions: withoutContained(exceptions)',
        after: 'Exceptions: exceptions',
        noticed: 'HCN refuses an exception that is there twice',
      },
    ],
  },
  {
    file: 'src/plan/encap-overhead.ts',
    tests: ['unit/plan/encap-overhead', 'e2e/adapter'],
    mutants: [
      {
        before: 'vxlanHeaders = 50',
        after: 'vxlanHeaders = 40',
        noticed: 'packets on an Overlay network are too large for the adapter',
      },
      {
        before: 'mtu > largest',
        after: 'mtu >= largest',
        noticed: 'the largest MTU there is room for is refused',
      },
      {
        before: 'one < unbound',
        after: 'one <= unbound',
        noticed: 'an adapter without IP decides with an MTU of 65535',
      },
      {
        before: 'return physical - mtu;',
        after: 'return largest - mtu;',
        noticed: 'the MTU of an Overlay pod is not the one asked for',
      },
    ],
  },
  {
    file: 'src/plan/endpoint-differences.ts',
    tests: ['unit/plan/endpoint-differences', 'e2e/adapter', 'e2e/inherited-gateways', 'e2e/network'],
    mutants: [
      {
        before: '...healthDifferences(observed),',
        after: '',
        noticed: 'an ADD succeeds though HNS says the endpoint is not healthy',
      },
      {
        before: '...ownGateways(observed).map(',
        after: '...[].map(',
        noticed: 'a pod that is its own gateway has no network',
      },
      {
        before: '...missing.map(',
        after: '...missing.slice(1).map(',
        noticed: 'a pod has another address than the IPAM plugin assigned',
      },
      {
        before: 'count(observed, type) < count(sent, type)',
        after: 'count(observed, type) === 0',
        noticed: 'one of several rules is lost without a word',
      },
      {
        before: '...(actual === namespace\n',
        after: '...(actual !== undefined\n',
        noticed: "a pod's endpoint is in another namespace",
      },
      {
        before: 'macWithColons(sent.MacAddress) === macWithColons(mac)',
        after: 'sent.MacAddress === mac',
        noticed: 'an ADD fails where HNS writes a MAC address in another way',
      },
      {
        before: '...(addresses.length > 0 ?',
        after: '...(addresses.length >= 0 ?',
        noticed: 'a pod has no address',
      },
    ],
  },
  {
    file: 'src/plan/identity.ts',
    tests: ['unit/plan/identity', 'e2e/inherited-endpoints', 'e2e/status'],
    mutants: [
      {
        before: '5f0a3a0e-6f3d',
        after: '5f0a3a0e-6f3e',
        noticed: 'after an update DEL does not find the endpoints of running pods',
      },
      {
        before: 'b5a1c7f2-0c9e',
        after: 'b5a1c7f2-0c9f',
        noticed: 'during an update two requests make the network twice',
      },
      {
        before: '`${text.length}:${text}`',
        after: '`${text}`',
        noticed: 'DEL of one container deletes the endpoint of another one',
      },
      {
        before: "id[14] === '5'",
        after: "id[14] === '4'",
        noticed: "GC leaves our endpoints and looks at HNS's",
      },
      {
        before: 'splits.find((attachment) => endpointId(attachment) === id)',
        after: 'splits.find((attachment) => attachment.ifname !== id)',
        noticed: 'GC deletes an endpoint somebody else called like ours',
      },
    ],
  },
];
