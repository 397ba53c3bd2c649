import { expect, test } from 'vitest';
import { remoteEndpointId } from '../../../src/model/identity.ts';
import { isOwnRemote } from '../../../src/model/ownership.ts';

const network = '22222222-2222-3333-4444-555555555555';
const ofHns = '0b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c5d';
const derived = remoteEndpointId(network, '100.1.2.3');
const derivedOfAnother = remoteEndpointId(network, '100.1.2.4');
const endpoint = {
  HostComputeNetwork: network,
  IpConfigurations: [{ IpAddress: '100.1.2.3' }],
  Flags: 1,
  SchemaVersion: { Major: 2, Minor: 0 },
};

test.each([
  ["win-hcn's, by its derived id", derived, 'Ethernet', 1, true],
  ["win-hcn's, by its name if HNS chose the id", ofHns, 'remote_100.1.2.3', 1, true],
  ["kube-proxy's, with its name and an id that HNS chose", ofHns, 'Ethernet', 1, false],
  [
    "another client's, with an id derived from another address",
    derivedOfAnother,
    'remote_100.1.2.3',
    1,
    false,
  ],
  ["another client's, with the name of another address", ofHns, 'remote_100.1.2.4', 1, false],
  ['not remote, even with a derived id', derived, 'remote_100.1.2.3', 0, false],
])('an endpoint is %s', (_, ID, Name, Flags, expected) => {
  expect(isOwnRemote({ ...endpoint, ID, Name, Flags })).toBe(expected);
});
