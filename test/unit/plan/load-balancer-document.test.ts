import { expect, test } from 'vitest';
import type { HostComputeLoadBalancer } from '../../../src/hcn/documents.ts';
import type { EndpointId } from '../../../src/hcn/guid.ts';
import { isSameLoadBalancer } from '../../../src/plan/load-balancer.ts';

const one = '11111111-aaaa-2222-3333-444444444444' as EndpointId;
const other = '22222222-bbbb-2222-3333-444444444444' as EndpointId;
const http = { Protocol: 6, ExternalPort: 80, InternalPort: 8080 };
const dns = { Protocol: 17, ExternalPort: 53, InternalPort: 5353, Flags: 1, DistributionType: 2 };
const document: HostComputeLoadBalancer = {
  HostComputeEndpoints: [one, other],
  SourceVIP: '10.244.1.2',
  FrontendVIPs: ['10.96.0.10', '10.96.0.11'],
  PortMappings: [http, dns],
  Flags: 1,
  SchemaVersion: { Major: 2, Minor: 0 },
};

test('two load balancers are the same in any order of their lists and in any case of ids', () => {
  const turned: HostComputeLoadBalancer = {
    ...document,
    HostComputeEndpoints: [other.toUpperCase() as EndpointId, one],
    FrontendVIPs: ['10.96.0.11', '10.96.0.10'],
    PortMappings: [dns, http],
  };
  expect(isSameLoadBalancer(document, turned)).toBe(true);
});

test('omitted members of a load balancer are its defaults', () => {
  const { SourceVIP: _, FrontendVIPs: __, Flags: ___, ...plain } = document;
  const mappings = { PortMappings: [http] };
  expect(
    isSameLoadBalancer(
      { ...plain, ...mappings },
      {
        ...plain,
        SourceVIP: '',
        FrontendVIPs: [],
        Flags: 0,
        PortMappings: [{ ...http, Flags: 0, DistributionType: 0 }],
      },
    ),
  ).toBe(true);
});
