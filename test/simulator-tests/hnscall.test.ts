import { beforeEach, describe, expect, it, test } from 'vitest';
import { endpoint, hnsCall, network } from '../simulator/computenetwork.ts';
import { startHns } from '../simulator/hns.ts';
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
  it('policies of an endpoint [O azure-container-networking#1752]', async () => {
    const Policies = [{ Type: 'ROUTE', DestinationPrefix: '10.96.0.0/12', NeedEncap: true }];
    await output('POST', `/endpoints/${pod}`, JSON.stringify({ Policies }));
    expect((await query(endpoint, pod)).document['Policies']).toEqual([
      { Type: 'SDNRoute', Settings: { DestinationPrefix: '10.96.0.0/12', NeedEncap: true } },
    ]);
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

test.each([
  ['ws2022', '0x803B0015'],
  ['ws2025', '0x80070490'],
] as const)(
  '%s refuses /accelnet requests [S hnslib hcnglobals.go: from 15.4, I]',
  async (profile, hresult) => {
    await service.hns.stop();
    const hns = await startHns({ profile, port: Number(service.hns.address.split(':')[1]) });
    const macs = JSON.stringify({ MacAddressList: [{ MacAddress: '00-15-5D-0A-B7-C6' }] });
    for (const method of ['GET', 'POST', 'DELETE'])
      expect(hex((await hnsCall(method, '/accelnet/', macs)).hresult)).toBe(hresult);
    expect(hns.dump()).toMatchObject({ networks: [], endpoints: [] });
    await hns.stop();
  },
);

it('on ws2019 an endpoint is attached only once [O buildkit#5686]', async () => {
  await service.hns.stop();
  const port = Number(service.hns.address.split(':')[1]);
  const hns = await startHns({ profile: 'ws2019', port });
  await createNetwork(nat, id);
  await createEndpoint(id, {}, pod);
  const attach = { SystemType: 'Container', ContainerId: '291cd4892b99' };
  await output('POST', `/endpoints/${pod}/attach`, JSON.stringify(attach));
  await output('POST', `/endpoints/${pod}/detach`, JSON.stringify(attach));
  expect(hex((await hnsCall('POST', `/endpoints/${pod}/attach`, '{}')).hresult)).toBe('0x803B002E');
  await hns.stop();
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
