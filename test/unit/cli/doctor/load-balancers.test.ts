import { describe, expect, test } from 'vitest';
import {
  loadBalancers as check,
  dnsService,
  services,
} from '../../../../src/cli/doctor/checks/load-balancers.ts';
import { readServices } from '../../../../src/cli/doctor/cluster-services.ts';
import type { ObservedEndpoint, ObservedLoadBalancer } from '../../../../src/hcn/documents.ts';
import { newNodeRoute } from '../../../../src/net/node-route.ts';
import { diagnosed, hostNamespace, node, pods, SchemaVersion, withAddress } from './snapshot.ts';

const backend = withAddress('b', '10.244.1.7');
const former = withAddress('9', '10.244.3.9', { Flags: 1 });
const missing = '7a2d3c4b-5e6f-4071-9b8c-0d1e2f3a4b54';
const mapping = (Protocol: number, InternalPort: number, ExternalPort: number) => ({
  Protocol,
  InternalPort,
  ExternalPort,
});
const loadBalancer = (given: Partial<ObservedLoadBalancer> = {}): ObservedLoadBalancer => ({
  ID: '8b3e4d5c-6f70-4182-8c9d-1e2f3a4b5c61',
  HostComputeEndpoints: [backend.ID],
  FrontendVIPs: ['10.96.0.77'],
  PortMappings: [mapping(6, 8080, 80)],
  SchemaVersion,
  ...given,
});

describe('load balancers', () => {
  const diagnose = (given: Parameters<typeof node>[0]) =>
    diagnosed(check, node({ endpoints: [backend], ...given }));

  test('are not reported if there are none', () => {
    expect(diagnose({})).toEqual([]);
  });

  test('pass if their backends exist and their frontends differ', () => {
    const other = loadBalancer({ PortMappings: [mapping(17, 8080, 80)] });
    expect(diagnose({ loadBalancers: [loadBalancer(), other] })).toEqual([
      'PASS 2 load balancers: backends and sources exist, no frontend is of a pod',
    ]);
  });

  test('may have a backend that HCN did not return', () => {
    const unreadable = [{ kind: 'Endpoint' as const, id: missing, error: new Error('unreadable') }];
    const one = loadBalancer({ HostComputeEndpoints: [missing] });
    expect(diagnose({ loadBalancers: [one], unreadable })).toEqual([]);
  });

  test.each<[string, Partial<ObservedLoadBalancer>, string]>([
    ['no backend', { HostComputeEndpoints: [] }, 'WARN has no backend'],
    [
      'a source address that no endpoint has',
      { SourceVIP: '10.244.1.9' },
      'FAIL has source VIP 10.244.1.9, which no endpoint has',
    ],
  ])('with %s are reported', (_, given, expected) => {
    expect(diagnose({ loadBalancers: [loadBalancer(given)] })).toEqual([
      `${expected} | 8b3e4d5c (10.96.0.77 80->8080/tcp) | noun: load balancer | see: win-hcn show loadbalancer 8b3e4d5c`,
    ]);
  });

  test('that send to an endpoint of no pod are a warning', () => {
    const endpoints = [{ ...backend, State: 4 }];
    expect(diagnose({ endpoints, loadBalancers: [loadBalancer()] })).toEqual([
      'WARN sends to 10.244.1.7 (Detached) | 8b3e4d5c (10.96.0.77 80->8080/tcp) | noun: load balancer | see: win-hcn show loadbalancer 8b3e4d5c',
    ]);
  });
});

