import { describe, expect, test } from 'vitest';
import { endpointId, hostEndpointId, sourceVipId } from '../../../src/model/identity.ts';
import { managedEndpoints, ownershipIn } from '../../../src/model/ownership.ts';

const network = '22222222-2222-3333-4444-555555555555';
const generated = '0b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c5d';
const derived = '4c4ac073-bf48-554d-9a45-1e22ef686d3c';

const endpoint = {
  HostComputeNetwork: network,
  IpConfigurations: [{ IpAddress: '100.1.2.3' }],
  Flags: 1,
  SchemaVersion: { Major: 2, Minor: 0 },
};

const attachment = { containerId: 'c0ffee', ifname: 'eth0', network: 'cbr0' };
const own = endpointId(attachment);

test.each<
  [string, { readonly ID?: string; readonly Name: string; readonly Flags?: number }, boolean, boolean]
>([
  ['with the id of another attachment', { ID: derived, Name: 'c0ffee_cbr0_eth0' }, false, false],
  ['that is remote, among other flags', { Name: 'c0ffee_cbr0_eth0', Flags: 3 }, false, false],
  ['of the node, by its id', { ID: hostEndpointId('cbr0'), Name: 'c0ffee_cbr0' }, false, false],
])('an endpoint %s is managed', (_, given, byOwn, byDialect) => {
  const candidate = { ...endpoint, Flags: 0, ID: own, ...given };
  const isManaged = (endpointName: 'with interface' | 'without interface') =>
    managedEndpoints('cbr0', { endpointName }, [own])(candidate);
  expect([isManaged('with interface'), isManaged('without interface')]).toEqual([byOwn, byDialect]);
});

describe('the owner of an endpoint', () => {
  const pod = 'c08cb7b8-9b3c-408e-8e30-5e16a3aeb444';
  const host = 'd18cb7b8-9b3c-408e-8e30-5e16a3aeb444';
  const two = 'e28cb7b8-9b3c-408e-8e30-5e16a3aeb444';
  const other = '33333333-2222-3333-4444-555555555555';
  const overlay = '44444444-2222-3333-4444-555555555555';
  const { SchemaVersion } = endpoint;
  const provider = (address: string) => ({
    Type: 'ProviderAddress',
    Settings: { ProviderAddress: address },
  });
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
    { ID: overlay, Name: 'vxlan0', Type: 'Overlay', Policies: [provider('10.0.0.4')], SchemaVersion },
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

  test.each<[string, object, object]>([
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
    [
      'unknown, on an unknown network',
      { HostComputeNetwork: generated, Name: 'c0ffee_cbr0' },
      { owner: 'unknown' },
    ],
    [
      "the node, in the node's namespace",
      { HostComputeNamespace: host, Name: 'c0ffee_cbr0' },
      { owner: 'node' },
    ],
    ['the node, by the name of a host endpoint', { Name: 'cbr0_ep' }, { owner: 'node' }],
    ['the node, by the id of a source VIP', { ID: sourceVipId('cbr0') }, { owner: 'node' }],
    [
      "unknown, in a pod's namespace, whatever its name is",
      { Name: 'cbr0_ep', HostComputeNamespace: pod },
      { owner: 'unknown', container: 'c0ffee' },
    ],
    [
      'kube-proxy, by the MAC address of its IPv4 address',
      { Flags: 1, MacAddress: '02-11-64-01-02-03' },
      { owner: 'kube-proxy' },
    ],
    ['another plugin, by a name of azure-vnet', { Name: '0e12d1d5-eth0' }, { owner: 'another plugin' }],
    ['another plugin, by a name of vpc-bridge', { Name: `cid-${pod}` }, { owner: 'another plugin' }],
    ['unknown, by a name that only begins like it', { Name: `cid-${pod}-eth0` }, { owner: 'unknown' }],
    [
      "the node, if it is remote with the node's own provider address",
      {
        HostComputeNetwork: overlay,
        Flags: 1,
        MacAddress: '00-15-5D-00-00-04',
        Policies: [provider('10.0.0.4')],
      },
      { owner: 'node' },
    ],
    [
      'unknown, with the provider address of another node',
      { HostComputeNetwork: overlay, Flags: 1, Policies: [provider('10.0.0.5')] },
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

  test('is not win-hcn with a generated id if HNS honors requested ids on the network', () => {
    const honored = { ...endpoint, Flags: 0, ID: own, Name: 'c0ffee_cbr0_eth0' };
    expect(ownerOf({ Name: 'decaf_cbr0_eth0' }, { endpoints: [honored] })).toEqual({ owner: 'unknown' });
  });
});
