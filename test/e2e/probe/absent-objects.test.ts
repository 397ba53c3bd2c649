import { describe, expect, test } from 'vitest';
import type { Fault } from '../../simulator/hns.ts';
import { answering, probeRow, refusal } from './run-probe.ts';

const unloaded = 'HCN_E_OBJECT_USED_AFTER_UNLOAD';
const kinds = ['Network', 'Endpoint', 'Namespace', 'LoadBalancer'];

interface Case {
  readonly row: string;
  readonly observed: string;
  readonly fault?: Fault;
}

const cases: readonly Case[] = [
  { row: 'openMissingNetwork', observed: 'HCN_E_NETWORK_NOT_FOUND' },
  {
    row: 'openMissingNetwork',
    observed: 'ERROR_NOT_FOUND',
    fault: refusal('HcnOpenNetwork', 'ERROR_NOT_FOUND'),
  },
  { row: 'openMissingEndpoint', observed: 'HCN_E_ENDPOINT_NOT_FOUND' },
  {
    row: 'openMissingEndpoint',
    observed: 'ERROR_NOT_FOUND',
    fault: refusal('HcnOpenEndpoint', 'ERROR_NOT_FOUND'),
  },
  { row: 'openMissingNamespace', observed: 'ERROR_NOT_FOUND' },
  { row: 'deleteMissingNamespace', observed: 'ERROR_NOT_FOUND' },
  {
    row: 'deleteMissingNamespace',
    observed: 'E_INVALIDARG',
    fault: refusal('HcnDeleteNamespace', 'E_INVALIDARG'),
  },
  ...kinds.flatMap((kind): readonly Case[] => [
    { row: `deleteOpen${kind}`, observed: 'deleted' },
    { row: `deleteOpen${kind}`, observed: 'ERROR_BUSY', fault: refusal(`HcnDelete${kind}`, 'ERROR_BUSY') },
    { row: `queryDeleted${kind}`, observed: unloaded },
    { row: `modifyDeleted${kind}`, observed: unloaded },
    { row: `modifyDeleted${kind}`, observed: 'E_HANDLE', fault: refusal(`HcnModify${kind}`, 'E_HANDLE') },
  ]),
  {
    row: 'queryDeletedEndpoint',
    observed: 'E_HANDLE',
    fault: refusal('HcnQueryEndpointProperties', 'E_HANDLE', 2),
  },
  { row: 'endpointOfDeletedNetwork', observed: unloaded },
  {
    row: 'endpointOfDeletedNetwork',
    observed: 'HCN_E_NETWORK_NOT_FOUND',
    fault: refusal('HcnCreateEndpoint', 'HCN_E_NETWORK_NOT_FOUND'),
  },
  { row: 'returnedId', observed: 'always' },
  { row: 'returnedId', observed: 'not always', fault: answering('HcnQueryLoadBalancerProperties', {}, 2) },
  { row: 'duplicateNetworkId', observed: 'HCN_E_NETWORK_ALREADY_EXISTS' },
  {
    row: 'duplicateNetworkId',
    observed: 'ERROR_DUP_NAME',
    fault: refusal('HcnCreateNetwork', 'ERROR_DUP_NAME', 2),
  },
  { row: 'duplicateNamespaceId', observed: 'ERROR_ALREADY_EXISTS' },
  {
    row: 'duplicateNamespaceId',
    observed: 'E_INVALIDARG',
    fault: refusal('HcnCreateNamespace', 'E_INVALIDARG', 2),
  },
  { row: 'duplicateLoadBalancerId', observed: 'ERROR_ALREADY_EXISTS' },
  {
    row: 'duplicateLoadBalancerId',
    observed: 'E_INVALIDARG',
    fault: refusal('HcnCreateLoadBalancer', 'E_INVALIDARG', 2),
  },
];

describe('probe observes', () => {
  test.each(cases)('$row: $observed', async ({ row, observed, fault }) => {
    expect(await probeRow(row, {}, fault && [fault])).toMatchObject({ id: row, observed });
  });
});

test('probe looks at the IDs of the objects that HNS creates', async () => {
  const fault = refusal('HcnCreateLoadBalancer', 'HCN_E_REQUEST_UNSUPPORTED');
  expect(await probeRow('returnedId', {}, [fault])).toMatchObject({
    verdict: 'holds',
    detail: 'network, endpoint, namespace',
  });
});

test('probe does not decide whether an ID can be used twice if HNS chooses the IDs', async () => {
  expect(await probeRow('duplicateEndpoint', { switches: { callerIds: 'ignored' } })).toMatchObject({
    verdict: 'not tried',
    reason: 'HNS chose another ID',
  });
});

test('probe does not decide what a handle to a deleted object returns if HNS refuses the deletion', async () => {
  const fault = refusal('HcnDeleteNetwork', 'ERROR_BUSY');
  expect(await probeRow('queryDeletedNetwork', {}, [fault])).toMatchObject({
    verdict: 'not tried',
    reason: expect.stringMatching(/^deleting the experiment's network: HCN returned ERROR_BUSY /),
  });
});
