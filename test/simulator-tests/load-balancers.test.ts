import { beforeEach, describe, expect, it, test } from 'vitest';
import { endpoint, loadBalancer } from '../simulator/computenetwork.ts';
import {
  create,
  createEndpoint,
  createNetwork,
  done,
  hnsAroundEach,
  nat,
  networkId,
  query,
  remove,
} from './test-client.ts';

hnsAroundEach();
const pod = 'fd6bec0f-7b88-4b61-b5af-70897ab0960b';
const id = '0be07c06-353c-4fbf-8ebc-5531f877e68a';
const port = { Protocol: 6, InternalPort: 80, ExternalPort: 31416, Flags: 2 };
const nodePort = { HostComputeEndpoints: [pod], SourceVIP: '10.10.253.194', PortMappings: [port] };

beforeEach(async () => {
  await createNetwork(nat, networkId);
  await createEndpoint(networkId, {}, pod);
});

const changed = (changes: object) => create(loadBalancer, { ...nodePort, ...changes });

describe('a load balancer', () => {
  it('is shown as in an answer captured on a real host (calico#7305) [O]', async () => {
    const { document } = await create(loadBalancer, nodePort, id);
    expect(JSON.stringify(document)).toBe(
      '{"ID":"0be07c06-353c-4fbf-8ebc-5531f877e68a","HostComputeEndpoints":["fd6bec0f-7b88-4b61-b5af-70897ab0960b"],"SourceVIP":"10.10.253.194","PortMappings":[{"Protocol":6,"InternalPort":80,"ExternalPort":31416,"Flags":2}],"SchemaVersion":{"Major":2,"Minor":0}}',
    );
  });
  test.for<[string, object, string]>([
    ['a SourceVIP of no subnet', { SourceVIP: '10.0.0.1' }, 'T hcnloadbalancer_test.go'],
    ['flags and any FrontendVIPs', { Flags: 1, FrontendVIPs: ['1.1.1.2', '1.1.1.3'] }, 'T'],
    ...[1, 2, 8, 16].map((Flags): [string, object, string] => [
      `the port flags ${Flags}`,
      { PortMappings: [{ ...port, Flags }] },
      'T hcnloadbalancer_test.go',
    ]),
  ])('keeps $0 [$2]', async ([, changes]) => {
    expect((await changed(changes)).document).toMatchObject({ ...nodePort, ...changes });
  });
  it('with direct server return has IsDSR in V1 [T hcnloadbalancer_test.go, O calico#8465]', async () => {
    const PortMappings = [{ ...port, Flags: 0 }];
    const { id: created } = await changed({
      Flags: 1,
      SourceVIP: '',
      FrontendVIPs: ['1.1.1.2'],
      PortMappings,
    });
    expect((await query(loadBalancer, created, null)).document['Policies']).toEqual([
      { Protocol: 6, InternalPort: 80, ExternalPort: 31416, IsDSR: true, Type: 'ELB', VIPs: ['1.1.1.2'] },
    ]);
  });
  it('keeps a stale reference to a deleted endpoint [O k8s#112836]', async () => {
    await create(loadBalancer, nodePort, id);
    expect(await remove(endpoint, pod)).toBe(done);
    expect((await query(loadBalancer, id)).document['HostComputeEndpoints']).toEqual([pod]);
  });
  it('with a missing endpoint is refused: its switch-port was not found (hcsshim#1043) [O]', async () => {
    expect(await changed({ HostComputeEndpoints: [id] })).toMatchObject({
      hresult: '0x803B0007',
      error: 'The switch-port was not found. ',
    });
  });
  it('and a port mapping of an endpoint exclude each other (kubernetes/community#8883) [O]', async () => {
    const mapping = (Protocol: number) => ({
      Policies: [{ Type: 'PortMapping', Settings: { Protocol, InternalPort: 80, ExternalPort: 31416 } }],
    });
    await createEndpoint(networkId, mapping(6), id);
    expect((await changed({})).hresult).toBe('0x803B0013');
    expect((await changed({ FrontendVIPs: ['10.0.0.4'] })).hresult).toBe('0x803B0013');
    expect((await changed({ FrontendVIPs: ['1.1.1.2'] })).hresult).toBe(done);
    await remove(endpoint, id);
    await changed({});
    expect((await createEndpoint(networkId, mapping(6))).hresult).toBe('0x803B0013');
    expect((await createEndpoint(networkId, mapping(17))).hresult).toBe(done);
  });
});

describe.each([
  ['ws2019', '0x803B000D'],
  ['ws2022', done],
] as const)('an IPv6 load balancer on %s [S]', (profile, hresult) => {
  hnsAroundEach({ profile });
  it(`returns ${hresult}`, async () => {
    const Subnets = [{ IpAddressPrefix: '10.9.0.0/24' }];
    const { id: bridge } = await createNetwork({ Name: 'l2bridge', Type: 'L2Bridge', Ipams: [{ Subnets }] });
    const remote = {
      Flags: 1,
      MacAddress: '02-11-0A-F0-00-0b',
      IpConfigurations: [{ IpAddress: 'fd00::9' }],
    };
    const { id: backend } = await createEndpoint(bridge, remote);
    const FrontendVIPs = ['fd00::10'];
    const document = { HostComputeEndpoints: [backend], FrontendVIPs, PortMappings: [port], Flags: 2 };
    expect((await create(loadBalancer, document)).hresult).toBe(hresult);
  });
});
