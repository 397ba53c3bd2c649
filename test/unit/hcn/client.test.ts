import { describe, expect, test } from 'vitest';
import { type HcnClient, hcnClient } from '../../../src/hcn/client.ts';
import type { ComputeNetworkLibrary } from '../../../src/hcn/library.ts';
import { smallHcn } from './small-hcn.ts';

const id = '0b0e1a6c-6a5e-5c52-8f0c-7d7f1c6a2f10';
const other = '1c1f2b7d-7b6f-5d63-8a1d-8e8a2d7b3a21';
const SchemaVersion = { Major: 2, Minor: 0 };
const portMapping = { Type: 'PortMapping', Settings: { InternalPort: 80, ExternalPort: 8080 } };
const remoteSubnet = { Type: 'RemoteSubnetRoute', Settings: { DestinationPrefix: '10.1.0.0/24' } };
const loadBalancer = {
  HostComputeEndpoints: [other],
  PortMappings: [{ Protocol: 6, InternalPort: 80, ExternalPort: 8081 }],
  SchemaVersion,
};

const query = '{"SchemaVersion":{"Major":2,"Minor":0},"Flags":0}';
const filtered = (filter: string) =>
  `{"SchemaVersion":{"Major":2,"Minor":0},"Flags":0,"Filter":${JSON.stringify(filter)}}`;

/** A library that records its calls. Only `refused` fails, with `hresult`; every other call succeeds. */
function recordingLibrary(refused?: string, hresult = 0x803b001b, answer = '[]') {
  const calls: string[] = [];
  const response = (name: string, given: readonly unknown[], value: unknown) => {
    calls.push([name, ...given].join(' '));
    return Promise.resolve({ hresult: name === refused ? hresult : 0, value, errorRecord: undefined });
  };
  const handle = (kind: string, id: string) => ({ kind, id, pointer: id });
  const library = {
    enumerate: (kind, text) => response('enumerate', [kind, text], answer),
    create: (kind, id, text) => response('create', [kind, id, text], handle(kind, id)),
    createEndpoint: (network, id, text) =>
      response('createEndpoint', [network.id, id, text], handle('Endpoint', id)),
    open: (kind, id) => response('open', [kind, id], handle(kind, id)),
    query: ({ kind, id }, text) => response('query', [kind, id, text], answer),
    modify: ({ kind, id }, text) => response('modify', [kind, id, text], undefined),
    delete: (kind, id) => response('delete', [kind, id], undefined),
    hnsCall: (...request) => response('hnsCall', request, answer),
  } as ComputeNetworkLibrary;
  return { calls, library };
}

/** Each change: the last call that it makes, and the action in the message if HCN refuses that call. */
const changes: readonly (readonly [
  name: string,
  run: (hcn: HcnClient) => Promise<unknown>,
  call: string,
  action: string,
])[] = [
  [
    'createNetwork',
    (hcn) => hcn.createNetwork(id, { Name: 'nat', Type: 'NAT', SchemaVersion }),
    `create Network ${id} {"Name":"nat","Type":"NAT","SchemaVersion":{"Major":2,"Minor":0}}`,
    `creating NAT network "nat" as ${id}`,
  ],
  [
    'removeNetworkPolicies',
    (hcn) => hcn.removeNetworkPolicies(id, [remoteSubnet]),
    `modify Network ${id} {"ResourceType":"Policy","RequestType":"Remove","Settings":{"Policies":[{"Type":"RemoteSubnetRoute","Settings":{"DestinationPrefix":"10.1.0.0/24"}}]}}`,
    `removing policies from network ${id}`,
  ],
  ['deleteNetwork', (hcn) => hcn.deleteNetwork(id), `delete Network ${id}`, `deleting network ${id}`],
  [
    'addPolicies',
    (hcn) => hcn.addPolicies(id, [portMapping]),
    `modify Endpoint ${id} {"ResourceType":"Policy","RequestType":"Add","Settings":{"Policies":[{"Type":"PortMapping","Settings":{"InternalPort":80,"ExternalPort":8080}}]}}`,
    `adding policies to endpoint ${id}`,
  ],
  [
    'createNamespace',
    (hcn) => hcn.createNamespace(id, { Type: 'Host', SchemaVersion }),
    `create Namespace ${id} {"Type":"Host","SchemaVersion":{"Major":2,"Minor":0}}`,
    `creating namespace ${id}`,
  ],
  ['deleteNamespace', (hcn) => hcn.deleteNamespace(id), `delete Namespace ${id}`, `deleting namespace ${id}`],
  [
    'addEndpoint',
    (hcn) => hcn.addEndpoint(id, other),
    `modify Namespace ${id} {"ResourceType":"Endpoint","RequestType":"Add","Settings":{"EndpointId":"${other}"}}`,
    `adding endpoint ${other} to namespace ${id}`,
  ],
  [
    'createLoadBalancer',
    (hcn) => hcn.createLoadBalancer(id, loadBalancer),
    `create LoadBalancer ${id} ${JSON.stringify(loadBalancer)}`,
    `creating load balancer ${id}`,
  ],
];