describe('backends on other nodes', () => {
  const pod = withAddress('a', '10.244.1.7', {
    Policies: [{ Type: 'OutBoundNAT', Settings: { Exceptions: ['10.0.0.0/8', '10.244.0.0/16'] } }],
  });
  const unrouted =
    'WARN sends to 10.244.3.9, but this node has no route there, though to pods of other nodes';
  const fine = 'PASS 1 load balancer: backends and sources exist, no frontend is of a pod';
  test.each([
    ['have a route', '10.244.3.9', ['10.244.2.0/24', '10.244.3.0/24'], [], fine],
    ['have no route, but others have', '10.244.3.9', ['0.0.0.0/0', '10.244.2.0/24'], [], unrouted],
    ['are reached by a router', '10.244.3.9', ['0.0.0.0/0'], [], fine],
    ['are nodes', '10.0.0.20', ['0.0.0.0/0', '10.244.2.0/24'], [], fine],
    ['are nodes of another subnet', '10.0.5.20', ['0.0.0.0/0', '10.244.2.0/24'], [], fine],
    ['have a RemoteSubnetRoute', '10.244.3.9', [], ['10.244.2.0/24', '10.244.3.0/24'], fine],
    ['have none, but others have', '10.244.3.9', [], ['10.244.2.0/24'], unrouted],
  ])('%s', (_, address, prefixes, subnets, expected) => {
    const remote = withAddress('9', address, { Flags: 1 });
    const policies = subnets.map((DestinationPrefix) => ({
      Type: 'RemoteSubnetRoute',
      Settings: { DestinationPrefix },
    }));
    const networks = [{ ...pods, Policies: [...(pods.Policies ?? []), ...policies] }];
    const loadBalancers = [loadBalancer({ HostComputeEndpoints: [remote.ID] })];
    const value = prefixes.map((prefix) => newNodeRoute(12, prefix, '10.0.0.5'));
    const given = { ...node({ networks, endpoints: [pod, remote], loadBalancers }), routes: { value } };
    expect(diagnosed(check, given)).toEqual([expect.stringContaining(expected)]);
  });
});

describe('a DNS server of pods', () => {
  const Policies = [{ Type: 'OutBoundNAT', Settings: { Exceptions: ['10.96.0.0/12'] } }];
  const namespace = '3a6e8c1d-5b7f-4920-8d4e-6f1a2b3c4d5e';
  const namespaces = [hostNamespace, namespace].map((ID, index) => ({
    ID,
    Type: index === 0 ? 'HostDefault' : 'Host',
    NamespaceId: index + 1,
    SchemaVersion,
  }));
  const pod = (server: string): ObservedEndpoint =>
    withAddress('a', '10.244.1.7', {
      HostComputeNamespace: namespace,
      Dns: { ServerList: [server] },
      Policies,
    });
  const port = (Protocol: number) =>
    loadBalancer({ FrontendVIPs: ['10.96.0.10'], PortMappings: [mapping(Protocol, 53, 53)] });
  const diagnose = (server: string, ...given: readonly ObservedLoadBalancer[]) =>
    diagnosed(dnsService, node({ endpoints: [pod(server)], namespaces, loadBalancers: given }));

  test.each<[string, string, readonly ObservedLoadBalancer[], readonly string[]]>([
    ['that is no service is not reported', '192.0.2.53', [], []],
    [
      'passes with a load balancer for both protocols',
      '10.96.0.10',
      [port(6), port(17)],
      ['PASS load balancers have DNS server 10.96.0.10, UDP and TCP port 53'],
    ],
    [
      'without a load balancer is a warning for a pod that may not be one of Kubernetes',
      '10.96.0.10',
      [loadBalancer()],
      [
        'WARN no load balancer has DNS server 10.96.0.10: is kube-proxy running, and is this the address of the DNS service? | fd6bec0f | see: Get-Process kube-proxy',
      ],
    ],
  ])('%s', (_, server, given, expected) => {
    expect(diagnose(server, ...given)).toEqual(expected);
  });
});

