import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadComputeNetwork } from '../../src/hcn/computenetwork.ts';
import { limitHcnCalls, limitsPerCall, newLimit } from '../../src/hcn/deadline.ts';
import { hostComputeQuery, schemaVersion } from '../../src/hcn/documents.ts';
import { HcnTimeout } from '../../src/hcn/errors.ts';
import { loadKoffi } from '../../src/hcn/koffi.ts';
import { type ComputeNetworkLibrary, type Handle, interceptHcnCalls } from '../../src/hcn/library.ts';
import { call, type NativeFunction, useLibrary } from '../../src/hcn/native-library.ts';
import { system } from '../../src/system.ts';
import { type Hns, startHns } from '../simulator/hns.ts';

let hns: Hns;
let library: ComputeNetworkLibrary;
let liveStrings: () => number;
let network: Handle<'Network'>;

const missing = '99999999-9999-9999-9999-999999999999';
const networkId = '11111111-1111-1111-1111-111111111111';
const endpointId = '22222222-2222-2222-2222-222222222222';
const namespaceId = '33333333-3333-3333-3333-333333333333';
const loadBalancerId = '44444444-4444-4444-4444-444444444444';

beforeAll(async () => {
  hns = await startHns({ switches: { modifyLoadBalancer: 'applied' } });
  process.env['WIN_HCN_SIMULATED_HNS'] = hns.environment.WIN_HCN_SIMULATED_HNS;
  library = loadComputeNetwork(hns.environment.WIN_HCN_LIBRARY);
  liveStrings = loadKoffi().load(hns.environment.WIN_HCN_LIBRARY).func('int SimulatedLiveStrings()');
  const created = await library.create(
    'Network',
    networkId,
    JSON.stringify({
      Name: 'n',
      Type: 'L2Bridge',
      Ipams: [
        {
          Subnets: [
            {
              IpAddressPrefix: '10.0.0.0/24',
              Routes: [{ NextHop: '10.0.0.1', DestinationPrefix: '0.0.0.0/0' }],
            },
          ],
        },
      ],
      SchemaVersion: schemaVersion,
    }),
  );
  expect(created).toMatchObject({ hresult: 0, errorRecord: undefined });
  network = created.value;
});
afterAll(() => hns.stop());

const create = {
  Network: async () => ({ hresult: 0, value: network, errorRecord: undefined }),
  Endpoint: () =>
    library.createEndpoint(
      network,
      endpointId,
      JSON.stringify({ Name: 'e', HostComputeNetwork: networkId, SchemaVersion: schemaVersion }),
    ),
  Namespace: () => library.create('Namespace', namespaceId, JSON.stringify({ SchemaVersion: schemaVersion })),
  LoadBalancer: () =>
    library.create(
      'LoadBalancer',
      loadBalancerId,
      JSON.stringify({
        HostComputeEndpoints: [endpointId],
        FrontendVIPs: ['10.96.0.10'],
        PortMappings: [{ Protocol: 6, InternalPort: 80, ExternalPort: 80 }],
        SchemaVersion: schemaVersion,
      }),
    ),
};
const modification = {
  Network: {
    ResourceType: 'Policy',
    RequestType: 'Add',
    Settings: { Policies: [{ Type: 'HostRoute', Settings: {} }] },
  },
  Endpoint: { ResourceType: 'Policy', RequestType: 'Update', Settings: { Policies: [{ Type: 'L2Driver' }] } },
  Namespace: { ResourceType: 'Endpoint', RequestType: 'Add', Settings: { EndpointId: endpointId } },
  LoadBalancer: {
    ID: loadBalancerId,
    HostComputeEndpoints: [endpointId],
    FrontendVIPs: ['10.96.0.10'],
    PortMappings: [{ Protocol: 6, InternalPort: 81, ExternalPort: 80 }],
    SchemaVersion: schemaVersion,
  },
};

describe.each([
  ['Network', networkId],
  ['Endpoint', endpointId],
  ['Namespace', namespaceId],
  ['LoadBalancer', loadBalancerId],
] as const)('a %s', (kind, id) => {
  test('is created, found, opened, queried, modified and closed', async () => {
    const created = await create[kind]();
    expect(created).toMatchObject({ hresult: 0, value: { kind } });
    const found = await library.enumerate(kind, hostComputeQuery({ ID: id }));
    expect(found).toEqual({ hresult: 0, value: JSON.stringify([id]), errorRecord: undefined });
    const opened = await library.open(kind, id);
    expect(opened).toMatchObject({ hresult: 0, value: { kind } });
    const queried = await library.query(opened.value, hostComputeQuery());
    expect(JSON.parse(queried.value)).toMatchObject({ ID: id });
    const modified = await library.modify(opened.value, JSON.stringify(modification[kind]));
    expect(modified).toEqual({ hresult: 0, value: undefined, errorRecord: undefined });
    const handles = hns.dump().openHandles;
    expect(await library.close(opened.value)).toEqual({
      hresult: 0,
      value: undefined,
      errorRecord: undefined,
    });
    expect(hns.dump().openHandles).toBe(handles - 1);
  });

  test('that is absent is an unsigned HRESULT with an error record, not an exception', async () => {
    const opened = await library.open(kind, missing);
    expect(opened.hresult).toBeGreaterThan(0x80000000);
    expect(JSON.parse(opened.errorRecord ?? '')).toMatchObject({ Success: false, ErrorCode: opened.hresult });
  });
});

test.each([
  ['LoadBalancer', loadBalancerId],
  ['Endpoint', endpointId],
  ['Network', networkId],
] as const)('a %s is deleted by its id', async (kind, id) => {
  expect(await library.delete(kind, id)).toEqual({ hresult: 0, value: undefined, errorRecord: undefined });
  expect(await library.enumerate(kind, hostComputeQuery({ ID: id }))).toMatchObject({ value: '[]' });
});

const impatient = () =>
  interceptHcnCalls(
    async () => library,
    limitHcnCalls(newLimit(limitsPerCall(0.2), system.timer, system.now)),
  );

test('a hanging call is a timeout with its name, and does not block others', async () => {
  hns.inject({ function: 'HcnOpenNetwork', effect: { hang: true } });
  await expect(impatient().open('Network', networkId)).rejects.toThrow(HcnTimeout);
  await expect(library.open('Network', missing)).resolves.toMatchObject({ hresult: 0x803b0001 });
  hns.clearFaults();
});

test('every string that HCN allocated is freed', () => {
  expect(liveStrings()).toBe(0);
});

test('calls run on a stack of 1 MiB, the default of a Windows thread', async () => {
  const { WIN_HCN_LIBRARY } = hns.environment;
  const kibibytes = 900;
  const use = useLibrary(
    'stub',
    WIN_HCN_LIBRARY,
    (stub) => stub.func('int32_t SimulatedStackUse(uint32_t bytes)') as NativeFunction,
  );
  expect(await call(use, [kibibytes * 1024])).toBe(kibibytes);
});
