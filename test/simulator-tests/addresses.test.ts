import { describe, expect, it } from 'vitest';
import { endpoint } from '../simulator/computenetwork.ts';
import { createEndpoint, createNetwork, hnsAroundEach, nat, query } from './test-client.ts';

hnsAroundEach();
const id = '3c6fab4d-6191-4171-a627-dd46f8c2e392';
const pod = '8b1c4a52-0c39-4b8f-a1f7-3f4a2d9e6b01';

const at = (...addresses: string[]) => ({ IpConfigurations: addresses.map((IpAddress) => ({ IpAddress })) });

describe('on a network', () => {
  it('of the other family, an address has no subnet [O Windows-Containers#82]', async () => {
    await createNetwork(nat, id);
    expect(await createEndpoint(id, at('fd00::9'))).toMatchObject({
      hresult: '0x803B0005',
      error: 'The network does not have a subnet for this endpoint. ',
    });
  });
  it('without subnets, an address has no subnet [O Windows-Containers#82]', async () => {
    await createNetwork({ Type: 'Private' }, id);
    expect((await createEndpoint(id, at('10.5.0.2'))).hresult).toBe('0x803B0005');
  });
  it('an address outside the subnets returns an error record with the reason [O]', async () => {
    await createNetwork(nat, id);
    expect(await createEndpoint(id, at('10.5.0.2'))).toMatchObject({
      hresult: '0x803B001E',
      error: 'IP address is either invalid or not part of any configured subnet(s). ',
    });
  });
  it('a new V1 endpoint has the gateway of its subnet [O ovn-kubernetes#580]', async () => {
    await createNetwork(nat, id);
    await createEndpoint(id, { SchemaVersion: undefined, VirtualNetwork: id }, pod);
    expect((await query(endpoint, pod, null)).document).toMatchObject({
      IPAddress: '192.168.100.2',
      PrefixLength: 24,
      GatewayAddress: '192.168.100.1',
    });
  });
});