describe('services of a list', () => {
  const service = (name: string, spec: object, labels: object = {}) => ({
    kind: 'Service',
    metadata: { namespace: 'shop', name, labels },
    spec: { clusterIPs: ['10.96.0.77'], ports: [{ port: 80, protocol: 'TCP' }], ...spec },
  });
  const slice = (name: string, conditions: object = {}) => ({
    kind: 'EndpointSlice',
    metadata: { namespace: 'shop', name: `${name}-x`, labels: { 'kubernetes.io/service-name': name } },
    endpoints: [{ addresses: ['10.244.1.7'], conditions }],
    ports: [{ port: 8080 }],
  });
  const v6 = (name: string) => ({
    ...slice(name),
    addressType: 'IPv6',
    endpoints: [{ addresses: ['fd00::7'] }],
  });
  const read = (...items: readonly object[]) =>
    readServices(new TextEncoder().encode(JSON.stringify({ kind: 'List', items })), 'services.json');

  test('have a port for each of their addresses', () => {
    const spec = { clusterIPs: ['10.96.0.77', 'fd00:96::77'], ports: [{ port: 53, protocol: 'UDP' }] };
    expect(read(service('web', spec), slice('web'), v6('web'))).toEqual([
      { name: 'shop/web', address: '10.96.0.77', port: 53, protocol: 17, backends: ['10.244.1.7:8080'] },
      { name: 'shop/web', address: 'fd00:96::77', port: 53, protocol: 17, backends: ['[fd00::7]:8080'] },
    ]);
  });

  test.each<[string, readonly object[]]>([
    ['without an address', [service('web', { clusterIPs: ['None'] }), slice('web')]],
    [
      'of another proxy',
      [service('web', {}, { 'service.kubernetes.io/service-proxy-name': 'x' }), slice('web')],
    ],
    ['for pods of the same node', [service('web', { internalTrafficPolicy: 'Local' }), slice('web')]],
    ['with SCTP', [service('web', { ports: [{ port: 80, protocol: 'SCTP' }] }), slice('web')]],
    ['without backends', [service('web', {}), slice('other')]],
    ['without backends for the port', [service('web', { ports: [{ name: 'x', port: 80 }] }), slice('web')]],
    ['without ready backends', [service('web', {}), slice('web', { ready: false })]],
  ])('%s need no load balancer', (_, items) => {
    expect(read(...items)).toEqual([]);
  });

  test('may have backends that are shutting down', () => {
    expect(read(service('web', {}), slice('web', { ready: false, serving: true }))).toHaveLength(1);
    expect(read(service('web', {}), slice('web', { ready: true, serving: false }))).toHaveLength(1);
  });

  test('need endpoint slices', () => {
    expect(() => read(service('web', {}))).toThrow(
      expect.objectContaining({
        message: 'services.json has no endpoint slices',
        details: "pass the output of kubectl get 'services,endpointslices' --all-namespaces -o json",
      }),
    );
  });

  const listed = [
    ...read(service('web', {}), slice('web')),
    ...read(service('v6', { clusterIPs: ['fd00:96::7'] }), v6('v6')),
  ];
  const subject = 'shop/web 10.96.0.77:80/tcp | noun: service port';
  const sends = (what: string) =>
    `WARN its load balancer sends to ${what}, unlike its endpoint slices: restart kube-proxy (Restart-Service kube-proxy, or delete its pod) | ${subject} | see: Get-Process kube-proxy`;
  test.each<[string, Partial<ObservedLoadBalancer>, string]>([
    [
      'the same backend',
      {},
      'PASS load balancers have all 1 service port of the cluster, and send only to backends in the endpoint slices',
    ],
    [
      'another address',
      { FrontendVIPs: ['10.96.0.78'] },
      `WARN no load balancer of this node has the service: is kube-proxy running? | ${subject} | see: Get-Process kube-proxy`,
    ],
    ['another port of the backend', { PortMappings: [mapping(6, 9090, 80)] }, sends('10.244.1.7:9090')],
    ['a former backend beside', { HostComputeEndpoints: [backend.ID, former.ID] }, sends('10.244.3.9:8080')],
    ['a backend that is gone', { HostComputeEndpoints: [missing] }, sends('no existing backend')],
  ])('are compared with the load balancers of a node without IPv6: %s', (_, changes, expected) => {
    const given = node({ endpoints: [backend, former], loadBalancers: [loadBalancer(changes)] });
    expect(diagnosed(services, { ...given, services: listed })).toEqual([expected]);
  });

  test('are unknown if HCN does not return an object', () => {
    const unreadable = [{ kind: 'Endpoint' as const, id: backend.ID, error: new Error('unreadable') }];
    const given = { ...node({ loadBalancers: [loadBalancer()], unreadable }), services: listed };
    expect(diagnosed(services, given)).toEqual([
      expect.stringMatching(/^UNKNOWN HCN does not return every object/),
    ]);
  });

  test('are not reported without the list', () => {
    expect(diagnosed(services, node())).toEqual([]);
  });
});
