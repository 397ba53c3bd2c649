import { beforeEach, describe, expect, it, test } from 'vitest';
import { endpoint, loadBalancer, namespace, network } from '../simulator/computenetwork.ts';
import {
  create,
  createEndpoint,
  createNetwork,
  hnsAroundEach,
  modify,
  nat,
  overlay,
  query,
} from './test-client.ts';

hnsAroundEach();
const id = '3c6fab4d-6191-4171-a627-dd46f8c2e392';
const pod = '8b1c4a52-0c39-4b8f-a1f7-3f4a2d9e6b01';

beforeEach(async () => {
  await createNetwork(nat, id);
});

describe('input', () => {
  test.each([
    ['a network', () => createNetwork({ Type: 'Private', Colour: 'blue' })],
    ['an endpoint', () => createEndpoint(id, { Colour: 'blue' })],
    ['a namespace', () => create(namespace, { Colour: 'blue' })],
    ['a load balancer', () => create(loadBalancer, { Colour: 'blue' })],
  ])('an unknown member of %s is refused with its name [O tunbury.org 2025-06-27]', async (_, refused) => {
    expect(await refused()).toMatchObject({
      hresult: '0x803B001B',
      error: 'Invalid JSON document string. {{Colour,UnknownField}}',
    });
  });
  it('a member in another case is unknown [I]', async () => {
    expect((await createEndpoint(id, { macAddress: '00-15-5D-52-C0-09' })).hresult).toBe('0x803B001B');
  });
  test.each([
    ['MacAddress', { MacAddress: null }],
    ['IpConfigurations', { IpConfigurations: null, Policies: null }],
    ['IpSubnets', { Dns: null, Routes: null, Name: null }],
  ])('null for %s means absent [S multipass, hns.v2.psm1]', async (_, members) => {
    const plain = await createEndpoint(id, {});
    const { hresult, document } = await createEndpoint(id, members);
    expect({ hresult, members: Object.keys(document) }).toEqual({
      hresult: '0x00000000',
      members: Object.keys(plain.document),
    });
  });
  it('read-only members are ignored [S hcnendpoint.go]', async () => {
    const readOnly = {
      State: 6,
      Version: 7,
      Health: { Data: { LastErrorCode: 5 }, Extra: {} },
      Telemetry: {},
    };
    const { document } = await createEndpoint(id, readOnly);
    expect(document).toMatchObject({ State: 1, Health: { Data: { LastErrorCode: 0 } } });
  });
  test.each([
    ['l2bridge', 'S multipass, hns.v2.psm1', 'L2Bridge'],
    ['L2BRIDGE', 'S Calico', 'L2Bridge'],
    [3, 'D hcn-scenarios.md', 'L2Bridge'],
  ])('an enumeration accepts %s and returns the official word [$1]', async (Type, _, word) => {
    const Ipams = [{ Type: 'static', Subnets: [{ IpAddressPrefix: '192.168.7.0/24' }] }];
    expect((await createNetwork({ Type, Ipams })).document).toMatchObject({
      Type: word,
      Ipams: [{ Type: 'Static' }],
    });
  });
  it('a request accepts words in any case [S hns.v2.psm1]', async () => {
    await createEndpoint(id, {}, pod);
    const { id: sandbox } = await create(namespace, { Type: 'hostdefault' });
    const request = { ResourceType: 'ENDPOINT', RequestType: 'add', Settings: { EndpointId: pod } };
    expect((await modify(namespace, sandbox, request)).hresult).toBe('0x00000000');
  });
  test.each([
    ['dashes', '02-11-0A-F0-00-0b', '0x00000000', 'O AKS#1367'],
    ['colons', '02:11:0A:F0:00:0b', '0x00000000', 'C'],
    ['no separators', '02110AF0000b', '0x80070057', 'C'],
    ['both', '02:11-0A:F0-00:0b', '0x80070057', 'I'],
  ])('a MAC address with $0 returns $2 [$3]', async (_, MacAddress, hresult) => {
    expect((await createEndpoint(id, { MacAddress })).hresult).toBe(hresult);
  });
});

describe('answers', () => {
  it('have flags and protocols as numbers [O calico#7305]', async () => {
    const PortMappings = [{ Protocol: 'tcp', InternalPort: 80, ExternalPort: 80, Flags: 1 }];
    await createEndpoint(id, {}, pod);
    const balancer = { HostComputeEndpoints: [pod], PortMappings, Flags: 1 };
    const { document } = await create(loadBalancer, balancer);
    expect(document).toMatchObject({ Flags: 1, PortMappings: [{ Protocol: 6, Flags: 1 }] });
  });
  test.each([8, 1024, 1032])(
    'repeat the NetworkFlags %d [T hcnnetwork_test.go TestNetworkFlags]',
    async (Flags) => {
      expect((await createNetwork({ ...overlay, Flags })).document['Flags']).toBe(Flags);
    },
  );
  it('omit Flags that are zero [S HNS.Schema.rs OmitEmpty]', async () => {
    expect((await query(network, id)).document).not.toHaveProperty('Flags');
    expect((await createEndpoint(id, { Flags: 0 })).document).not.toHaveProperty('Flags');
  });
  it('have the schema version 2.0 [O calico#7305]', async () => {
    expect((await query(network, id)).document['SchemaVersion']).toEqual({ Major: 2, Minor: 0 });
  });
  it('in V1 have the version of the service as one number [O docker-netrestore]', async () => {
    expect((await query(network, id, null)).document['Version']).toBe(64424509445);
  });
  it('name a new endpoint Ethernet unless it has a name [O AKS#1367, NanaBox]', async () => {
    expect((await createEndpoint(id, { Name: '' })).document['Name']).toBe('Ethernet');
    expect((await createEndpoint(id, { Name: 'cid_nat' }, pod)).document['Name']).toBe('cid_nat');
    expect((await query(endpoint, pod, null)).document['Name']).toBe('cid_nat');
  });
  it('show the zero GUID as the namespace of an unattached endpoint [O antrea#2306]', async () => {
    expect((await createEndpoint(id, {})).document['HostComputeNamespace']).toBe(
      '00000000-0000-0000-0000-000000000000',
    );
  });
});

describe('AutomaticDNS', () => {
  const Policies = [{ Type: 'AutomaticDNS', Settings: { Enable: true } }];
  it('is a policy in V2 and a member in V1 [S hnsnetwork.go, hcnpolicy.go]', async () => {
    const { id: made, document } = await createNetwork({ Type: 'Private', Policies });
    expect(document['Policies']).toEqual(Policies);
    expect((await query(network, made, null)).document).toMatchObject({ AutomaticDNS: true, Policies: [] });
  });
  it('comes from a V1 document too [S hnsnetwork.go]', async () => {
    const { document } = await createNetwork({
      SchemaVersion: undefined,
      Type: 'private',
      AutomaticDNS: true,
    });
    expect(document['Policies']).toEqual(Policies);
  });
});
