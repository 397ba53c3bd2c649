import { beforeEach, describe, expect, it, test } from 'vitest';
import { endpoint, loadBalancer } from '../simulator/computenetwork.ts';
import { zeroGuid } from '../simulator/object-id.ts';
import { create, createEndpoint, createNetwork, hnsAroundEach, nat, query, remove } from './test-client.ts';

const service = hnsAroundEach();
const network = '3c6fab4d-6191-4171-a627-dd46f8c2e392';
const id = '8b1c4a52-0c39-4b8f-a1f7-3f4a2d9e6b01';

beforeEach(async () => {
  await createNetwork({ ...nat, Dns: { ServerList: ['10.96.0.10'] } }, network);
});

function at(IpAddress: string, members: object = {}) {
  return { IpConfigurations: [{ IpAddress }], ...members };
}

function mapping(Settings: object) {
  return { Policies: [{ Type: 'PortMapping', Settings }] };
}

describe('HNS completes an endpoint: it', () => {
  test('returns this document for an empty one [T hcnendpoint_test.go]', async () => {
    const { document } = await createEndpoint(network, {}, id);
    const { Health: _, ...rest } = document;
    expect(rest).toEqual({
      ID: id,
      Name: 'Ethernet',
      HostComputeNetwork: network,
      HostComputeNamespace: zeroGuid,
      IpConfigurations: [{ IpAddress: '192.168.100.2', PrefixLength: 24 }],
      Dns: { ServerList: ['10.96.0.10'] },
      Routes: [{ NextHop: '192.168.100.1', DestinationPrefix: '0.0.0.0/0' }],
      MacAddress: '00-15-5D-52-C0-00',
      State: 1,
      SchemaVersion: { Major: 2, Minor: 0 },
    });
  });
});

test.for([
  ['the gateway address', at('192.168.100.1'), '0x803B002F', 'O sig-windows-tools#71'],
  ['the network address', at('192.168.100.0'), '0x803B002F', 'O azure-container-networking#2060'],
  ['the broadcast address', at('192.168.100.255'), '0x803B002F', 'O azure-container-networking#2060'],
  ['an address outside of every subnet', at('192.168.101.5'), '0x803B001E', 'O'],
  ['a family without a subnet', at('fd00::5'), '0x803B0005', 'O Windows-Containers#82'],
  [
    'a port mapping without internal port',
    mapping({ Protocol: 6, ExternalPort: 80 }),
    '0x803B002D',
    'D HCNHResult.md',
  ],
  ['an unknown policy type', { Policies: [{ Type: 'Firewalls' }] }, '0x803B000E', 'O hcsshim#470'],
  ['an unknown member', { IPAddress: '192.168.100.9' }, '0x803B001B', 'O tunbury.org 2025-06-27'],
] as const)('$0 is refused with $2 [$3]', async ([, document, hresult]) => {
  expect((await createEndpoint(network, document)).hresult).toBe(hresult);
  expect(service.hns.dump().endpoints).toEqual([]);
});

describe('conflicts', () => {
  it('an address in use returns HCN_E_ADDR_INVALID_OR_RESERVED [O sig-windows-tools#71]', async () => {
    await createEndpoint(network, at('192.168.100.9'));
    expect(await createEndpoint(network, at('192.168.100.9'))).toMatchObject({
      hresult: '0x803B002F',
      error: 'An address provided is invalid or reserved. ',
    });
  });
});

describe('delete', () => {
  it('leaves a stale reference in a load balancer [O k8s#112836]', async () => {
    await createEndpoint(network, {}, id);
    const { id: balancer } = await create(loadBalancer, { HostComputeEndpoints: [id.toUpperCase()] });
    await remove(endpoint, id);
    expect((await query(loadBalancer, balancer)).document).toMatchObject({ HostComputeEndpoints: [id] });
  });
});
