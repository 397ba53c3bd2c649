import { describe, expect, it, test } from 'vitest';
import { hnsCall, loadBalancer, namespace, network } from '../simulator/computenetwork.ts';
import {
  create,
  createEndpoint,
  createNetwork,
  modify,
  nat,
  overlay,
  query,
  startForTest,
} from './test-client.ts';

const id = '3c6fab4d-6191-4171-a627-dd46f8c2e392';
async function backend(): Promise<string> {
  await createNetwork(nat, id);
  return (await createEndpoint(id, {})).id;
}

const policy = (Type: string, Settings: object) => ({ Policies: [{ Type, Settings }] });
const natException = policy('OutBoundNAT', { Exceptions: ['172.17.0.1/16'] });
const ok = '0x00000000';

describe.each([
  ['ws2019', '{"Major":9,"Minor":5}'],
  ['ws2022', '{"Major":13,"Minor":3}'],
  ['ws2025', '{"Major":15,"Minor":4}'],
  ['hns15.5', '{"Major":15,"Minor":5}'],
] as const)('%s', (profile, version) => {
  const by = <T>(ws2019: T, ws2022: T, ws2025: T, newest = ws2025): T =>
    ({ ws2019, ws2022, ws2025, 'hns15.5': newest })[profile];

  test('HNSCall returns its version [S hcnglobals.go]', async () => {
    await startForTest({ profile });
    expect((await hnsCall('GET', '/globals/version', '')).value).toBe(`{"Success":true,"Output":${version}}`);
  });
  test.for([
    ['host bits in OutBoundNAT exceptions', natException, by(ok, '0x803B000D', '0x803B000D'), 'hcsshim#1951'],
    [
      'a gateway address',
      { IpConfigurations: [{ IpAddress: '192.168.100.1' }] },
      by('0x80071392', '0x803B002F', '0x803B002F'),
      'k8s#74766, sig-windows-tools#71',
    ],
  ] as const)('endpoints with $0 answer $2 [O $3]', async ([, document, hresult]) => {
    await startForTest({ profile });
    await createNetwork(nat, id);
    expect((await createEndpoint(id, document)).hresult).toBe(hresult);
  });
  test('CreateWithCompartment is a newer member, which 13.3 refuses [O tunbury.org 2025-06-27]', async () => {
    await startForTest({ profile });
    const { hresult } = await create(namespace, { CreateWithCompartment: true });
    expect(hresult).toBe(by('0x803B001B', '0x803B001B', ok));
  });
  test('a duplicate frontend [O k8s#139519]', async () => {
    await startForTest({ profile });
    const PortMappings = [{ Protocol: 6, InternalPort: 80, ExternalPort: 80 }];
    const HostComputeEndpoints = [await backend()];
    await create(loadBalancer, { HostComputeEndpoints, PortMappings });
    const { hresult } = await create(loadBalancer, { HostComputeEndpoints, PortMappings });
    expect(hresult).toBe(by('0x803B0013', '0x800700B7', '0x800700B7'));
  });
  test('session affinity of load balancers [S hcnglobals.go]', async () => {
    await startForTest({ profile });
    const PortMappings = [{ Protocol: 6, InternalPort: 80, ExternalPort: 80, DistributionType: 2 }];
    const HostComputeEndpoints = [await backend()];
    const { hresult } = await create(loadBalancer, { HostComputeEndpoints, PortMappings });
    expect(hresult).toBe(by('0x803B001B', ok, ok));
  });
  test('changing a load balancer [S hcnglobals.go, O k8s#131466, T hnslib hcnloadbalancer_test.go]', async () => {
    await startForTest({ profile });
    const HostComputeEndpoints = [await backend()];
    const PortMappings = [{ Protocol: 6, InternalPort: 80, ExternalPort: 80 }];
    const { id: balancer } = await create(loadBalancer, { HostComputeEndpoints, PortMappings });
    const SchemaVersion = { Major: 2, Minor: 0 };
    const changed = { SchemaVersion, HostComputeEndpoints, PortMappings, Flags: 1 };
    const { hresult, document } = await modify(loadBalancer, balancer, changed);
    expect(hresult).toBe(by('0x80004001', '0x80004001', ok));
    expect(document['Flags']).toBe(by(undefined, undefined, undefined, 1));
  });
  test('attaching an endpoint again after a detach [O buildkit#5686]', async () => {
    await startForTest({ profile });
    await createNetwork(nat, id);
    const { id: EndpointId } = await createEndpoint(id, {});
    const { id: sandbox } = await create(namespace, {});
    const change = async (RequestType: string) =>
      (await modify(namespace, sandbox, { ResourceType: 'Endpoint', RequestType, Settings: { EndpointId } }))
        .hresult;
    expect([await change('Add'), await change('Remove'), await change('Add')]).toEqual([
      ok,
      ok,
      by('0x803B002E', ok, ok),
    ]);
  });
  test('a remote endpoint with an address in use [S kube-proxy hns.go]', async () => {
    await startForTest({ profile });
    await createNetwork(nat, id);
    const IpConfigurations = [{ IpAddress: '192.168.100.9' }];
    await createEndpoint(id, { IpConfigurations });
    const { hresult } = await createEndpoint(id, { IpConfigurations, Flags: 1 });
    expect(hresult).toBe(by(ok, '0x803B002F', '0x803B002F'));
  });
});

describe('options', () => {
  it('set the adapters of the host [O rke2#3925]', async () => {
    await startForTest({ adapters: [{ name: 'Ethernet 2', managementIp: '10.1.36.50' }] });
    const chosen = policy('NetAdapterName', { NetworkAdapterName: 'Ethernet 2' });
    const { document } = await createNetwork({ ...overlay, ...chosen });
    expect(document['Policies']).toContainEqual({
      Type: 'ProviderAddress',
      Settings: { ProviderAddress: '10.1.36.50' },
    });
  });
  it('without adapters return HCN_E_ADAPTER_NOT_FOUND [O SDN#269]', async () => {
    await startForTest({ adapters: [] });
    expect((await createNetwork(overlay)).hresult).toBe('0x803B0006');
  });
  it('delay the provider address, which flannel polls for [S flannel device_windows.go]', async () => {
    await startForTest({ providerAddressDelayMs: 300 });
    expect((await createNetwork(overlay, id)).document).not.toHaveProperty('Policies');
    await expect.poll(async () => (await query(network, id)).document['Policies']).toHaveLength(2);
  });
});
