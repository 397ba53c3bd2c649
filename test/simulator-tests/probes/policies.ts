// Probes for the variants of endpoint policies.

import { endpoint, sdnRoute } from '../../simulator/computenetwork.ts';
import {
  create,
  createEndpoint,
  createNetwork,
  done,
  endpointId,
  modify,
  nat,
  networkId,
} from '../test-client.ts';
import type { Probe } from './probe.ts';

const acl = (Priority: number) => ({
  Type: 'ACL',
  Settings: { Priority, Action: 'Block', Direction: 'Out' },
});
const qos = { Type: 'QOS', Settings: { MaximumOutgoingBandwidthInBytes: 1000 } };

const outbound = [
  qos,
  { Type: 'OutBoundNAT', Settings: { VirtualIP: '10.0.0.4', Exceptions: ['10.0.0.0/8'] } },
  { Type: 'EncapOverhead', Settings: { Overhead: 50 } },
  {
    Type: 'OutBoundNAT',
    Settings: { Destinations: ['10.96.0.10'], Exceptions: ['10.0.0.0/8', '172.16.0.0/12'] },
  },
];

async function created(Type: string, Settings: object): Promise<string> {
  await createNetwork(nat, networkId);
  return (await createEndpoint(networkId, { Policies: [{ Type, Settings }] })).hresult;
}

export const policyProbes: readonly Probe[] = [
  {
    name: 'hostBitsInExceptions',
    see: () => created('OutBoundNAT', { Exceptions: ['172.17.0.1/16'] }),
    expected: { refused: '0x803B000D', accepted: done },
  },
  {
    name: 'ipv6PortMapping',
    see: () => created('PortMapping', { Protocol: 6, InternalPort: 80, ExternalPort: 80, Flags: 2 }),
    expected: { accepted: done, refused: '0x803B000D' },
  },
  {
    name: 'hcsshimMembers',
    see: async () => (await create(sdnRoute, { Setting: [{ DestinationPrefix: '10.0.0.0/8' }] })).hresult,
    expected: { unsupported: '0x803B001B', supported: done },
  },
  {
    name: 'unknownSettings',
    see: () => created('SDNRoute', { DestinationPrefix: '10.0.0.0/8', needEncap: true }),
    expected: { ignored: done, refused: '0x803B000D' },
  },
  {
    name: 'policyUpdate',
    see: async () => {
      await createNetwork(nat, networkId);
      await createEndpoint(networkId, { Policies: [qos, acl(1)] }, endpointId);
      const Settings = { Policies: [acl(2)] };
      const request = { ResourceType: 'Policy', RequestType: 'Update', Settings };
      return (await modify(endpoint, endpointId, request)).document['Policies'];
    },
    expected: { 'all types': [acl(2)], 'only the types sent': [qos, acl(2)] },
  },
  {
    name: 'mixedExceptions',
    see: () => created('OutBoundNAT', { Exceptions: ['10.0.0.0/8', 'fd00::/8'] }),
    expected: { refused: '0x803B000D', accepted: done },
  },
  {
    name: 'policyWithoutSettings',
    see: async () => {
      await createNetwork(nat, networkId);
      return (await createEndpoint(networkId, { Policies: [{ Type: 'L2Driver' }] })).hresult;
    },
    expected: { accepted: done, refused: '0x803B000D' },
  },
  {
    name: 'policiesWrittenBack',
    see: async () => {
      await createNetwork(nat, networkId);
      return (await createEndpoint(networkId, { Policies: [...outbound, acl(1), acl(2)] })).document[
        'Policies'
      ];
    },
    expected: {
      all: [...outbound, acl(1), acl(2)],
      merged: [
        qos,
        {
          Type: 'OutBoundNAT',
          Settings: {
            VirtualIP: '10.0.0.4',
            Exceptions: ['10.0.0.0/8', '172.16.0.0/12'],
            Destinations: ['10.96.0.10'],
          },
        },
        acl(1),
        acl(2),
      ],
      'coalesced ACLs': [...outbound, acl(1)],
    },
  },
];
