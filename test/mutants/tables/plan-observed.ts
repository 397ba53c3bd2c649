import type { MutantsOf } from '../mutant.ts';

/** What there is: compared, answered, collected, undone. */
export const planObserved: readonly MutantsOf[] = [
  {
    file: 'src/plan/check.ts',
    tests: ['unit/plan/check', 'e2e/attachment', 'e2e/inherited-endpoints', 'e2e/adapter'],
    mutants: [
      {
        before: 'return match.gateway === ip.gateway',
        after: 'return match.gateway !== ip.address',
        noticed: 'CHECK does not find that a pod lost its gateway',
      },
      {
        before: 'Data.Id === endpoint.ID',
        after: "Data.Id !== ''",
        noticed: 'CHECK does not find that the namespace lost the endpoint',
      },
      {
        before: 'ip.interface === index',
        after: 'ip.interface !== undefined',
        noticed: "CHECK fails a pod for another plugin's address",
      },
      {
        before: '    ...healthNotice(endpoint),\n',
        after: '',
        noticed: 'CHECK does not find that HNS had an error with the endpoint',
      },
      {
        before: '    ...stateDifferences(endpoint),\n',
        after: '',
        noticed: 'CHECK does not find that HNS calls the endpoint degraded',
      },
      {
        before: 'return [`namespace ${namespaceId} is gone`];',
        after: 'return [];',
        noticed: 'CHECK does not find that the namespace is gone',
      },
      {
        before: "config.networkType === 'Overlay' &&",
        after: "config.networkType === 'NAT' &&",
        noticed: 'CHECK does not find that an Overlay pod lost its provider address',
      },
      {
        before: '    ...macDifferences(config, endpoint),\n',
        after: '',
        noticed: 'CHECK does not find another MAC address than configured',
      },
      {
        before: "parseNamespaceId(sandbox ?? '') === namespaceId",
        after: 'sandbox === namespaceId',
        noticed: 'CHECK fails a pod whose sandbox is a path',
      },
      {
        before: '!policies.some((policy) => covers(policy, sent)) &&',
        after: 'policies.length === 0 &&',
        noticed: 'CHECK does not find that a policy is gone',
      },
      {
        before: '      !mayBeElsewhere(sent, policies) &&\n',
        after: '',
        noticed: 'CHECK fails a pod whose MTU HNS keeps in a member of its own',
      },
      {
        before: " &&\n      !(sent.Type === 'OutBoundNAT' && translatesAlike)",
        after: '',
        noticed: 'CHECK fails a pod whose outbound NAT HNS shows as one policy',
      },
      {
        before: "!(sent.Type === 'OutBoundNAT' && translatesAlike)",
        after: '!translatesAlike',
        noticed: 'CHECK does not find that a policy is gone beside outbound NAT',
      },
      {
        before: "sent.Type === 'OutBoundNAT' && translatesAlike",
        after: "sent.Type === 'OutBoundNAT'",
        noticed: 'CHECK does not find that outbound NAT is gone',
      },
      {
        before: "Type === 'EncapOverhead' && ",
        after: '',
        noticed: 'CHECK does not find that a policy is gone',
      },
      {
        before: ' && !shown.some((policy) => isPolicyOf(Type, policy))',
        after: '',
        noticed: 'CHECK does not find another MTU than configured',
      },
      {
        before: 'const lacksDns = !isEmpty(config.dns) && ',
        after: 'const lacksDns = isEmpty(config.dns) && ',
        noticed: 'CHECK does not find that DNS is gone',
      },
      {
        before: '...(actual === namespaceId\n',
        after: '...(actual !== undefined\n',
        noticed: 'CHECK does not find that the endpoint is in another namespace',
      },
      {
        before: 'if (own.length === 0) return',
        after: 'if (own.length === -1) return',
        noticed: 'CHECK finds nothing wrong with a pod without an address',
      },
    ],
  },
  {
    file: 'src/plan/covers.ts',
    tests: ['unit/plan/covers', 'unit/plan/check'],
    mutants: [
      {
        before: '      sent.length === observed.length &&\n',
        after: '',
        noticed: 'CHECK does not find that a list has become longer',
      },
      {
        before: 'sent.toLowerCase() === observed.toLowerCase()',
        after: 'sent === observed',
        noticed: 'CHECK fails a pod because HNS writes in capitals',
      },
      {
        before: "  Direction: 'In',",
        after: "  Direction: 'Out',",
        noticed: 'CHECK takes a rule for incoming traffic for one for outgoing',
      },
      { before: ' || sent === 0;', after: ';', noticed: 'CHECK fails a pod because HNS leaves out a zero' },
      {
        before: 'observed.some((candidate) => covers(candidate, item))',
        after: 'observed.every((candidate) => covers(candidate, item))',
        noticed: 'CHECK fails a pod because of a list of two',
      },
    ],
  },
  {
    file: 'src/plan/observed-endpoint.ts',
    tests: [
      'unit/plan/endpoint-differences',
      'unit/plan/check',
      'e2e/attachment',
      'e2e/namespaces',
      'e2e/adapter',
      'e2e/network',
    ],
    mutants: [
      {
        before: '/[1-9a-f]/i',
        after: '/./',
        noticed: 'what an interrupted ADD left is taken for a pod at work',
      },
      {
        before: "5: 'degraded', ",
        after: '',
        noticed: 'an endpoint that HNS calls degraded is healthy',
      },
      {
        before: ", 6: 'destroyed'",
        after: '',
        noticed: 'an endpoint that HNS calls destroyed is healthy',
      },
      {
        before: 'return hresult === 0\n',
        after: 'return hresult >= 0\n',
        noticed: 'an endpoint with an error is healthy',
      },
      {
        before: '?? 0) >>> 0;',
        after: '?? 0);',
        noticed: 'an error of HNS is shown as a negative number',
      },
      {
        before: 'isAttached(endpoint) ? endpoint.HostComputeNamespace : undefined',
        after: 'endpoint.HostComputeNamespace',
        noticed: 'a leftover is detached from a namespace that does not exist',
      },
    ],
  },
  {
    file: 'src/plan/address-holder.ts',
    tests: ['unit/plan/address-holder', 'e2e/stale-addresses'],
    mutants: [
      {
        before: 'return users.length === 0',
        after: 'return users.length >= 0',
        noticed: 'the endpoint of a service at work is removed',
      },
      {
        before: 'return users.length === 0',
        after: 'return users.length < 0',
        noticed: "kube-proxy's leftover keeps a pod from starting",
      },
      {
        before: 'if (isOurs && !isInUse(endpoint) && !namespaceExists)',
        after: 'if (!isInUse(endpoint) && !namespaceExists)',
        noticed: "another plugin's endpoint is removed",
      },
      {
        before: 'if (isOurs && !isInUse(endpoint) && !namespaceExists)',
        after: 'if (isOurs)',
        noticed: 'a running pod loses its endpoint',
      },
      {
        before: 'if (isOurs && !isInUse(endpoint) && !namespaceExists)',
        after: "if (isOurs && address === '')",
        noticed: 'what a restart left keeps pods from starting',
      },
      {
        before: 'return isOurs\n',
        after: "return id !== ''\n",
        noticed: 'an endpoint that win-hcn did not make is removed',
      },
      {
        before: 'return isOurs\n',
        after: "return id === ''\n",
        noticed: 'an endpoint that an interrupted ADD left keeps pods from starting',
      },
      {
        before: '(document.IpConfigurations ?? []).map',
        after: '(document.IpConfigurations ?? []).slice(0, 1).map',
        noticed: 'the holder of the IPv6 address is not found',
      },
      {
        before: 'endpoint.IpConfigurations?.find(',
        after: 'endpoint.IpConfigurations?.slice(0, 1).find(',
        noticed: 'the holder of an address is not found by its second one',
      },
      {
        before: 'which load balancers refer to (${users.join',
        after: 'which load balancers refer to (${[].join',
        noticed: 'an error does not say which load balancers',
      },
    ],
  },
  {
    file: 'src/plan/stale-endpoints.ts',
    tests: ['unit/plan/stale-endpoints', 'e2e/inherited-endpoints', 'e2e/status', 'e2e/stale-addresses'],
    mutants: [
      { before: '!validIds.has(id) && ', after: '', noticed: 'GC cuts running pods' },
      {
        before: '      if (isNamedByUs && (isDerived(id) || !takesIds)) return true;\n',
        after: '',
        noticed: 'GC leaves what win-hcn made',
      },
      {
        before: '      if (!isDerived(id) && validNames.has(Name)) return false;\n',
        after: '',
        noticed: 'GC cuts running pods where HNS chooses the ids',
      },
      {
        before: '!isDerived(id) && validNames.has(Name)',
        after: 'validNames.has(Name)',
        noticed: 'GC leaves our endpoint whose name could be that of a running pod',
      },
      {
        before: '    ...(inherits ? valid.map(inheritedEndpointName) : []),\n',
        after: '',
        noticed: 'GC cuts running pods of the plugin before',
      },
      {
        before: '(inherits || !takesIds || isDerived(id))',
        after: '(!takesIds || isDerived(id))',
        noticed: "GC leaves the endpoints of the plugin before us beside one of win-hcn's",
      },
      {
        before: '(inherits || !takesIds || isDerived(id))',
        after: '(inherits || isDerived(id))',
        noticed: 'GC leaves our endpoints where HNS chooses the ids',
      },
      {
        before: ' && (inherits || !takesIds || isDerived(id))',
        after: '',
        noticed: "GC looks at every endpoint of kube-proxy's",
      },
      {
        before: 'return inherits && isName(',
        after: 'return isName(',
        noticed: "GC deletes another plugin's endpoints",
      },
      {
        before: 'inherits && isName(ownerOnNetwork(Name, network))',
        after: 'inherits',
        noticed: 'GC deletes an endpoint without a container',
      },
      {
        before: 'isNamedByUs && (isDerived(id) || !takesIds)',
        after: 'isNamedByUs && isDerived(id)',
        noticed: 'GC leaves our endpoints where HNS chooses the ids',
      },
      {
        before: 'isNamedByUs && (isDerived(id) || !takesIds)',
        after: 'isNamedByUs && !takesIds',
        noticed: 'GC leaves what win-hcn made',
      },
      {
        before: 'isNamedByUs && (isDerived(id) || !takesIds)',
        after: 'isNamedByUs',
        noticed: 'GC deletes an endpoint somebody else called like ours',
      },
    ],
  },
  {
    file: 'src/plan/steps.ts',
    tests: [
      'unit/plan/steps',
      'e2e/matrix/adds-silences',
      'e2e/attachment',
      'e2e/host-endpoint',
      'e2e/load-balancer',
      'e2e/namespaces',
    ],
    mutants: [
      {
        before: "return { do: 'delete endpoint', id: step.endpoint, namespace: step.namespace };",
        after: 'return undefined;',
        noticed: 'an ADD that failed after attaching leaves the endpoint',
      },
      {
        before: "return { do: 'delete endpoint', id: step.endpoint, namespace: step.namespace };",
        after: "return { do: 'delete unfinished endpoint', id: step.endpoint, name: '', mayAppear };",
        noticed: 'an ADD that failed after attaching leaves the endpoint',
      },
      {
        before: 'id: step.endpoint, namespace: step.namespace };',
        after: 'id: step.endpoint, namespace: undefined };',
        noticed: 'a failed ADD deletes an attached endpoint without detaching it',
      },
      {
        before: 'id: step.id, name: step.document.Name, mayAppear };',
        after: 'id: step.id, name: step.id, mayAppear };',
        noticed: 'an ADD whose create timed out leaves the endpoint where HNS chooses the ids',
      },
      {
        before: 'name: step.document.Name,\n        hostEndpoints',
        after: "name: '',\n        hostEndpoints",
        noticed: 'an ADD that failed leaves the network where HNS chooses the ids',
      },
      {
        before: 'hostEndpointId(step.document.Name)',
        after: "hostEndpointId('')",
        noticed: 'an ADD that failed leaves the network with the endpoint of the node',
      },
      {
        before: "outcome === 'unknown'",
        after: "outcome === 'done'",
        noticed: 'an address is given back while its endpoint may still appear',
      },
      {
        before:
          "return { do: 'delete unfinished endpoint', id: step.id, name: step.document.Name, mayAppear };",
        after: "return { do: 'delete endpoint', id: step.id, namespace: undefined };",
        noticed: 'an ADD that lost the race deletes the endpoint of the one that won',
      },
      {
        before: "return { do: 'delete unused remote endpoint', id: step.id, mayAppear };",
        after: 'return undefined;',
        noticed: 'a load balancer that could not be made leaves a remote endpoint',
      },
      {
        before: "return { do: 'restore remote endpoint', id: step.id, document: step.previous };",
        after: 'return undefined;',
        noticed: 'an update that failed leaves a service without its backend',
      },
      {
        before: "return { do: 'restore load balancer', id: step.id, document: step.previous };",
        after: 'return undefined;',
        noticed: 'an update that failed leaves no load balancer',
      },
      {
        before: "return { do: 'delete unfinished load balancer', id: step.id, mayAppear };",
        after: 'return undefined;',
        noticed: 'a load balancer that could not be made is there',
      },
      {
        before: "return { do: 'delete unused namespace', id: step.id };",
        after: 'return undefined;',
        noticed: 'a namespace that could not be made is there',
      },
    ],
  },
  {
    file: 'src/plan/result.ts',
    tests: ['unit/plan/result', 'e2e/attachment', 'e2e/dual-stack', 'unit/plan/check', 'e2e/vectors'],
    mutants: [
      {
        before: 'nextHop !== undefined && contains({ address: IpAddress, length }, nextHop) ? nextHop',
        after: 'nextHop !== undefined ? nextHop',
        noticed: 'a result names a gateway outside of the subnet',
      },
      {
        before: 'mac: macWithColons(endpoint.MacAddress)',
        after: 'mac: endpoint.MacAddress',
        noticed: 'a runtime cannot read the MAC address',
      },
      {
        before: 'defaultGateway(routes, family)',
        after: 'defaultGateway(routes)',
        noticed: 'an IPv6 address has no gateway',
      },
      {
        before: '    ...(dns.Search?.length && { search: dns.Search }),\n',
        after: '',
        noticed: 'the search list is not in the result',
      },
      { before: '...(mtu !== undefined && { mtu }),', after: '', noticed: 'the MTU is not in the result' },
      {
        before: 'sandbox: netns,',
        after: 'sandbox: netns.toLowerCase(),',
        noticed: 'the sandbox is not called as the runtime did',
      },
      {
        before: 'PrefixLength ?? bitsOf(family)',
        after: 'PrefixLength ?? 32',
        noticed: 'an IPv6 address without a length is a huge subnet',
      },
    ],
  },
];
