import { expect, test } from 'vitest';
import { foldConfig, readNetworkConfig } from '../../../src/config/read-config.ts';

test('keys and words match without case at every level of our own vocabulary', () => {
  const config = {
    NAME: 'l2bridge',
    NetworkType: 'l2bridge',
    SUBNETS: [{ Subnet: '10.244.1.0/24', GateWay: '10.244.1.1' }],
    DNS: { NameServers: ['10.96.0.10'] },
    ACLs: [{ Action: 'allow', Direction: 'IN', Protocols: ['TCP', 'icmp'] }],
    ipam: null,
  };
  expect(readNetworkConfig(foldConfig(config))).toMatchObject({
    name: 'l2bridge',
    networkType: 'L2Bridge',
    subnets: [{ prefix: '10.244.1.0/24', gateway: '10.244.1.1' }],
    dns: { nameservers: ['10.96.0.10'] },
    acls: [{ action: 'Allow', direction: 'In', protocols: [6, 1] }],
  });
});

test('of two keys the last one counts', () => {
  expect(foldConfig({ name: 'a', NAME: 'b' })).toEqual({ name: 'b' });
});

test("what is not ours stays as it is: raw policies, the IPAM plugin's keys, the runtime's", () => {
  const config = {
    endpointPolicies: [{ Type: 'ACL', Settings: { aCTION: 'x' } }],
    ipam: { type: 'host-local', RANGES: [] },
    'cni.dev/valid-attachments': null,
    runtimeConfig: { PortMappings: null },
  };
  expect(foldConfig(config)).toEqual(config);
});
