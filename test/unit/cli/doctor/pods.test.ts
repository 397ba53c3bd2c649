import { describe, expect, test } from 'vitest';
import { natExceptions } from '../../../../src/cli/doctor/checks/nat-exceptions.ts';
import { pods as check } from '../../../../src/cli/doctor/checks/pods.ts';
import {
  diagnosisTexts,
  endpoint,
  facts,
  hostNamespace,
  node,
  pods,
  SchemaVersion,
  withAddress,
} from './facts.ts';

const namespace = '3a6e8c1d-5b7f-4920-8d4e-6f1a2b3c4d5e';
const host = { ID: hostNamespace, Type: 'HostDefault', NamespaceId: 1, SchemaVersion };
const pod = { ID: namespace, Type: 'Host', NamespaceId: 2, SchemaVersion };
const running = { ...pod, Resources: [{ Type: 'Container', Data: { Id: 'web' } }] };
const route = (NextHop: string) => ({ Routes: [{ NextHop, DestinationPrefix: '0.0.0.0/0' }] });
const attached = (given: object) =>
  withAddress('a', '10.244.1.7', { HostComputeNamespace: namespace, ...given });

const diagnose = (given: Parameters<typeof node>[0]) => diagnosisTexts(check.diagnose(node(given)));

describe('pods', () => {
  test('are not reported if there are none', () => {
    expect(diagnose({ namespaces: [host] })).toEqual([]);
  });

  test('warn if a container runs without an endpoint', () => {
    expect(diagnose({ namespaces: [host, running] })).toEqual([
      'WARN container web runs without an endpoint and has no network: recreate the pod | see: win-hcn show pod web',
    ]);
  });

  test('may have an endpoint that cannot be read', () => {
    const unreadable = [{ kind: 'Endpoint' as const, id: namespace, error: new Error('unreadable') }];
    expect(diagnose({ namespaces: [host, running], unreadable })).toEqual([]);
  });

  test('may have a namespace without containers: a starting pod', () => {
    expect(diagnose({ namespaces: [host, pod] })).toEqual([]);
  });

  test.each(['10.244.1.1', '10.244.1.2'])(
    'pass with gateway %s: the network’s, or the node by convention',
    (gateway) => {
      const endpoints = [attached(route(gateway))];
      expect(diagnose({ namespaces: [host, running], endpoints })).toEqual([
        'PASS gateway and DNS of 1 endpoint are valid',
      ]);
    },
  );

  test('pass with the address of a host endpoint as gateway', () => {
    const own = withAddress('b', '10.244.1.9', { HostComputeNamespace: hostNamespace });
    const endpoints = [own, attached(route('10.244.1.9'))];
    expect(diagnose({ namespaces: [host, running], endpoints })).toEqual([
      'PASS gateway and DNS of 1 endpoint are valid',
    ]);
  });

  test('warn about another gateway', () => {
    const endpoints = [attached(route('10.244.1.254'))];
    expect(diagnose({ namespaces: [host, running], endpoints })).toEqual([
      'WARN fd6bec0f (container web) uses gateway 10.244.1.254, but network "pods" has 10.244.1.1 | see: win-hcn show endpoint fd6bec0f',
    ]);
  });

  test('may have a link-local IPv6 gateway', () => {
    const ipv6 = {
      Routes: [{ NextHop: 'fd00::1', DestinationPrefix: '::/0' }],
      IpAddressPrefix: 'fd00::/64',
    };
    const networks = [{ ...pods, Ipams: [{ Subnets: [ipv6] }] }];
    const Routes = [{ NextHop: 'fe80::1', DestinationPrefix: '::/0' }];
    expect(diagnose({ namespaces: [host, running], endpoints: [attached({ Routes })], networks })).toEqual([
      'PASS gateway and DNS of 1 endpoint are valid',
    ]);
  });

  test('may have any gateway on a network without one', () => {
    const endpoints = [attached(route('10.244.1.254'))];
    const networks = [{ ...pods, Ipams: [] }];
    expect(diagnose({ namespaces: [host, running], endpoints, networks })).toEqual([
      'PASS gateway and DNS of 1 endpoint are valid',
    ]);
  });

  test('warn about ACLs that block DNS', () => {
    const Settings = { Action: 'Block', Direction: 'Out', Priority: 100, Protocols: '17', RemotePorts: '53' };
    const endpoints = [
      attached({ Dns: { ServerList: ['10.96.0.10'] }, Policies: [{ Type: 'ACL', Settings }] }),
    ];
    expect(diagnose({ namespaces: [host, running], endpoints })).toEqual([
      'WARN fd6bec0f (container web): its ACLs block DNS queries to 10.96.0.10 (UDP port 53) | see: win-hcn trace web 10.96.0.10:53/udp',
    ]);
  });

  test('pass if ACLs allow the backends of the DNS server, because ACLs may see these', () => {
    const Settings = { Action: 'Allow', Direction: 'Out', Protocols: '17', RemoteAddresses: '10.244.9.7' };
    const own = attached({ Dns: { ServerList: ['10.96.0.10'] }, Policies: [{ Type: 'ACL', Settings }] });
    const backend = withAddress('b', '10.244.9.7', { Flags: 1 });
    const dns = {
      ID: 'd4e6032f-bbf7-4b5a-880f-667bebc65502',
      HostComputeEndpoints: [backend.ID],
      FrontendVIPs: ['10.96.0.10'],
      PortMappings: [{ Protocol: 17, InternalPort: 53, ExternalPort: 53 }],
      SchemaVersion,
    };
    expect(
      diagnose({ namespaces: [host, running], endpoints: [own, backend], loadBalancers: [dns] }),
    ).toEqual(['PASS gateway and DNS of 1 endpoint are valid']);
  });

  test('do not include remote, host and unattached endpoints', () => {
    const endpoints = [
      attached({ Flags: 1, ...route('10.244.1.254') }),
      attached({ HostComputeNamespace: hostNamespace, ...route('10.244.1.254') }),
      endpoint('d', route('10.244.1.254')),
    ];
    expect(diagnose({ namespaces: [host, pod], endpoints })).toEqual([]);
  });
});

describe('NAT exceptions', () => {
  const translating = (Exceptions: readonly string[]) =>
    attached({ Policies: [{ Type: 'OutBoundNAT', Settings: { Exceptions } }] });
  const diagnoseNat = (...endpoints: readonly ReturnType<typeof attached>[]) => {
    const members = { outboundNat: { exceptions: ['10.244.0.0/16', '10.96.0.0/12'] } };
    const given = node({ namespaces: [host, running], endpoints }, { members });
    return diagnosisTexts(natExceptions.diagnose(given));
  };

  test('warn about those of the configuration that a pod lacks', () => {
    expect(diagnoseNat(translating(['10.244.0.0/16']))).toEqual([
      'WARN fd6bec0f (container web) lacks OutBoundNAT exception 10.96.0.0/12 of the configuration: recreate the pod | see: win-hcn show endpoint fd6bec0f',
    ]);
  });

  test('may be within a larger exception', () => {
    expect(diagnoseNat(translating(['10.0.0.0/8']), attached({}))).toEqual(['PASS 1 endpoint as configured']);
  });

  test('are not checked without outbound NAT', () => {
    expect(diagnoseNat(attached({}))).toEqual([]);
  });

  test('are unknown without a configuration', () => {
    expect(diagnosisTexts(natExceptions.diagnose(facts()))).toEqual([
      'UNKNOWN no valid configuration for win-hcn',
    ]);
  });
});
