import { beforeEach, describe, expect, it, test } from 'vitest';
import { endpoint, network } from '../simulator/computenetwork.ts';
import { createEndpoint, createNetwork, hnsAroundEach, modify, nat, query } from './test-client.ts';

hnsAroundEach({ profile: 'ws2025' });
const id = '3c6fab4d-6191-4171-a627-dd46f8c2e392';
const pod = '8b1c4a52-0c39-4b8f-a1f7-3f4a2d9e6b01';
const done = '0x00000000';
const acl = { Type: 'ACL', Settings: { Protocols: '6', Priority: 100, Action: 'Block', Direction: 'Out' } };
const tier = {
  Type: 'TierAcl',
  Settings: { Name: 'T1', Direction: 'In', Order: 1, TierAclRules: [{ TierAclRuleAction: 'Pass' }] },
};
const proxy = { Type: 'L4WFPPROXY', Settings: { OutboundProxyPort: '15001', UserSID: 'S-1-5-32-556' } };

beforeEach(async () => {
  await createNetwork(nat, id);
  await createEndpoint(id, {}, pod);
});

describe('the policies of an endpoint', () => {
  test.each([
    ['ACL', acl],
    ['TierAcl', tier],
    ['L4WFPPROXY', proxy],
  ])('are %s after an Update with it [T hcnendpoint_test.go]', async (_, policy) => {
    const request = { ResourceType: 'Policy', RequestType: 'Update', Settings: { Policies: [policy] } };
    expect((await modify(endpoint, pod, request)).hresult).toBe(done);
    expect((await query(endpoint, pod)).document['Policies']).toEqual([policy]);
  });
  it('are removed by a Remove with the policies that a query returned [S hcnproxyctl ClearPolicies]', async () => {
    const add = { ResourceType: 'Policy', RequestType: 'Add', Settings: { Policies: [proxy, acl] } };
    const { document } = await modify(endpoint, pod, add);
    const Settings = { Policies: document['Policies'] };
    const removed = await modify(endpoint, pod, { ...add, RequestType: 'Remove', Settings });
    expect(removed).toMatchObject({ hresult: done });
    expect(removed.document).not.toHaveProperty('Policies');
  });
});

describe('a request', () => {
  test.for([
    ['Add', { PortId: id, VirtualNicName: `${id}--${pod}`, VirtualMachineId: id }, 'S hns.v2.psm1'],
    ['Remove', {}, 'S hns.v2.psm1'],
    ['Refresh', undefined, 'S WSL'],
  ] as const)('$0 for the port of an endpoint is accepted [$2]', async ([RequestType, Settings]) => {
    const request = { ResourceType: 'Port', RequestType, ...(Settings && { Settings }) };
    expect((await modify(endpoint, pod, request)).hresult).toBe(done);
  });
  it('may have a ResourceUri [D HNS_Schema.md ModifySettingRequest]', async () => {
    const Settings = { Policies: [acl] };
    const request = { ResourceUri: '', ResourceType: 'Policy', RequestType: 'Add', Settings };
    expect((await modify(endpoint, pod, request)).hresult).toBe(done);
  });
  it('switches an extension of a network [D HNS_Schema.md Extension]', async () => {
    const Settings = { Id: 'E7C3B2F0-F3C5-48DF-AF2B-10FED6D72E7A', IsEnabled: true };
    const request = { ResourceType: 'Extension', RequestType: 'Update', Settings };
    expect((await modify(network, id, request)).hresult).toBe(done);
  });
  it('adds and removes a NetworkACL of a network [T hcnnetwork_test.go]', async () => {
    const policy = { ...acl, Type: 'NetworkACL' };
    const request = { ResourceType: 'Policy', RequestType: 'Add', Settings: { Policies: [policy] } };
    expect((await modify(network, id, request)).document['Policies']).toEqual([policy]);
    const removed = await modify(network, id, { ...request, RequestType: 'Remove' });
    expect(removed.document).not.toHaveProperty('Policies');
  });
});
