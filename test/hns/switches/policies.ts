// The switches of endpoint policies.

import { endpoint } from '../computenetwork.ts';
import { createEndpoint, createNetwork, modify, nat } from '../test-client.ts';
import { done, endpointId, networkId, type SwitchRow } from './row.ts';

const acl = (Priority: number) => ({
  Type: 'ACL',
  Settings: { Priority, Action: 'Block', Direction: 'Out' },
});
const qos = { Type: 'QOS', Settings: { MaximumOutgoingBandwidthInBytes: 1000 } };

async function created(Type: string, Settings: object): Promise<string> {
  await createNetwork(nat, networkId);
  return (await createEndpoint(networkId, { Policies: [{ Type, Settings }] })).hresult;
}

export const policySwitches: readonly SwitchRow[] = [
  {
    name: 'hostBitsInExceptions',
    evidence: 'O hcsshim#1951',
    see: () => created('OutBoundNAT', { Exceptions: ['172.17.0.1/16'] }),
    positions: [
      ['refused', '0x803B000D'],
      ['accepted', done],
    ],
  },
  {
    name: 'ipv6PortMapping',
    evidence: 'D HNS_Schema.md NatFlags',
    see: () => created('PortMapping', { Protocol: 6, InternalPort: 80, ExternalPort: 80, Flags: 2 }),
    positions: [
      ['accepted', done],
      ['refused', '0x803B000D'],
    ],
  },
  {
    name: 'hcsshimMembers',
    evidence: 'S hcnpolicy.go',
    see: () => created('L4Proxy', { Destination: '10.0.0.1', OutboundNAT: true }),
    positions: [
      ['refused', '0x803B000D'],
      ['accepted', done],
    ],
  },
  {
    name: 'policyUpdate',
    evidence: 'I',
    see: async () => {
      await createNetwork(nat, networkId);
      await createEndpoint(networkId, { Policies: [qos, acl(1)] }, endpointId);
      const Settings = { Policies: [acl(2)] };
      const request = { ResourceType: 'Policy', RequestType: 'Update', Settings };
      return (await modify(endpoint, endpointId, request)).document['Policies'];
    },
    positions: [
      ['namedTypes', [qos, acl(2)]],
      ['all', [acl(2)]],
    ],
  },
];
