import { describe, expect, test } from 'vitest';
import {
  endpointId,
  hostEndpointId,
  networkId,
  remoteEndpointId,
  sourceVipId,
} from '../../../src/model/identity.ts';
import { isNodeEndpoint, isSourceVip } from '../../../src/model/node-endpoints.ts';
import {
  isHostNamespace,
  isOwnNetwork,
  isOwnRemote,
  managedEndpoints,
  ownershipIn,
  selectHostNamespace,
  usualInterface,
} from '../../../src/model/ownership.ts';

const network = '22222222-2222-3333-4444-555555555555';
const generated = '0b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c5d';
const derived = remoteEndpointId(network, '100.1.2.3');
const derivedFromAnother = remoteEndpointId(network, '100.1.2.4');
const endpoint = {
  HostComputeNetwork: network,
  IpConfigurations: [{ IpAddress: '100.1.2.3' }],
  Flags: 1,
  SchemaVersion: { Major: 2, Minor: 0 },
};

test.each([
  ['of win-hcn, by an id derived from its address', derived, 'Ethernet', 1, true],
  ['of win-hcn, by its name with a generated id', generated, 'remote_100.1.2.3', 1, true],
  ['of kube-proxy, with a generated id and its name', generated, 'Ethernet', 1, false],
  ['unknown, with an id derived from another address', derivedFromAnother, 'remote_100.1.2.3', 1, false],
  ['unknown, with the name of another address', generated, 'remote_100.1.2.4', 1, false],
  ['not remote, whatever its id is', derived, 'remote_100.1.2.3', 0, false],
])('a remote endpoint is %s', (_, ID, Name, Flags, expected) => {
  expect(isOwnRemote({ ...endpoint, ID, Name, Flags })).toBe(expected);
});

const attachment = { containerId: 'c0ffee', ifname: 'eth0', network: 'cbr0' };
const own = endpointId(attachment);

test.each<
  [string, { readonly ID?: string; readonly Name: string; readonly Flags?: number }, boolean, boolean]
>([
  ['with a name and an id of win-hcn', { Name: 'c0ffee_cbr0_eth0' }, true, true],
  ['without an interface in its name', { Name: 'c0ffee_cbr0' }, false, true],
  ['with the id of another attachment', { ID: derived, Name: 'c0ffee_cbr0_eth0' }, false, false],
  ['of another network', { Name: 'c0ffee_cbr1_eth0' }, false, false],
  ['of no container', { Name: 'Ethernet' }, false, false],
  ['that is remote', { Name: 'c0ffee_cbr0_eth0', Flags: 1 }, false, false],
  ['that is remote, among other flags', { Name: 'c0ffee_cbr0_eth0', Flags: 3 }, false, false],
  ['with other flags', { Name: 'c0ffee_cbr0_eth0', Flags: 2 }, true, true],
  ['of the node', { Name: 'cbr0_ep' }, false, false],
  ['of the node, by its id', { ID: hostEndpointId('cbr0'), Name: 'c0ffee_cbr0' }, false, false],
])('an endpoint %s is managed', (_, given, byOwn, byDialect) => {
  const candidate = { ...endpoint, Flags: 0, ID: own, ...given };
  const isManaged = (endpointName: 'with interface' | 'without interface') =>
    managedEndpoints('cbr0', { endpointName }, [own])(candidate);
  expect([isManaged('with interface'), isManaged('without interface')]).toEqual([byOwn, byDialect]);
});

test('win-hcn created a remote endpoint whose id is derived from one of its addresses', () => {
  const IpConfigurations = ['100.1.2.9', '100.1.2.3'].map((IpAddress) => ({ IpAddress }));
  expect(isOwnRemote({ ...endpoint, ID: derived, Name: 'x', IpConfigurations })).toBe(true);
  expect(isOwnRemote({ ...endpoint, ID: derived, Name: 'x', IpConfigurations: [] })).toBe(false);
});

