import { expect, test } from 'vitest';
import { endpointId, networkId, remoteEndpointId } from '../../../src/model/identity.ts';
import {
  isHostNamespace,
  isOwnNetwork,
  isOwnRemote,
  managedEndpoints,
  selectHostNamespace,
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
])('an endpoint %s is managed', (_, given, byOwn, byDialect) => {
  const candidate = { ...endpoint, Flags: 0, ID: own, ...given };
  const isManaged = (endpointName: 'with interface' | 'without interface') =>
    managedEndpoints('cbr0', { endpointName }, [own])(candidate);
  expect([isManaged('with interface'), isManaged('without interface')]).toEqual([byOwn, byDialect]);
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
  expect(selectHostNamespace(namespaces.slice(0, 2))).toBeUndefined();
});
