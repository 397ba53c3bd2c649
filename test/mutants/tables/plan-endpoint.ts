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
        before: 'if (!isKnown) return behavior.additionalGateways;',
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
        before: ', ...defaultAcls(config.defaultAction)];',
        after: '];',
        noticed: 'the default action is ignored',
      },
      {
        before: 'mergeOutboundNat(wanted, context.families)',
        after: 'mergeOutboundNat(wanted, [])',
        noticed: 'outbound NAT has prefixes of a family that the pod does not have',
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
        before: '...(behavior.exceptOwnSubnets\n',
        after: '...(behavior.exceptOwnSubnets && context.ownSubnets.length > 9\n',
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
      {
        before: '(of.length === 0 || of.includes(family)) && ',
        after: '',
        noticed: 'outbound NAT has prefixes of a family that the pod does not have',
      },
      {
        before: 'of.length === 0 || ',
        after: '',
        noticed: 'outbound NAT loses its exceptions where the families of the pod are unknown',
      },
      {
        before: 'VirtualIP ? [String(VirtualIP)] : ',
        after: '',
        noticed: 'HNS gets two policies for one virtual address',
      },
      {
        before: 'isNarrow ? destinations : exceptions;',
        after: 'exceptions;',
        noticed: 'outbound NAT of destinations is lost',
      },
      {
        before: 'if (isNarrow || VirtualIP) return [];',
        after: 'if (VirtualIP) return [];',
        noticed: 'outbound NAT of destinations the pod cannot have translates everything',
      },
      {
        before: 'if (isNarrow || VirtualIP) return [];',
        after: 'if (isNarrow) return [];',
        noticed: 'HNS gets a virtual address of a family that the pod does not have',
      },
      {
        before: 'return [{ policy: withLists(policy, [], []), isEmptied: exceptions.length > 0 }];',
        after: 'return [];',
        noticed: 'outbound NAT without exceptions is lost',
      },
      {
        before: 'isEmptied: exceptions.length > 0',
        after: 'isEmptied: false',
        noticed: 'outbound NAT of a pod without IPv6 ignores its exceptions because of those for IPv6',
      },
      {
        before: 'isEmptied: exceptions.length > 0',
        after: 'isEmptied: true',
        noticed: 'outbound NAT without exceptions is lost beside another one',
      },
      {
        before: 'list.filter((text) => familyOf(text) === family)',
        after: 'list.filter((text) => familyOf(text) !== undefined)',
        noticed: 'a list has both families',
      },
      {
        before: 'return isNarrow && to.length === 0 ? [] : [',
        after: 'return [',
        noticed: 'outbound NAT of destinations the virtual address is not for translates everything',
      },
      {
        before: 'isMergeable(policy) && !isEmptied',
        after: '!isEmptied',
        noticed: 'outbound NAT is lost beside a policy that is none',
      },
      {
        before: 'isMergeable(policy) && !isEmptied',
        after: 'isMergeable(policy)',
        noticed: 'outbound NAT is lost where all its exceptions are of a family that the pod does not have',
      },
      {
        before: '(!merged.some(isGeneral) && merged',
        after: '(merged',
        noticed: 'outbound NAT of a pod without IPv6 ignores its exceptions because of those for IPv6',
      },
      {
        before: ' && merged.find(({ isEmptied }) => isEmptied) === one',
        after: '',
        noticed: 'HNS gets outbound NAT of everything twice',
      },
      {
        before: 'return summaryOf(wanted, of) === summaryOf(observed, of);',
        after: 'return wanted.length >= observed.length;',
        noticed: 'CHECK does not find that outbound NAT lost an exception',
      },
      {
        before: "nat = policies.filter(({ Type }) => Type.toLowerCase() === 'outboundnat')",
        after: 'nat = policies',
        noticed: 'CHECK fails a pod whose outbound NAT HNS shows as one policy',
      },
      {
        before: "Type.toLowerCase() === 'outboundnat'",
        after: "Type === 'OutBoundNAT'",
        noticed: 'CHECK fails a pod where HNS writes the type of a policy in another way',
      },
      {
        before: '.filter((text) => of.includes(familyOf(text)))',
        after: '',
        noticed: 'CHECK fails a pod with the exceptions of a family it does not have',
      },
      {
        before: '[...new Set(named)]',
        after: 'named',
        noticed: 'CHECK fails a pod where two policies have the same exception',
      },
      {
        before: 'of.includes(familyOf(text))).toSorted()',
        after: 'of.includes(familyOf(text)))',
        noticed: 'CHECK fails a pod whose exceptions HNS shows in another order',
      },
      {
        before: "all('Exceptions'), ",
        after: '',
        noticed: 'CHECK does not find that outbound NAT lost an exception',
      },
      {
        before: ", all('Destinations')",
        after: '',
        noticed: 'CHECK does not find that outbound NAT lost its destinations',
      },
      {
        before: ', [...others].toSorted()]',
        after: ']',
        noticed: 'CHECK does not find that outbound NAT has another virtual address',
      },
      {
        before: '[...others].toSorted()',
        after: '[...others]',
        noticed: 'CHECK fails a pod whose policies HNS shows in another order',
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
        before: '...stateDifferences(observed),',
        after: '',
        noticed: 'an ADD succeeds though HNS calls the endpoint degraded',
      },
      {
        before: '    ...healthNotice(observed),\n',
        after: '',
        noticed: 'the log does not say that HNS had an error with the endpoint',
      },
      {
        before: '      .filter(isAcl)\n',
        after: '',
        noticed: 'an ADD fails where HNS has merged outbound NAT policies',
      },
      {
        before: '.filter((type) => !isAcl(type))',
        after: '',
        noticed: 'the log tells of a lost ACL as if it were harmless',
      },
      {
        before: '.filter((type) => !isAcl(type))',
        after: '.filter(isAcl)',
        noticed: 'the log does not say that HNS shows fewer policies',
      },
      {
        before: "type.toLowerCase() === 'acl'",
        after: "type === 'acl'",
        noticed: 'a rule is lost without a word',
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
        before: 'find((split) => endpointId(split) === id)',
        after: 'find((split) => split.ifname !== id)',
        noticed: 'GC deletes an endpoint somebody else called like ours',
      },
      {
        before: '[...named, ...formerSplits(name, network)]',
        after: 'named',
        noticed: 'GC leaves what earlier builds of win-hcn made',
      },
      {
        before: 'derived !== undefined || isDerived(id) ? derived',
        after: 'derived !== undefined ? derived',
        noticed: 'GC deletes an endpoint somebody else called like ours',
      },
      {
        before: 'return derived !== undefined || isDerived(id) ? derived : named.at(-1);',
        after: 'return derived;',
        noticed: 'GC leaves our endpoints where HNS chooses the ids',
      },
      {
        before: 'named.at(-1)',
        after: 'named[0]',
        noticed: "a listing takes a part of the container's name for the interface",
      },
      {
        before: 'isName(containerId) && isInterfaceName(ifname)',
        after: 'isInterfaceName(ifname)',
        noticed: 'GC deletes an endpoint without a container',
      },
      {
        before: 'isName(containerId) && isInterfaceName(ifname)',
        after: 'isName(containerId)',
        noticed: 'GC deletes an endpoint without an interface',
      },
      {
        before: '`${containerId}_${network}_${ifname}`',
        after: '`${containerId}_${ifname}_${network}`',
        noticed: 'a second interface of a pod comes first in its sandbox',
      },
      {
        before: 'return `${containerId}_${network}`;',
        after: 'return `${network}_${containerId}`;',
        noticed: 'DEL leaves what the plugin before us made',
      },
      {
        before: 'text.startsWith(separator, index)',
        after: 'text.indexOf(separator) === index',
        noticed: 'GC leaves the endpoint of a container with the name of the network in its own',
      },
      {
        before: 'text.slice(index + separator.length)',
        after: 'text.slice(index + 1)',
        noticed: 'GC leaves what win-hcn made',
      },
      {
        before: 'name.endsWith(`_${network}`)',
        after: 'name.includes(`_${network}`)',
        noticed: 'GC deletes endpoints of another network',
      },
      {
        before: 'endpoints.some(isDerived)',
        after: 'endpoints.every(isDerived)',
        noticed: "GC looks at every endpoint of kube-proxy's",
      },
    ],
  },
];
