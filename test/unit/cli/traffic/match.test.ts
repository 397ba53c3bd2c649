import { expect, test } from 'vitest';
import { matchPacket } from '../../../../src/cli/traffic/match.ts';
import { outboundNat } from '../../../../src/cli/traffic/nat.ts';
import type { ObservedEndpoint } from '../../../../src/hcn/documents.ts';
import { outboundNat as nat, policy } from '../../../cluster/states.ts';

const any = {
  protocols: '*',
  localAddresses: '*',
  localPorts: '*',
  remoteAddresses: '*',
  remotePorts: 'ANY',
};
const packet = { source: '10.244.1.5', destination: '10.96.0.10', protocol: 6, destinationPort: 80 };

test.each<[object, object, ReturnType<typeof matchPacket>]>([
  [{}, {}, true],
  [{ protocols: 'udp' }, {}, false],
  [{ protocols: 'udp,tcp' }, {}, true],
  [{ remotePorts: '79, 80' }, {}, true],
  [{ remotePorts: '80-90' }, {}, true],
  [{ remotePorts: '70-80' }, {}, true],
  [{ remotePorts: '81-90' }, {}, false],
  [{ remotePorts: '80' }, { protocol: 1 }, false],
  [{ localPorts: '80' }, {}, { missing: 'the local port is not given' }],
  [{ localPorts: '80', protocols: 'udp' }, {}, false],
  [{ remoteAddresses: '10.96.0.0/12' }, {}, true],
  [{ localAddresses: '10.9.0.0/16' }, {}, false],
  [{ remoteAddresses: '10.9.0.1,set1' }, {}, { missing: 'set1 is not an address and is not resolved' }],
  [{ remoteAddresses: 'set1,10.96.0.10' }, {}, true],
])('a rule with %j and a packet with %j', (tuple, changes, expected) => {
  expect(matchPacket({ ...any, ...tuple }, 'Out', { ...packet, ...changes })).toEqual(expected);
});

const endpointWith = (...Policies: NonNullable<ObservedEndpoint['Policies']>): ObservedEndpoint => ({
  ID: 'pod-1',
  Name: 'pod-1',
  HostComputeNetwork: 'bridge-1',
  IpConfigurations: [{ IpAddress: '10.244.1.5', PrefixLength: 24 }],
  Policies,
  SchemaVersion: { Major: 2, Minor: 0 },
});

test.each<[string, NonNullable<ObservedEndpoint['Policies']>, string | undefined, string]>([
  ['10.96.0.10', [], '10.244.1.5', 'no OutBoundNAT policy'],
  ['10.96.0.10', [nat('10.96.0.0/12')], '10.244.1.5', 'OutBoundNAT policy 1: exception 10.96.0.0/12'],
  ['8.8.8.8', [nat('10.96.0.0/12')], '10.0.0.1', 'OutBoundNAT policy 1: all other destinations'],
  ['10.244.1.9', [nat()], '10.244.1.5', 'OutBoundNAT HNS default: exception 10.244.1.0/24'],
  [
    '8.8.8.8',
    [policy('OutBoundNAT', { VirtualIP: '10.0.0.9' })],
    '10.0.0.9',
    'OutBoundNAT policy 1: all other destinations',
  ],
  ['8.8.8.8', [policy('OutBoundNAT', { VirtualIP: 'fd00::9' })], '10.244.1.5', 'no OutBoundNAT policy'],
  [
    '10.244.1.5',
    [nat('10.244.0.0/16'), policy('OutBoundNAT', { Destinations: ['10.244.1.5'] })],
    '10.0.0.1',
    'OutBoundNAT policy 2: destination 10.244.1.5',
  ],
  [
    '8.8.8.8',
    [policy('OutBoundNAT', { Destinations: ['10.244.1.5'] })],
    '10.244.1.5',
    'no OutBoundNAT policy',
  ],
])('the source of a packet to %s with %j', (destination, policies, source, rule) => {
  const found = outboundNat(endpointWith(...policies), { ...packet, destination }, '10.0.0.1');
  expect({ source: found.source, rule: found.rule }).toEqual({ source, rule });
});