describe('the owner of an endpoint', () => {
  const pod = 'c08cb7b8-9b3c-408e-8e30-5e16a3aeb444';
  const host = 'd18cb7b8-9b3c-408e-8e30-5e16a3aeb444';
  const two = 'e28cb7b8-9b3c-408e-8e30-5e16a3aeb444';
  const other = '33333333-2222-3333-4444-555555555555';
  const { SchemaVersion } = endpoint;
  const container = (Id: string) => ({ Type: 'Container', Data: { Id } });
  const namespaces = [
    { ID: host, Type: 'HostDefault', NamespaceId: 1, SchemaVersion },
    { ID: two, Resources: [container('decaf'), container('c0ffee')], SchemaVersion },
    { ID: pod, Resources: [{ Type: 'Endpoint', Data: { Id: own } }, container('c0ffee')], SchemaVersion },
    { Resources: [container('nowhere')], SchemaVersion },
  ];
  const networks = [
    { ID: other, Name: 'other', Type: 'L2Bridge', SchemaVersion },
    { ID: network, Name: 'cbr0', Type: 'L2Bridge', SchemaVersion },
  ];
  const inVain = {
    ...endpoint,
    HostComputeNetwork: other,
    Flags: 0,
    ID: endpointId({ ...attachment, network: 'other' }),
    Name: 'c0ffee_other_eth0',
  };
  const ownerOf = (change: object, facts: object = {}) => {
    const one = { ...endpoint, Flags: 0, ID: generated, Name: 'x', ...change };
    return ownershipIn({ networks, endpoints: [inVain, one], namespaces, ...facts }, one);
  };
  const byName = { owner: 'win-hcn', container: 'c0ffee', interface: 'eth0' };

  test.each<[string, object, object]>([
    ['win-hcn, by its derived id and its name', { ID: own, Name: 'c0ffee_cbr0_eth0' }, byName],
    ['win-hcn, by its name alone if HNS generates ids', { Name: 'c0ffee_cbr0_eth0' }, byName],
    [
      'win-hcn, by a name without interface and the id of the usual one',
      { ID: own, Name: 'c0ffee_cbr0' },
      byName,
    ],
    [
      'win-hcn, by a name without interface and the id of another one',
      { ID: endpointId({ ...attachment, ifname: 'eth1' }), Name: 'c0ffee_cbr0' },
      { owner: 'win-hcn', container: 'c0ffee' },
    ],
    [
      'another plugin, by a name without interface',
      { Name: 'c0ffee_cbr0' },
      { owner: 'another plugin', container: 'c0ffee' },
    ],
    ['unknown, by another name', {}, { owner: 'unknown' }],
    [
      'unknown, with the only container in its namespace',
      { HostComputeNamespace: pod },
      { owner: 'unknown', container: 'c0ffee' },
    ],
    ['unknown, in a namespace with two containers', { HostComputeNamespace: two }, { owner: 'unknown' }],
    ['unknown, in a namespace that is gone', { HostComputeNamespace: generated }, { owner: 'unknown' }],
    [
      'unknown, on an unknown network',
      { HostComputeNetwork: generated, Name: 'c0ffee_cbr0' },
      { owner: 'unknown' },
    ],
    ['unknown, with the name of another network', { Name: 'c0ffee_other_eth0' }, { owner: 'unknown' }],
    [
      "the node, in the node's namespace",
      { HostComputeNamespace: host, Name: 'c0ffee_cbr0' },
      { owner: 'node' },
    ],
    ['the node, by the name of a host endpoint', { Name: 'cbr0_ep' }, { owner: 'node' }],
    ['the node, by the name of a source VIP', { Name: 'cbr0_source_vip' }, { owner: 'node' }],
    ['the node, by the id of a source VIP', { ID: sourceVipId('cbr0') }, { owner: 'node' }],
    [
      "the node, by the id of a host endpoint, also in a pod's namespace",
      { ID: hostEndpointId('cbr0'), HostComputeNamespace: pod },
      { owner: 'node', container: 'c0ffee' },
    ],
    [
      "unknown, in a pod's namespace, whatever its name is",
      { Name: 'cbr0_ep', HostComputeNamespace: pod },
      { owner: 'unknown', container: 'c0ffee' },
    ],
    ['win-hcn, if it is remote and its id is derived', { ID: derived, Flags: 1 }, { owner: 'win-hcn' }],
    [
      'kube-proxy, by the MAC address of its IPv4 address',
      { Flags: 1, MacAddress: '02-11-64-01-02-03' },
      { owner: 'kube-proxy' },
    ],
    [
      'kube-proxy, by the MAC address of one of its addresses, in any form',
      {
        Flags: 1,
        MacAddress: '02:11:64:01:02:03',
        IpConfigurations: [{ IpAddress: 'x' }, { IpAddress: 'fd00::1' }, { IpAddress: '100.1.2.3' }],
      },
      { owner: 'kube-proxy' },
    ],
    [
      'kube-proxy, by its MAC address for IPv6',
      { Flags: 1, MacAddress: '02-11-22-33-44-55', IpConfigurations: [{ IpAddress: 'fd00::1' }] },
      { owner: 'kube-proxy' },
    ],
    [
      'unknown, if it is remote with the MAC address for IPv6 and an IPv4 address',
      { Flags: 1, MacAddress: '02-11-22-33-44-55' },
      { owner: 'unknown' },
    ],
    ['unknown, if it is remote without a MAC address', { Flags: 1 }, { owner: 'unknown' }],
    [
      'unknown, if it is remote with an empty MAC address',
      { Flags: 1, MacAddress: '', IpConfigurations: [] },
      { owner: 'unknown' },
    ],
  ])('is %s', (_, change, expected) => {
    expect(ownerOf(change)).toEqual(expected);
  });

  test('is not the node without a namespace, even if the node has none either', () => {
    expect(ownerOf({ Name: 'c0ffee_cbr0' }, { namespaces: [] })).toEqual({
      owner: 'another plugin',
      container: 'c0ffee',
    });
  });

  test('is not win-hcn with a generated id if HNS honors requested ids on the network', () => {
    const honored = { ...endpoint, Flags: 0, ID: own, Name: 'c0ffee_cbr0_eth0' };
    expect(ownerOf({ Name: 'decaf_cbr0_eth0' }, { endpoints: [honored] })).toEqual({ owner: 'unknown' });
  });

  test('reads a name without interface as that of eth0', () => {
    expect(usualInterface).toBe('eth0');
  });
});

