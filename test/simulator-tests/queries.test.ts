import { beforeEach, describe, expect, it, test } from 'vitest';
import { endpoint, network } from '../simulator/computenetwork.ts';
import {
  createEndpoint,
  createNetwork,
  enumerate,
  hex,
  hnsAroundEach,
  overlay,
  query,
} from './test-client.ts';

const id = '3c6fab4d-6191-4171-a627-dd46f8c2e392';
const pod = '8b1c4a52-0c39-4b8f-a1f7-3f4a2d9e6b01';
hnsAroundEach();
beforeEach(async () => {
  await createNetwork(overlay, id);
  await createEndpoint(id, { Name: 'cid_flannel.4096' }, pod);
});

describe('filters', () => {
  test.each([
    ['ID in upper case [S hcnendpoint.go]', { ID: pod.toUpperCase() }, [pod]],
    ['ID in lower case [S hcnendpoint.go]', { ID: pod }, [pod]],
    ['Name [S hcnnetwork.go]', { Name: 'cid_flannel.4096' }, [pod]],
    ['VirtualNetwork [S hcnendpoint.go]', { VirtualNetwork: id }, [pod]],
    ['VirtualNetworkName [S hns.v2.psm1]', { VirtualNetworkName: 'flannel.4096' }, [pod]],
    ['the V2 member for the network, which V1 lacks [S hcnendpoint.go]', { HostComputeNetwork: id }, []],
    ['Name in another case [I]', { Name: 'CID_flannel.4096' }, []],
    ['IPAddress, which never matches [S WSL NatNetworking.cpp]', { IPAddress: '10.244.3.2' }, []],
    ['two members, of which one differs [I]', { Name: 'cid_flannel.4096', VirtualNetwork: pod }, []],
    ['nothing [S hns.v2.psm1]', {}, [pod]],
  ])('by %s', async (_, filter, ids) => {
    expect(await enumerate(endpoint, filter)).toEqual(ids);
  });
  it('match Flags exactly [S WSL WslCoreNetworkingSupport.h]', async () => {
    expect(await enumerate(network, { Flags: 8 })).toEqual([id]);
    expect(await enumerate(network, { Flags: 9 })).toEqual([]);
  });
});

describe('the schema of the answer', () => {
  test.each([
    ['NULL [S WSL]', null],
    ['an empty object [S multipass]', '{}'],
    ['Major 1 [S hns.v2.psm1]', '{"SchemaVersion":{"Major":1,"Minor":0}}'],
  ])('is V1 for %s', async (_, text) => {
    const { document } = await query(endpoint, pod, text);
    expect(document).toMatchObject({
      ID: pod.toUpperCase(),
      VirtualNetwork: id.toUpperCase(),
      VirtualNetworkName: 'flannel.4096',
      IPAddress: '10.244.3.2',
      PrefixLength: 24,
      GatewayAddress: '10.244.3.1',
      State: 1,
      Version: 64424509445,
    });
  });
  it('is V2 for Major 2, with the filter of the enumeration ignored [S hcnnetwork.go]', async () => {
    const text = JSON.stringify({ SchemaVersion: { Major: 2, Minor: 0 }, Filter: '{"Name":"other"}' });
    expect((await query(endpoint, pod, text)).document).toMatchObject({ ID: pod, HostComputeNetwork: id });
  });
  it('of a V1 overlay network has the members of an answer captured on a real host [O rke2#3925]', async () => {
    expect((await query(network, id, null)).document).toMatchObject({
      DrMacAddress: '00-15-5D-8B-A6-00',
      Flags: 8,
      ManagementIP: '10.0.0.4',
      Subnets: [
        {
          AddressPrefix: '10.244.3.0/24',
          GatewayAddress: '10.244.3.1',
          Policies: [{ Type: 'VSID', VSID: 4096 }],
        },
      ],
      Type: 'Overlay',
    });
  });
});

test.each([
  ['an empty string [C]', ''],
  ['invalid JSON [I]', '{'],
  ['an unknown member [O tunbury.org 2025-06-27]', '{"Name":"WDAG"}'],
  ['a filter that is an object [D HNS_Schema.md HostComputeQuery]', '{"Filter":{"Name":"a"}}'],
  ['a filter that is not JSON [I]', '{"Filter":"Name=a"}'],
  ['an unknown schema version [I]', '{"SchemaVersion":{"Major":3}}'],
])('a query with %s is refused', async (_, text) => {
  const answer = await network.enumerate(text);
  expect({ ...answer, hresult: hex(answer.hresult) }).toMatchObject({
    hresult: '0x803B001B',
    value: undefined,
  });
});
