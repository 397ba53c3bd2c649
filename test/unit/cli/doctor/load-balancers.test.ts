import { expect, test } from 'vitest';
import { backends } from '../../../../src/cli/doctor/checks/load-balancers.ts';
import { diagnosisTexts, node, SchemaVersion, withAddress } from './facts.ts';

const backend = withAddress('b', '10.244.1.7');
const loadBalancer = (...HostComputeEndpoints: readonly string[]) => ({
  ID: '8b3e4d5c-6f70-4182-8c9d-1e2f3a4b5c61',
  HostComputeEndpoints,
  FrontendVIPs: ['10.96.0.77'],
  PortMappings: [{ Protocol: 6, InternalPort: 8080, ExternalPort: 80 }],
  SchemaVersion,
});
const missing = '7a2d3c4b-5e6f-4071-9b8c-0d1e2f3a4b54';

const diagnose = (given: Parameters<typeof node>[0]) => diagnosisTexts(backends.diagnose(node(given)));

test('a node without load balancers has no finding', () => {
  expect(diagnose({})).toEqual([]);
});

test('load balancers whose backends exist pass', () => {
  expect(diagnose({ endpoints: [backend], loadBalancers: [loadBalancer(backend.ID)] })).toEqual([
    'PASS 1 load balancer, all backends exist',
  ]);
});

test('a load balancer with a missing backend is a warning', () => {
  expect(diagnose({ endpoints: [backend], loadBalancers: [loadBalancer(backend.ID, missing)] })).toEqual([
    'WARN 8b3e4d5c (10.96.0.77 80->8080/tcp) has a backend that does not exist: 7a2d3c4b | see: win-hcn show loadbalancer 8b3e4d5c',
  ]);
});

test('a backend that cannot be read may exist', () => {
  const unreadable = [{ kind: 'Endpoint' as const, id: missing, error: new Error('unreadable') }];
  expect(diagnose({ loadBalancers: [loadBalancer(missing)], unreadable })).toEqual([]);
});
