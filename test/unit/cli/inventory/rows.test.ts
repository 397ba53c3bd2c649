import { describe, expect, test } from 'vitest';
import { loadBalancerRows, namespaceRows, networkRows } from '../../../../src/cli/inventory/object-rows.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const network = 'fd6bec0f-7b88-4b61-b5af-70897ab0960a';
const endpoint = 'fd6bec0f-7b88-4b61-b5af-70897ab0960b';
const gone = 'fd6bec0f-7b88-4b61-b5af-70897ab0960c';
const failed = 'fd6bec0f-7b88-4b61-b5af-70897ab0960d';
const unreadable = 'fd6bec0f-7b88-4b61-b5af-70897ab0960e';
const namespace = '7cb720c0-0c39-4b8f-a1f7-3f4a2d9e6b01';
const empty = { networks: [], endpoints: [], namespaces: [], loadBalancers: [] };
const endpoints = [
  {
    ID: endpoint,
    Name: 'web',
    HostComputeNetwork: network,
    HostComputeNamespace: namespace,
    State: 2,
    IpConfigurations: [
      { IpAddress: '10.0.0.7', PrefixLength: 24 },
      { IpAddress: 'fd00::7', PrefixLength: 64 },
    ],
    SchemaVersion,
  },
];

describe('a row of', () => {
  test('an Overlay network shows whether it is ready', () => {
    const policies = [
      { Type: 'ProviderAddress', Settings: { ProviderAddress: '192.168.1.5' } },
      { Type: 'DrMacAddress', Settings: { Address: '00-15-5D-00-00-01' } },
    ];
    const overlay = { ID: network, Name: 'vxlan0', Type: 'Overlay', SchemaVersion };
    const row = {
      id: network,
      name: 'vxlan0',
      type: 'Overlay',
      subnets: [],
      endpoints: 1,
      remoteEndpoints: 0,
      owner: 'unknown',
    };
    expect(networkRows({ ...empty, endpoints, networks: [overlay] })).toEqual([{ ...row, ready: false }]);
    expect(networkRows({ ...empty, endpoints, networks: [{ ...overlay, Policies: policies }] })).toEqual([
      { ...row, providerAddress: '192.168.1.5', ready: true },
    ]);
  });

  test('a namespace has its containers and the addresses of its endpoints', () => {
    const Resources = [
      { Type: 'Endpoint', Data: { Id: endpoint } },
      { Type: 'Container', Data: { Id: 'c0ffee' } },
      { Type: 'Container', Data: {} },
    ];
    expect(
      namespaceRows({ ...empty, endpoints, namespaces: [{ ID: namespace, Resources, SchemaVersion }] }),
    ).toEqual([
      {
        id: namespace,
        type: 'Host',
        compartment: 0,
        containers: ['c0ffee'],
        endpoints: [{ id: endpoint, addresses: ['10.0.0.7', 'fd00::7'] }],
      },
    ]);
  });

  test('a load balancer has names for its numbers, and the states of its backends', () => {
    const id = '8c621451-04d1-4958-8253-70a8337109b0';
    const ports = { InternalPort: 5353, ExternalPort: 53, DistributionType: 1, Flags: 2 };
    const document = {
      ID: id,
      HostComputeEndpoints: [endpoint, failed, gone, unreadable],
      SourceVIP: '10.0.0.9',
      PortMappings: [
        { Protocol: 17, ...ports },
        { Protocol: 132, ...ports },
      ],
      Flags: 3,
      SchemaVersion,
    };
    const failing = {
      ID: failed,
      Name: 'failed',
      HostComputeNetwork: network,
      State: 2,
      Health: { Data: { LastErrorCode: 0x803b0013 } },
      SchemaVersion,
    };
    const inventory = {
      ...empty,
      networks: [{ ID: network, Name: 'vxlan0', Type: 'Overlay', SchemaVersion }],
      endpoints: [...endpoints, failing],
      loadBalancers: [document],
      unreadable: [{ kind: 'Endpoint', id: unreadable, error: new Error('access denied') } as const],
    };
    expect(loadBalancerRows(inventory)).toEqual([
      {
        id,
        networks: ['vxlan0'],
        frontends: [],
        ports: ['53->5353/udp', '53->5353/protocol 132'],
        backends: [
          { id: endpoint, addresses: ['10.0.0.7', 'fd00::7'], state: 'Attached' },
          { id: failed, addresses: [], state: 'HCN_E_PORT_ALREADY_EXISTS' },
          { id: gone, addresses: [], state: 'gone' },
          { id: unreadable, addresses: [], state: 'unreadable' },
        ],
        sourceVIP: '10.0.0.9',
      },
    ]);
  });
});
