import { beforeEach, describe, expect, it, test } from 'vitest';
import { endpoint, network } from '../simulator/computenetwork.ts';
import { createEndpoint, createNetwork, hnsAroundEach, nat, overlay, query } from './test-client.ts';

hnsAroundEach();
const id = '3c6fab4d-6191-4171-a627-dd46f8c2e392';
const pod = '8b1c4a52-0c39-4b8f-a1f7-3f4a2d9e6b01';
const guid = expect.stringMatching(/^[0-9a-f-]{36}$/i);

beforeEach(async () => {
  await createNetwork(nat, id);
  await createEndpoint(id, {}, pod);
});

describe('Health', () => {
  test.each([
    ['a network', network, id],
    ['an endpoint', endpoint, pod],
  ])('of %s has no error and a FILETIME [O docker-netrestore]', async (_, verbs, object) => {
    const { Health } = (await query(verbs, object)).document as { Health: { Data: Record<string, number> } };
    const since1601 = (Date.now() + 11_644_473_600_000) * 10_000;
    expect(Health.Data['LastErrorCode']).toBe(0);
    expect(Math.abs(since1601 - (Health.Data['LastUpdateTime'] ?? 0))).toBeLessThan(600_000_000);
  });
  it('of a network has layer, switch and allocators, which clients read [S SDN#531, ncproxy hcn.go]', async () => {
    expect((await query(network, id)).document).toMatchObject({
      Health: {
        Extra: {
          LayeredOn: guid,
          SwitchGuid: guid,
          Resources: {
            ID: guid,
            AllocationOrder: 1,
            Allocators: [{ IsLocal: true }],
            State: 1,
            parentId: guid,
          },
        },
      },
    });
  });
  it('of a remote endpoint has an allocator that is not local [S SDN#531]', async () => {
    const remote = { Flags: 1, IpConfigurations: [{ IpAddress: '10.9.0.4' }] };
    expect((await createEndpoint(id, remote)).document).toMatchObject({
      Health: { Extra: { Resources: { Allocators: [{ IsLocal: false }] } } },
    });
  });
});

describe('an overlay network', () => {
  it('gets DrMacAddress and ProviderAddress, which flannel requires [S vxlan_windows.go]', async () => {
    const { document } = await createNetwork(overlay);
    expect(document['Policies']).toEqual([
      { Type: 'DrMacAddress', Settings: { Address: expect.stringMatching(/^00-15-5D(-[0-9A-F]{2}){3}$/) } },
      { Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.4' } },
    ]);
  });
  it('has them and VSID as members in V1 [O rke2#3925]', async () => {
    const { id: made } = await createNetwork(overlay);
    expect((await query(network, made, null)).document).toMatchObject({
      DrMacAddress: expect.stringMatching(/^00-15-5D/),
      ManagementIP: '10.0.0.4',
      Subnets: [{ Policies: [{ Type: 'VSID', VSID: 4096 }] }],
    });
  });
});

describe('an endpoint', () => {
  it('in V1 has State, Version, MAC address and the name of its network [O NanaBox, ovn-kubernetes#580]', async () => {
    expect((await query(endpoint, pod, null)).document).toMatchObject({
      MacAddress: '00-15-5D-52-C0-00',
      Name: 'Ethernet',
      SharedContainers: [],
      State: 1,
      Version: 64424509445,
      VirtualNetwork: id.toUpperCase(),
      VirtualNetworkName: 'nat',
    });
  });
  it('is counted in its network [O docker-netrestore]', async () => {
    expect((await query(network, id, null)).document).toMatchObject({ CurrentEndpointCount: 1 });
  });
  it('gets a unique MAC address from the pool of its network [T hcnutils_test.go]', async () => {
    const Ranges = [{ StartMacAddress: '00-15-5D-52-C0-FE', EndMacAddress: '00-15-5D-52-C1-01' }];
    const { id: pooled } = await createNetwork({ Type: 'Private', MacPool: { Ranges } });
    const given = { MacAddress: '00:15:5d:52:c0:ff' };
    const macs = [];
    for (const document of [given, {}, {}, {}])
      macs.push((await createEndpoint(pooled, document)).document['MacAddress']);
    expect(macs).toEqual([
      '00:15:5d:52:c0:ff',
      '00-15-5D-52-C0-FE',
      '00-15-5D-52-C1-00',
      '00-15-5D-52-C1-01',
    ]);
  });
  it('gets its MAC address from a default pool of 4096 [O docker-netrestore]', async () => {
    const { MacPool } = (await query(network, id)).document as {
      MacPool: { Ranges: { StartMacAddress: string; EndMacAddress: string }[] };
    };
    const [{ StartMacAddress = '', EndMacAddress = '' } = {}] = MacPool.Ranges;
    const value = (mac: string) => Number.parseInt(mac.replaceAll('-', ''), 16);
    expect(value(EndMacAddress) - value(StartMacAddress) + 1).toBe(4096);
  });
});