test.each(changes)('%s makes one call, and its error names the action', async (_, run, call, action) => {
  const { calls, library } = recordingLibrary();
  await run(hcnClient(library));
  expect(calls.filter((made) => !made.startsWith('open '))).toEqual([call]);

  const [refused] = call.split(' ');
  await expect(run(hcnClient(recordingLibrary(refused).library))).rejects.toMatchObject({
    code: 100,
    message: expect.stringMatching(
      new RegExp(`^${action}: HCN returned HCN_E_INVALID_JSON \\(0x803b001b\\): `),
    ),
  });
});

/** Each list or query of more than one document: its calls, and the action if HCN refuses the first. */
test.each<readonly [string, (hcn: HcnClient) => Promise<unknown>, string, string]>([
  ['findNetworks', (hcn) => hcn.findNetworks(), `enumerate Network ${query}`, 'listing networks'],
  [
    'findNetwork',
    (hcn) => hcn.findNetwork('nat'),
    `enumerate Network ${filtered('{"Name":"nat"}')}`,
    'listing networks with {"Name":"nat"}',
  ],
  ['findEndpoints', (hcn) => hcn.findEndpoints(), `enumerate Endpoint ${query}`, 'listing endpoints'],
  [
    'findEndpointsByName',
    (hcn) => hcn.findEndpointsByName('pod'),
    `enumerate Endpoint ${filtered('{"Name":"pod"}')}`,
    'listing endpoints with {"Name":"pod"}',
  ],
  [
    'findEndpointsOfNetwork',
    (hcn) => hcn.findEndpointsOfNetwork(id),
    `enumerate Endpoint ${filtered(`{"VirtualNetwork":"${id}"}`)}`,
    `listing endpoints with {"VirtualNetwork":"${id}"}`,
  ],
  ['findNamespaces', (hcn) => hcn.findNamespaces(), `enumerate Namespace ${query}`, 'listing namespaces'],
  [
    'findDefaultNamespaces',
    (hcn) => hcn.findDefaultNamespaces(),
    `enumerate Namespace ${filtered('{"IsDefault":true}')}`,
    'listing namespaces with {"IsDefault":true}',
  ],
  [
    'findLoadBalancers',
    (hcn) => hcn.findLoadBalancers(),
    `enumerate LoadBalancer ${query}`,
    'listing load balancers',
  ],
])('%s filters in HNS, and its error names the action', async (_, run, call, action) => {
  const { calls, library } = recordingLibrary();
  await run(hcnClient(library));
  expect(calls).toEqual([call]);
  await expect(run(hcnClient(recordingLibrary('enumerate').library))).rejects.toThrow(
    `${action}: HCN returned HCN_E_INVALID_JSON`,
  );
  await expect(run(hcnClient(recordingLibrary('', 0, '{').library))).rejects.toThrow(
    `${action}: HCN returned "{", expected JSON. The Host Network Service is broken or stopping. ` +
      'Run Get-Service hns to check it. If this persists, drain the node and run Restart-Service hns.',
  );
});

test('a network is found whatever the case of its name', async () => {
  const { hcn } = smallHcn({
    networks: [{ ID: id, Name: 'NAT', Type: 'NAT', SchemaVersion: { Major: 2, Minor: 0 } }],
  });
  expect(await hcn.findNetwork('nat')).toMatchObject({ ID: id });
});

describe('a document', () => {
  test.each<readonly [string, (hcn: HcnClient) => Promise<unknown>, string]>([
    ['network', (hcn) => hcn.findNetworkById(id), `Network ${id}`],
    ['endpoint', (hcn) => hcn.findEndpoint(id), `Endpoint ${id}`],
    ['namespace', (hcn) => hcn.findNamespace(id), `Namespace ${id}`],
    ['load balancer', (hcn) => hcn.findLoadBalancer(id), `LoadBalancer ${id}`],
  ])('of a %s is queried after opening the object, and the errors name it', async (kind, run, object) => {
    const { calls, library } = recordingLibrary(undefined, 0, `{"ID":"${id}"}`);
    await expect(run(hcnClient(library))).resolves.toMatchObject({ ID: id });
    expect(calls).toEqual([`open ${object}`, `query ${object} ${query}`]);
    await expect(run(hcnClient(recordingLibrary('open').library))).rejects.toThrow(
      `opening ${kind} ${id}: HCN returned HCN_E_INVALID_JSON`,
    );
    await expect(run(hcnClient(recordingLibrary('query').library))).rejects.toThrow(
      `querying ${kind} ${id}: HCN returned HCN_E_INVALID_JSON`,
    );
    await expect(run(hcnClient(recordingLibrary('', 0, `{"ID":"${other}"}`).library))).rejects.toThrow(
      `querying ${kind} ${id}: HCN returned ${kind} ${other} instead. The Host Network Service is broken`,
    );
  });

  test('of a network in the older form has the management address', async () => {
    const { calls, library } = recordingLibrary(undefined, 0, '{"ManagementIP":"192.168.1.5"}');
    await expect(hcnClient(library).findManagementAddress(id)).resolves.toBe('192.168.1.5');
    expect(calls).toEqual([
      `open Network ${id}`,
      `query Network ${id} {"SchemaVersion":{"Major":1,"Minor":0}}`,
    ]);
  });
});

