import { beforeEach, describe, expect, it } from 'vitest';
import { endpoint, hnsCall, network } from '../simulator/computenetwork.ts';
import { createEndpoint, createNetwork, hex, hnsAroundEach, nat, query } from './test-client.ts';

const service = hnsAroundEach();
const id = '3c6fab4d-6191-4171-a627-dd46f8c2e392';
const pod = '8b1c4a52-0c39-4b8f-a1f7-3f4a2d9e6b01';

beforeEach(async () => {
  await createNetwork(nat, id);
  await createEndpoint(id, {}, pod);
});

async function output(method: string, path: string, request = ''): Promise<unknown> {
  const { hresult, value } = await hnsCall(method, path, request);
  expect({ path, hresult: hex(hresult) }).toEqual({ path, hresult: '0x00000000' });
  return (JSON.parse(value ?? '') as { Output: unknown }).Output;
}

describe('reading', () => {
  it('a failed call returns its HRESULT and an error record [O hcsshim#1059]', async () => {
    const { hresult, value } = await hnsCall('GET', '/endpoints/00000000-0000-0000-0000-000000000000', '');
    expect(hex(hresult)).toBe('0x803B0002');
    expect(value).toBe('{"Success":false,"Error":"The endpoint was not found. ","ErrorCode":2151350274}');
  });
});

describe('HNSCall and HCN share', () => {
  it('networks and endpoints [T hnsv1_test.go]', async () => {
    const Subnets = [{ AddressPrefix: '192.168.7.0/24', GatewayAddress: '192.168.7.1' }];
    const created = await output('POST', '/networks/', JSON.stringify({ Name: 'v1', Type: 'nat', Subnets }));
    const { ID } = created as { ID: string };
    expect(created).toMatchObject({ Type: 'nat' });
    expect((await query(network, ID)).document).toMatchObject({
      Ipams: [{ Subnets: [{ Routes: [{ NextHop: '192.168.7.1', DestinationPrefix: '0.0.0.0/0' }] }] }],
    });
    const made = await output(
      'POST',
      '/endpoints/',
      JSON.stringify({ VirtualNetwork: ID, Policies: [{ Type: 'L2Driver' }] }),
    );
    const { ID: added } = made as { ID: string };
    expect((await query(endpoint, added)).document).toMatchObject({ Policies: [{ Type: 'L2Driver' }] });
    await output('POST', `/endpoints/${added}/attach`, '{"SystemType":"Host","CompartmentId":1}');
    expect(await output('GET', `/endpoints/${added}`)).toMatchObject({ State: 2 });
    expect(hex((await hnsCall('POST', `/endpoints/${added}/attach`, '{}')).hresult)).toBe('0x803B0014');
    await output('POST', `/endpoints/${added}/detach`, '{"SystemType":"Host"}');
    await output('DELETE', `/endpoints/${added}`);
    await output('DELETE', `/networks/${ID}`);
    expect(service.hns.dump().networks).toHaveLength(1);
  });
  it('a policy list with an ELB policy is a load balancer [O calico#8465]', async () => {
    const Policies = [
      { Type: 'ELB', Protocol: 6, InternalPort: 80, ExternalPort: 80, VIPs: ['10.96.0.10'], IsDSR: true },
    ];
    const References = [`/endpoints/${pod}`];
    expect(await output('POST', '/policylists/', JSON.stringify({ Policies, References }))).toMatchObject({
      Policies,
      References,
    });
    expect(service.hns.dump().loadBalancers).toMatchObject([{ Flags: 1, FrontendVIPs: ['10.96.0.10'] }]);
  });
});

describe('V1 documents through HcnCreate', () => {
  const v1 = { SchemaVersion: undefined };
  it('a network and its endpoint [T hcnv1schema_test.go]', async () => {
    const created = await createNetwork({
      ...v1,
      Name: 'v1',
      Type: 'l2bridge',
      MacPools: [{ StartMacAddress: '00-15-5D-52-C0-00', EndMacAddress: '00-15-5D-52-CF-FF' }],
      Subnets: [{ AddressPrefix: '192.168.9.0/24', GatewayAddress: '192.168.9.1' }],
      DNSServerList: '10.0.0.10,10.0.0.11',
      DNSSuffix: 'example,cluster.local',
    });
    expect(created.document).toMatchObject({
      Type: 'L2Bridge',
      Dns: { Domain: 'example', Search: ['cluster.local'], ServerList: ['10.0.0.10', '10.0.0.11'] },
    });
    const Policies = [{ Type: 'OutBoundNAT', ExceptionList: ['10.244.0.0/16'] }];
    const added = await createEndpoint(created.id, {
      ...v1,
      VirtualNetwork: created.id,
      IPAddress: '192.168.9.7',
      Policies,
    });
    expect(added.document).toMatchObject({
      IpConfigurations: [{ IpAddress: '192.168.9.7', PrefixLength: 24 }],
      Policies: [{ Type: 'OutBoundNAT', Settings: { Exceptions: ['10.244.0.0/16'] } }],
    });
  });
});
