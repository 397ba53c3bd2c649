import { beforeEach, describe, expect, it, test } from 'vitest';
import { endpoint, loadBalancer, sdnRoute } from '../simulator/computenetwork.ts';
import { create, createEndpoint, createNetwork, hnsAroundEach, nat, query, remove } from './test-client.ts';

const service = hnsAroundEach();
const network = '3c6fab4d-6191-4171-a627-dd46f8c2e392';
const pod = 'fd6bec0f-7b88-4b61-b5af-70897ab0960b';
const http = { Protocol: 6, InternalPort: 80, ExternalPort: 8090 };
const HostComputeEndpoints = [pod];

beforeEach(async () => {
  await createNetwork(nat, network);
  await createEndpoint(network, {}, pod);
});

describe('a load balancer', () => {
  it('may have a SourceVIP of no subnet, and any FrontendVIPs [T hcnloadbalancer_test.go]', async () => {
    const addresses = { SourceVIP: '10.0.0.1', FrontendVIPs: ['1.1.1.2', '1.1.1.3'] };
    const document = { ...addresses, HostComputeEndpoints, PortMappings: [http] };
    expect((await create(loadBalancer, document)).document).toMatchObject(addresses);
  });
  it('without FrontendVIPs is a NodePort and answers none [T hcnloadbalancer_test.go, O calico#7305]', async () => {
    const { document } = await create(loadBalancer, { HostComputeEndpoints, PortMappings: [http] });
    expect(document).not.toHaveProperty('FrontendVIPs');
  });
  test.each([1, 2, 8, 16])('keeps the flags %d of a port [T hcnloadbalancer_test.go]', async (Flags) => {
    const { document } = await create(loadBalancer, {
      HostComputeEndpoints,
      PortMappings: [{ ...http, Flags }],
    });
    expect(document['PortMappings']).toEqual([{ ...http, Flags }]);
  });
  it('keeps the flag of direct server return, which V1 shows as IsDSR [T hcnloadbalancer_test.go, O calico#8465]', async () => {
    const FrontendVIPs = ['1.1.1.2'];
    const given = { HostComputeEndpoints, Flags: 1, FrontendVIPs, PortMappings: [http] };
    const { id, document } = await create(loadBalancer, given);
    expect(document['Flags']).toBe(1);
    expect((await query(loadBalancer, id, null)).document['Policies']).toEqual([
      { ...http, IsDSR: true, Type: 'ELB', VIPs: FrontendVIPs },
    ]);
  });
  it('finds its endpoints in either case [S kube-proxy hns.go]', async () => {
    const { document } = await create(loadBalancer, { HostComputeEndpoints: [pod.toUpperCase()] });
    expect(document['HostComputeEndpoints']).toEqual([pod]);
  });
  it('keeps a stale reference when its endpoint is deleted [O k8s#112836]', async () => {
    const { id } = await create(loadBalancer, { HostComputeEndpoints: [pod] });
    expect(await remove(endpoint, pod)).toBe('0x00000000');
    expect((await query(loadBalancer, id)).document['HostComputeEndpoints']).toEqual([pod]);
  });
  it('answers the switch-port for a missing endpoint [O hcsshim#1043]', async () => {
    expect(await create(loadBalancer, { HostComputeEndpoints: [network] })).toMatchObject({
      hresult: '0x803B0007',
      error: 'The switch-port was not found. ',
    });
  });
  it('is restored after a restart, whose frontend is taken then [O k8s#139519]', async () => {
    const { id } = await create(loadBalancer, { HostComputeEndpoints, PortMappings: [http] });
    service.hns.restart();
    expect((await query(loadBalancer, id)).hresult).toBe('0x00000000');
    expect(await create(loadBalancer, { HostComputeEndpoints, PortMappings: [http] })).toMatchObject({
      hresult: '0x800700B7',
      error: 'Cannot create a file when that file already exists. ',
    });
  });
  it('differs from another in frontend, protocol or external port [O k8s#139519]', async () => {
    const others = [
      { ...http, Protocol: 17 },
      { ...http, ExternalPort: 80 },
    ];
    await create(loadBalancer, { HostComputeEndpoints, PortMappings: [http] });
    for (const mapping of others)
      expect((await create(loadBalancer, { HostComputeEndpoints, PortMappings: [mapping] })).hresult).toBe(
        '0x00000000',
      );
    const elsewhere = { HostComputeEndpoints, FrontendVIPs: ['1.1.1.2'], PortMappings: [http] };
    expect((await create(loadBalancer, elsewhere)).hresult).toBe('0x00000000');
  });
});

describe('a route', () => {
  it('may have host bits in its prefix [T hcnutils_test.go]', async () => {
    const Routes = [{ DestinationPrefix: '169.254.169.254/24', NextHop: '127.10.0.33' }];
    expect((await create(sdnRoute, { HostComputeEndpoints: [pod], Routes })).document).toMatchObject({
      Routes,
    });
  });
  it('is deleted and created again with the same ID, never changed [S hcnroute.go]', async () => {
    const { id } = await create(sdnRoute, { HostComputeEndpoints: [pod] });
    expect(await remove(sdnRoute, id)).toBe('0x00000000');
    expect((await create(sdnRoute, { ID: id, HostComputeEndpoints: [] })).id).toBe(id);
  });
});