test.each([
  ['host endpoint, by its id', hostEndpointId('cbr0'), 'x', [true, false]],
  ['host endpoint, by its name', generated, 'cbr0_ep', [true, false]],
  ['source VIP, by its id', sourceVipId('cbr0'), 'x', [true, true]],
  ['source VIP, by its name', generated, 'cbr0_source_vip', [true, true]],
  ['host endpoint of another network', hostEndpointId('cbr1'), 'cbr1_ep', [false, false]],
  ['endpoint of a pod', own, 'c0ffee_cbr0_eth0', [false, false]],
])('the %s belongs to the node, or is a source VIP: %j', (_, id, name, expected) => {
  expect([isNodeEndpoint({ id, name }, 'cbr0'), isSourceVip({ id, name }, 'cbr0')]).toEqual(expected);
});

test('win-hcn created the network with the id of its name', () => {
  expect(isOwnNetwork({ ID: networkId('cbr0'), Name: 'cbr0' })).toBe(true);
  expect(isOwnNetwork({ ID: networkId('cbr0'), Name: 'cbr1' })).toBe(false);
});

test("the node's namespace is of its type, in any case, and in compartment 1", () => {
  const namespaces = [
    { Type: 'Host', NamespaceId: 1, SchemaVersion: endpoint.SchemaVersion },
    { Type: 'HostDefault', NamespaceId: 2, SchemaVersion: endpoint.SchemaVersion },
    { Type: 'hostDefault', NamespaceId: 1, SchemaVersion: endpoint.SchemaVersion },
  ];
  expect(namespaces.map(isHostNamespace)).toEqual([false, true, true]);
  expect(selectHostNamespace(namespaces)).toBe(namespaces[2]);
  expect(selectHostNamespace([...namespaces, ...namespaces.slice(2).map((one) => ({ ...one }))])).toBe(
    namespaces[2],
  );
  expect(selectHostNamespace(namespaces.slice(0, 2))).toBeUndefined();
});
