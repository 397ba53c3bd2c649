import { expect, test } from 'vitest';
import type { ObservedEndpoint } from '../../../src/hcn/documents.ts';
import { hresultOf } from '../../../src/hcn/hresults.ts';
import { afterAttachRefusal, afterEndpointRefusal, afterNetworkRefusal } from '../../../src/plan/refusals.ts';

const namespace = '7c806792-3d8f-4c7b-9e51-0d4f6a3b2c1d';
const idle: ObservedEndpoint = {
  ID: 'fd6bec0f-7b88-4b61-b5af-70897ab0960b',
  Name: 'pod1_pods_eth0',
  HostComputeNetwork: '22222222-2222-3333-4444-555555555555',
  SchemaVersion: { Major: 2, Minor: 0 },
};
const attached = { ...idle, HostComputeNamespace: namespace };
const elsewhere = { ...idle, HostComputeNamespace: '11111111-3d8f-4c7b-9e51-0d4f6a3b2c1d' };

test.each([
  ['an unattached endpoint', 'E_INVALIDARG', idle, { do: 'replace', endpoint: idle }],
  ['an attached endpoint', 'E_INVALIDARG', attached, { do: 'leave', endpoint: attached }],
  ['an endpoint in use', 'E_FAIL', { ...idle, State: 3 }, { do: 'leave', endpoint: { ...idle, State: 3 } }],
  ['none, and its address is taken', 'HCN_E_ADDR_INVALID_OR_RESERVED', undefined, { do: 'reclaim' }],
  ['none, and it exists', 'ERROR_ALREADY_EXISTS', undefined, { do: 'retry' }],
  ['none, and another reason', 'E_INVALIDARG', undefined, { do: 'fail' }],
] as const)('after a refused endpoint, ADD finds %s (%s)', (_, symbol, found, resolution) => {
  expect(afterEndpointRefusal(hresultOf(symbol), found)).toEqual(resolution);
});

test.each([
  ['absent', 'E_FAIL', undefined, true, 'gone'],
  ['in the namespace', 'HCN_E_ENDPOINT_ALREADY_ATTACHED', attached, true, 'attached'],
  ['in the namespace', 'E_FAIL', attached, true, 'detach'],
  ['in the namespace, by another request', 'HCN_E_ENDPOINT_ALREADY_ATTACHED', attached, false, 'leave'],
  ['in another namespace', 'E_FAIL', elsewhere, true, 'leave'],
  ['in no namespace', 'E_FAIL', idle, true, 'fail'],
] as const)('after a refused attachment, the endpoint is %s (%s)', (_, symbol, found, isOurs, resolution) => {
  expect(afterAttachRefusal(hresultOf(symbol), found, namespace, isOurs)).toBe(resolution);
});

test.each([
  ['HCN_E_ADAPTER_NOT_FOUND', true, { isAdapterBusy: true, mayAppear: true }],
  ['HCN_E_ADAPTER_NOT_FOUND', false, { isAdapterBusy: false, mayAppear: false }],
  ['E_FAIL', false, { isAdapterBusy: false, mayAppear: true }],
  ['HCN_E_NETWORK_ALREADY_EXISTS', false, { isAdapterBusy: false, mayAppear: true }],
  ['E_INVALIDARG', true, { isAdapterBusy: false, mayAppear: false }],
] as const)('after %s for a network on an adapter (%s)', (symbol, isExternal, resolution) => {
  expect(afterNetworkRefusal(hresultOf(symbol), isExternal)).toEqual(resolution);
});
