import { beforeEach, describe, expect, it } from 'vitest';
import { endpoint, loadBalancer, sdnRoute } from '../simulator/computenetwork.ts';
import { startHns } from '../simulator/hns.ts';
import {
  create,
  createEndpoint,
  createNetwork,
  enumerate,
  hnsAroundEach,
  modify,
  nat,
  query,
  remove,
} from './test-client.ts';

const service = hnsAroundEach();
const network = '3c6fab4d-6191-4171-a627-dd46f8c2e392';
const pod = 'fd6bec0f-7b88-4b61-b5af-70897ab0960b';
const id = '0be07c06-353c-4fbf-8ebc-5531f877e68a';
const nodePort = {
  HostComputeEndpoints: [pod],
  SourceVIP: '10.10.253.194',
  PortMappings: [{ Protocol: 6, InternalPort: 80, ExternalPort: 31416, Flags: 2 }],
};

beforeEach(async () => {
  await createNetwork(nat, network);
  await createEndpoint(network, {}, pod);
});

describe('load balancers', () => {
  it('answer what was captured from a real host (calico#7305) [O]', async () => {
    const { document } = await create(loadBalancer, nodePort, id);
    expect(JSON.stringify(document)).toBe(
      '{"ID":"0be07c06-353c-4fbf-8ebc-5531f877e68a","HostComputeEndpoints":["fd6bec0f-7b88-4b61-b5af-70897ab0960b"],"SourceVIP":"10.10.253.194","PortMappings":[{"Protocol":6,"InternalPort":80,"ExternalPort":31416,"Flags":2}],"SchemaVersion":{"Major":2,"Minor":0}}',
    );
  });
  it('echo flags and frontends [T]', async () => {
    const dsr = { ...nodePort, Flags: 1, FrontendVIPs: ['1.1.1.2', '1.1.1.3'] };
    expect((await create(loadBalancer, dsr)).document).toMatchObject(dsr);
  });
  it('refuse a frontend that is taken [O]', async () => {
    await create(loadBalancer, nodePort);
    expect((await create(loadBalancer, nodePort)).hresult).toBe('0x800700B7');
    expect((await create(loadBalancer, { ...nodePort, FrontendVIPs: ['1.1.1.2'] })).hresult).toBe(
      '0x00000000',
    );
  });
  it('can be created again with the same ID after a delete [T]', async () => {
    await create(loadBalancer, { ...nodePort, ID: id });
    expect(await remove(loadBalancer, id)).toBe('0x00000000');
    expect((await create(loadBalancer, { ...nodePort, ID: id })).id).toBe(id);
    expect(await enumerate(loadBalancer)).toEqual([id]);
  });
  it('refuse a missing endpoint, whose switch-port is not found (hcsshim#1043) [O]', async () => {
    expect((await create(loadBalancer, { ...nodePort, HostComputeEndpoints: [id] })).hresult).toBe(
      '0x803B0007',
    );
  });
  it('refuse a GUID that exists [I]', async () => {
    await create(loadBalancer, nodePort, id);
    expect((await create(loadBalancer, { HostComputeEndpoints: [pod] }, id)).hresult).toBe('0x800700B7');
  });
  it('and port mappings of endpoints exclude each other (kubernetes/community#8883) [O]', async () => {
    const mapping = (Protocol: number) => ({
      Policies: [{ Type: 'PortMapping', Settings: { Protocol, InternalPort: 80, ExternalPort: 31416 } }],
    });
    await createEndpoint(network, mapping(6), id);
    expect((await create(loadBalancer, nodePort)).hresult).toBe('0x803B0013');
    expect((await create(loadBalancer, { ...nodePort, FrontendVIPs: ['10.0.0.4'] })).hresult).toBe(
      '0x803B0013',
    );
    expect((await create(loadBalancer, { ...nodePort, FrontendVIPs: ['1.1.1.2'] })).hresult).toBe(
      '0x00000000',
    );
    await remove(endpoint, id);
    await create(loadBalancer, nodePort);
    expect((await createEndpoint(network, mapping(6))).hresult).toBe('0x803B0013');
    expect((await createEndpoint(network, mapping(17))).hresult).toBe('0x00000000');
  });
  it.each([
    ['no internal port [D]', { PortMappings: [{ Protocol: 6, ExternalPort: 80 }] }, '0x803B002D'],
    ['no external port [I]', { PortMappings: [{ Protocol: 6, InternalPort: 80 }] }, '0x803B000D'],
    ['no protocol [I]', { PortMappings: [{ InternalPort: 80, ExternalPort: 80 }] }, '0x803B000D'],
    [
      'a protocol without ports [I]',
      { PortMappings: [{ Protocol: 1, InternalPort: 80, ExternalPort: 80 }] },
      '0x803B000D',
    ],
    [
      'a port-mapping flag that is none [D]',
      { PortMappings: [{ Protocol: 6, InternalPort: 80, ExternalPort: 80, Flags: 32 }] },
      '0x803B000D',
    ],
    ['a flag that is none [D]', { Flags: 4 }, '0x803B000D'],
    [
      'a frontend twice [I]',
      { PortMappings: [80, 81].map((InternalPort) => ({ Protocol: 6, InternalPort, ExternalPort: 80 })) },
      '0x803B000D',
    ],
    ['an IPv6 VIP without the flag [I]', { FrontendVIPs: ['fd00::10'] }, '0x803B000D'],
    ['an IPv4 VIP with the flag IPv6 [I]', { Flags: 2 }, '0x803B000D'],
    ['VIPs of two families [I]', { FrontendVIPs: ['1.1.1.2', 'fd00::10'] }, '0x803B000D'],
    [
      'endpoints without an address of its family [I]',
      { FrontendVIPs: ['fd00::10'], SourceVIP: 'fd00::1', Flags: 2 },
      '0x803B000D',
    ],
  ])('refuse %s', async (_, changes, hresult) => {
    expect((await create(loadBalancer, { ...nodePort, ...changes })).hresult).toBe(hresult);
  });
  it('that are missing answer ERROR_NOT_FOUND [I]', async () => {
    expect(await remove(loadBalancer, id)).toBe('0x80070490');
    expect((await query(loadBalancer, id)).hresult).toBe('0x80070490');
  });
  it.each([
    ['ws2019 cannot have IPv6 [S]', 'ws2019', '0x803B000D'],
    ['ws2022 can have IPv6 [S]', 'ws2022', '0x00000000'],
  ] as const)('of %s', async (_, profile, hresult) => {
    await service.hns.stop();
    const hns = await startHns({ profile, port: Number(service.hns.address.split(':')[1]) });
    const Subnets = [{ IpAddressPrefix: '10.9.0.0/24' }];
    const bridge = { Name: 'l2bridge', Type: 'L2Bridge', Ipams: [{ Subnets }] };
    const IpConfigurations = [{ IpAddress: 'fd00::9' }];
    const remote = { Flags: 1, MacAddress: '02-11-0A-F0-00-0b', IpConfigurations };
    const { id: parent } = await createNetwork(bridge);
    const { id: backend } = await createEndpoint(parent, remote);
    const document = {
      HostComputeEndpoints: [backend],
      FrontendVIPs: ['fd00::10'],
      PortMappings: nodePort.PortMappings,
      Flags: 2,
    };
    expect((await create(loadBalancer, document)).hresult).toBe(hresult);
    await hns.stop();
  });
  it.each([
    ['ws2022 cannot be modified [S]', 'unsupported', '0x80004001', undefined],
    ['ws2025 ignore a modification (k8s#131466) [O]', 'ignored', '0x00000000', undefined],
    ['a later release are modified [T]', 'applied', '0x00000000', 1],
  ] as const)('of %s', async (_, modifyLoadBalancer, hresult, Flags) => {
    await service.hns.stop();
    const hns = await startHns({
      switches: { modifyLoadBalancer },
      port: Number(service.hns.address.split(':')[1]),
    });
    await createNetwork(nat, network);
    await createEndpoint(network, {}, pod);
    await create(loadBalancer, nodePort, id);
    const modified = await modify(loadBalancer, id, {
      ...nodePort,
      Flags: 1,
      SchemaVersion: { Major: 2, Minor: 0 },
    });
    expect(modified.hresult).toBe(hresult);
    expect(modified.document['Flags']).toBe(Flags);
    await hns.stop();
  });
});

describe('SDN routes', () => {
  const Routes = [{ DestinationPrefix: '169.254.169.254/24', NextHop: '127.10.0.33', NeedEncap: true }];
  it('are created, listed and deleted, host bits or not [T]', async () => {
    const { id: route, document } = await create(sdnRoute, { HostComputeEndpoints: [pod], Routes });
    expect(document).toMatchObject({ HostComputeEndpoints: [pod], Routes });
    expect(await enumerate(sdnRoute)).toEqual([route]);
    expect(await remove(sdnRoute, route)).toBe('0x00000000');
    expect(await remove(sdnRoute, route)).toBe('0x80070490');
  });
  it("refuse hcsshim's member Setting [S]", async () => {
    expect(await create(sdnRoute, { HostComputeEndpoints: [pod], Setting: Routes })).toMatchObject({
      hresult: '0x803B001B',
      error: 'Invalid JSON document string. {{Setting,UnknownField}}',
    });
  });
});