describe('an absent object', () => {
  const notFound = 0x80070490;

  test.each<readonly [string, (hcn: HcnClient) => Promise<unknown>]>([
    ['deleteEndpoint', (hcn) => hcn.deleteEndpoint(id)],
    ['deleteNamespace', (hcn) => hcn.deleteNamespace(id)],
    ['deleteLoadBalancer', (hcn) => hcn.deleteLoadBalancer(id)],
  ])('makes %s return false, an existing one true', async (_, run) => {
    await expect(run(hcnClient(recordingLibrary('delete', notFound).library))).resolves.toBe(false);
    await expect(run(hcnClient(recordingLibrary().library))).resolves.toBe(true);
  });

  test.each([
    ['HNS has no such list of policies', 0x803b0008, [{ ID: id, ...loadBalancer }], false],
    ['its network is gone, and so is it', 0x803b0001, [], false],
    [
      'its network is gone, but it is not',
      0x803b0001,
      [{ ID: id, ...loadBalancer }],
      `deleting load balancer ${id}`,
    ],
  ])('that is a load balancer is absent or an error if %s', async (_, hresult, loadBalancers, expected) => {
    const { hcn } = smallHcn({
      loadBalancers,
      fault: (call) => (call.startsWith('delete') ? hresult : undefined),
    });
    const deleted = await hcn.deleteLoadBalancer(id).catch((error: Error) => error.message.split(':')[0]);
    expect(deleted).toBe(expected);
  });

  test('makes openNamespace return false, an existing one true', async () => {
    await expect(hcnClient(recordingLibrary('open', notFound).library).openNamespace(id)).resolves.toBe(
      false,
    );
    await expect(hcnClient(recordingLibrary().library).openNamespace(id)).resolves.toBe(true);
  });

  test.each([
    ['absent', 0x803b0002],
    ['in no namespace', 0x803b0034],
  ])('makes removeEndpoint return false if the endpoint is %s', async (_, hresult) => {
    const { library } = recordingLibrary('modify', hresult);
    await expect(hcnClient(library).removeEndpoint(id, other)).resolves.toBe(false);
    await expect(hcnClient(recordingLibrary().library).removeEndpoint(id, other)).resolves.toBe(true);
  });
});

test('findNetworks leaves out one network without opening it', async () => {
  const { calls, library } = recordingLibrary(undefined, 0, `["${id}"]`);
  await expect(hcnClient(library).findNetworks(id)).resolves.toEqual([]);
  expect(calls).toEqual([`enumerate Network ${query}`]);
});

describe('the version of the Host Network Service', () => {
  const answering = (answer: string, hresult = 0) => {
    const { calls, library } = recordingLibrary('hnsCall', hresult, answer);
    return { calls, hcn: hcnClient(library) };
  };

  test('is queried once', async () => {
    const { calls, hcn } = answering('{"Success":true,"Output":{"Major":15,"Minor":2}}');
    await expect(Promise.all([hcn.version(), hcn.version()])).resolves.toEqual([
      { Major: 15, Minor: 2 },
      { Major: 15, Minor: 2 },
    ]);
    expect(calls).toEqual(['hnsCall GET /globals/version ']);
  });

  test.each([
    ['returns a failure with success', '{"Success":false,"Error":"denied.","ErrorCode":2147942405}', 0, 11],
    ['fails', '', 0x80070005, 100],
  ])('cannot be read if HNS %s', async (_, answer, hresult, code) => {
    await expect(answering(answer, hresult).hcn.version()).rejects.toMatchObject({
      code,
      message: expect.stringMatching(
        /^querying the Host Network Service's version: HCN returned E(RROR)?_ACCESS_?DENIED \(0x80070005\)/,
      ),
    });
  });

  test.each([
    ['{"Output":{"Minor":"2","Major":15}}', '"2" for Output.Minor, expected a number'],
    ['{"Output":{"Minor":2}}', 'nothing for Output.Major, expected a number'],
  ])('%s is refused', async (answer, found) => {
    await expect(answering(answer).hcn.version()).rejects.toThrow(
      `querying the Host Network Service's version: HCN returned ${found}. The Host Network Service is broken`,
    );
  });
});
