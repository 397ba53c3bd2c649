import type { MutantsOf } from '../mutant.ts';

/** What a load balancer and its backends are to be. */
export const planLoadBalancer: readonly MutantsOf[] = [
  {
    file: 'src/plan/backends.ts',
    tests: ['unit/plan/load-balancer', 'e2e/load-balancer'],
    mutants: [
      {
        before: '        endpoint.HostComputeNetwork === network.ID &&\n',
        after: '',
        noticed: 'a service leads to an endpoint of another network',
      },
      {
        before: 'candidates.find((endpoint) => !isRemote(endpoint)) ?? candidates[0]',
        after: 'candidates[0]',
        noticed: 'a service leads to another node though the pod is here',
      },
      {
        before: 'isRemote(observed) ? remoteDifferences(backend, observed) : []',
        after: 'remoteDifferences(backend, observed)',
        noticed: "a pod's own endpoint is called outdated",
      },
      {
        before: 'if (isOverlay(network) && providerAddress === undefined) {',
        after: 'if (providerAddress === undefined) {',
        noticed: 'a backend on L2Bridge is refused',
      },
      {
        before: '{ ...sayingOf(observed), ...backend }',
        after: 'backend',
        noticed: 'a backend that moved loses its MAC address',
      },
    ],
  },
  {
    file: 'src/plan/load-balancer-document.ts',
    tests: ['unit/plan/load-balancer'],
    mutants: [
      {
        before: 'EnableDirectServerReturn: 1, IPv6: 2',
        after: 'EnableDirectServerReturn: 2, IPv6: 1',
        noticed: 'an IPv6 load balancer is one with direct server return',
      },
      {
        before: 'EnablePreserveDip: 8',
        after: 'EnablePreserveDip: 4',
        noticed: 'a flag of the ports means something else',
      },
      {
        before: 'SourceIPProtocol: 1, SourceIP: 2',
        after: 'SourceIPProtocol: 2, SourceIP: 1',
        noticed: 'clients do not stay with their backend',
      },
      {
        before: 'InternalPort: targetPort,',
        after: 'InternalPort: port,',
        noticed: 'a service leads to the wrong port',
      },
      {
        before: '.map((id) => id.toLowerCase()).sort()',
        after: '.map((id) => id.toLowerCase())',
        noticed: 'a load balancer is replaced each time',
      },
      {
        before: '    mapping.DistributionType ?? 0,\n',
        after: '',
        noticed: 'a change of the affinity has no effect',
      },
    ],
  },
  {
    file: 'src/plan/load-balancer.ts',
    tests: ['unit/plan/load-balancer', 'e2e/load-balancer'],
    mutants: [
      {
        before: 'if (isSameLoadBalancer(loadBalancer, document)) return [];',
        after: '',
        noticed: 'a load balancer is changed each time',
      },
      {
        before: '.filter((id) => endpoints.some(({ ID }) => ID === id))',
        after: '',
        noticed: 'a load balancer with an endpoint that is gone is not restored',
      },
      {
        before: 'usersOf(ID, others).length === 0)',
        after: 'usersOf(ID, others).length >= 0)',
        noticed: 'a remote endpoint that another load balancer uses is deleted',
      },
      {
        before: 'if (users.length === 0) continue;',
        after: 'continue;',
        noticed: 'a backend is moved under another load balancer',
      },
      {
        before: '!needed.has(endpoint.ID) && isOwnRemote(endpoint)',
        after: '!needed.has(endpoint.ID)',
        noticed: "kube-proxy's remote endpoint is deleted",
      },
      {
        before: 'if (outdated.length > 0 || dangling) {',
        after: 'if (outdated.length > 0) {',
        noticed: 'a load balancer keeps an endpoint that is gone',
      },
      {
        before: 'endpoints.filter(isOwnRemote), others',
        after: 'endpoints, others',
        noticed: "deleting a load balancer deletes pods' endpoints",
      },
      {
        before: '[...outdated.map(deleteRemote), ...backends.flatMap(createRemote)]',
        after: '[...backends.flatMap(createRemote), ...outdated.map(deleteRemote)]',
        noticed: 'a backend that moved cannot be made',
      },
    ],
  },
  {
    file: 'src/plan/provider-address.ts',
    tests: ['unit/plan/provider-address', 'e2e/load-balancer'],
    mutants: [
      {
        before: 'prefix !== undefined && contains(prefix, address)',
        after: 'prefix !== undefined',
        noticed: 'packets to a backend go to the wrong node',
      },
      {
        before: ': providerAddressOf(network);',
        after: ': undefined;',
        noticed: 'a backend that is no pod is refused',
      },
    ],
  },
  {
    file: 'src/plan/remote-endpoint.ts',
    tests: [
      'unit/plan/remote-endpoint',
      'unit/plan/load-balancer',
      'e2e/load-balancer',
      'e2e/stale-addresses',
    ],
    mutants: [
      {
        before: ': Name === remoteName(IpAddress)',
        after: ': Name === undefined',
        noticed: 'a remote endpoint stays where HNS chooses the ids',
      },
      {
        before: ': Name === remoteName(IpAddress)',
        after: ': Name !== undefined',
        noticed: "kube-proxy's remote endpoint is taken for ours",
      },
      {
        before: 'isDerived(id) ? id === remoteEndpointId(HostComputeNetwork, IpAddress) :',
        after: 'isDerived(id) ? id !== HostComputeNetwork :',
        noticed: "kube-proxy's remote endpoint is taken for ours",
      },
      {
        before: 'macAddress ?? macFromAddress(macPrefix, address)',
        after: 'macFromAddress(macPrefix, address)',
        noticed: "a backend's MAC address is ignored",
      },
      {
        before: '(Flags & remoteEndpointFlag) !== 0',
        after: 'Flags === remoteEndpointFlag',
        noticed: "a remote endpoint with a further flag is taken for a pod's",
      },
      {
        before: '    ...(Policies !== undefined && Policies.length > 0 && { Policies }),\n',
        after: '',
        noticed: 'a remote endpoint restored on an Overlay network leads nowhere',
      },
      {
        before: 'macWithColons(mac) === macWithColons(macAddress)',
        after: 'mac === macAddress',
        noticed: 'a backend is made anew each time',
      },
      {
        before: 'provider === providerAddress',
        after: "provider !== ''",
        noticed: 'a backend that moved is still looked for on the old node',
      },
    ],
  },
];
