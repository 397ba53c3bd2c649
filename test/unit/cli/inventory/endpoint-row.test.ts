import { describe, expect, test } from 'vitest';
import { endpointRow } from '../../../../src/cli/inventory/endpoint-row.ts';
import type { ObservedEndpoint } from '../../../../src/hcn/documents.ts';
import { endpointId, hostEndpointId, networkId } from '../../../../src/model/identity.ts';
import type { Inventory } from '../../../../src/model/inventory.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const network = networkId('cbr0');
const podNamespace = '7cb720c0-0c39-4b8f-a1f7-3f4a2d9e6b01';
const hostNamespace = '7cb720c0-0c39-4b8f-a1f7-3f4a2d9e6b02';
const goneNamespace = '7cb720c0-0c39-4b8f-a1f7-3f4a2d9e6b03';
const random = 'fd6bec0f-7b88-4b61-b5af-70897ab0960b';
const loadBalancer = 'd4e6032f-bbf7-4b5a-880f-667bebc65504';
const ours = endpointId({ containerId: 'c0_ffee', ifname: 'net_1', network: 'cbr0' });
const usual = endpointId({ containerId: 'c0ffee', ifname: 'eth0', network: 'cbr0' });
const unusual = endpointId({ containerId: 'c0ffee', ifname: 'net1', network: 'cbr0' });
const hostEndpoint = hostEndpointId('cbr0');

const inventory: Inventory = {
  networks: [{ ID: network, Name: 'cbr0', Type: 'L2Bridge', SchemaVersion }],
  endpoints: [],
  namespaces: [
    { ID: hostNamespace, Type: 'HostDefault', NamespaceId: 1, SchemaVersion },
    {
      ID: podNamespace,
      Type: 'Host',
      Resources: [{ Type: 'Container', Data: { Id: 'decade' } }],
      SchemaVersion,
    },
  ],
  loadBalancers: [],
};

const row = (document: Partial<ObservedEndpoint>, changes: Partial<Inventory> = {}) =>
  endpointRow(
    {
      ID: random,
      Name: 'by-hand',
      HostComputeNetwork: network,
      IpConfigurations: [{ IpAddress: '10.0.0.7' }],
      SchemaVersion,
      ...document,
    },
    { ...inventory, ...changes },
  );

describe('the owner of an endpoint', () => {
  test.each<[string, Partial<ObservedEndpoint>, object]>([
    [
      'is win-hcn by its derived id, with underscores in the names',
      { ID: ours, Name: 'c0_ffee_cbr0_net_1' },
      { owner: 'win-hcn', container: 'c0_ffee', interface: 'net_1' },
    ],
    [
      'is win-hcn with the name form of another plugin, on eth0',
      { ID: usual, Name: 'c0ffee_cbr0' },
      { owner: 'win-hcn', container: 'c0ffee', interface: 'eth0' },
    ],
    [
      'is win-hcn with the name form of another plugin, on an unknown interface',
      { ID: unusual, Name: 'c0ffee_cbr0' },
      { owner: 'win-hcn', container: 'c0ffee' },
    ],
    ['is another plugin', { Name: 'c0ffee_cbr0' }, { owner: 'another plugin', container: 'c0ffee' }],
    ['is the node, by its id', { ID: hostEndpoint, Name: 'cbr0_ep' }, { owner: 'node' }],
    ['is the node, by its name', { Name: 'cbr0_ep' }, { owner: 'node' }],
    ['is the node, by its namespace', { HostComputeNamespace: hostNamespace }, { owner: 'node' }],
    [
      'is kube-proxy, by the MAC address derived from the IPv4 address',
      { Flags: 1, MacAddress: '02-11-0a-00-00-07' },
      { owner: 'kube-proxy', remote: true },
    ],
    [
      'is kube-proxy, by the MAC address of all its IPv6 endpoints',
      { Flags: 1, IpConfigurations: [{ IpAddress: 'fd00::7' }], MacAddress: '02-11-22-33-44-55' },
      { owner: 'kube-proxy', remote: true },
    ],
    [
      'is unknown for a remote endpoint with another MAC address',
      { Flags: 1, MacAddress: '02-11-22-33-44-55' },
      { owner: 'unknown', remote: true },
    ],
    ['is unknown', { Name: 'c0ffee_other' }, { owner: 'unknown' }],
    [
      'is unknown in a namespace with one container, which is its container',
      { HostComputeNamespace: podNamespace },
      { owner: 'unknown', container: 'decade' },
    ],
    [
      'is unknown if the network is gone',
      { Name: 'c0ffee_cbr0', HostComputeNetwork: goneNamespace },
      { owner: 'unknown', network: goneNamespace },
    ],
  ])('%s', (_, document, expected) => {
    const { owner, container, remote, network, interface: ifname } = row(document);
    expect({ owner, container, remote, network, interface: ifname }).toEqual({
      container: undefined,
      interface: undefined,
      network: 'cbr0',
      remote: false,
      ...expected,
    });
  });
});

describe('an endpoint is leftover', () => {
  const name = { ID: usual, Name: 'c0ffee_cbr0_eth0' };
  const peer = { Name: 'c0ffee_cbr0' };
  const nowhere = '00000000-0000-0000-0000-000000000000';
  test.each<[string, Partial<ObservedEndpoint>, string | undefined]>([
    ['in no namespace', { ...name, HostComputeNamespace: nowhere }, 'in no namespace'],
    [
      'in a namespace that is gone',
      { ...name, HostComputeNamespace: goneNamespace },
      'its namespace is gone',
    ],
    ['not in an existing namespace', { ...name, HostComputeNamespace: podNamespace }, undefined],
    ['of another plugin in no namespace', { ...peer, State: 4 }, 'in no namespace'],
    ['not of another plugin in state Attached', { ...peer, State: 2 }, undefined],
    ['not of another plugin in an unknown state', peer, undefined],
    ['not of another plugin in state Degraded', { ...peer, State: 5 }, undefined],
    ['not of an unknown owner', { Name: 'by-hand' }, undefined],
    ['not of the node', { ID: hostEndpoint, Name: 'cbr0_ep' }, undefined],
    ['without a load balancer, if it is remote', { Flags: 1 }, 'no load balancer refers to it'],
  ])('%s', (_, document, reason) => {
    expect(row(document).leftover).toBe(reason);
  });

  test('not if it is remote with a load balancer', () => {
    const loadBalancers = [
      { ID: loadBalancer, HostComputeEndpoints: [random], PortMappings: [], SchemaVersion },
    ];
    expect(row({ Flags: 1 }, { loadBalancers }).leftover).toBeUndefined();
  });
});

test.each([
  [undefined, 'unknown'],
  [1, 'Created'],
  [2, 'Attached'],
  [3, 'AttachedSharing'],
  [4, 'Detached'],
  [5, 'Degraded'],
  [6, 'Destroyed'],
  [7, 'state 7'],
])('state %s is named %s', (State, name) => {
  expect(row(State === undefined ? {} : { State }).state).toBe(name);
});

test.each([
  [0, 'ok'],
  [0x803b001e, 'HCN_E_INVALID_IP'],
  [0x803b001e | 0, 'HCN_E_INVALID_IP'],
  [0x89abcdef, '0x89abcdef'],
])("HNS's last error %i is shown as %s", (LastErrorCode, health) => {
  expect(row({ Health: { Data: { LastErrorCode } } }).health).toBe(health);
});
