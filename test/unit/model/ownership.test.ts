import { expect, test } from 'vitest';
import { remoteEndpointId } from '../../../src/model/identity.ts';
import { isOwnRemote } from '../../../src/model/ownership.ts';

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
