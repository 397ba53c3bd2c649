// The switches of load balancers and routes, and of answers of every kind.

import { loadBalancer, network, sdnRoute } from '../computenetwork.ts';
import { create, createNetwork, modify, query, remove } from '../test-client.ts';
import { done, missingId, networkId, type SwitchRow } from './row.ts';

const nodePort = { PortMappings: [{ Protocol: 6, InternalPort: 80, ExternalPort: 31416 }] };

export const loadBalancerSwitches: readonly SwitchRow[] = [
  {
    name: 'loadBalancerConflict',
    evidence: 'O k8s#139519',
    see: async () => {
      await create(loadBalancer, nodePort);
      return (await create(loadBalancer, nodePort)).hresult;
    },
    positions: [
      [0x800700b7, '0x800700B7'],
      [0x803b0013, '0x803B0013'],
    ],
  },
  {
    name: 'missingReference',
    evidence: 'O hcsshim#1043, I',
    see: async () => (await create(loadBalancer, { HostComputeEndpoints: [missingId] })).hresult,
    positions: [
      [0x803b0007, '0x803B0007'],
      [0x803b0002, '0x803B0002'],
    ],
  },
  {
    name: 'modifyLoadBalancer',
    evidence: 'S hcnloadbalancer_test.go, O k8s#131466, T hcnloadbalancer_test.go',
    see: async () => {
      const { id } = await create(loadBalancer, nodePort);
      const changed = { ...nodePort, Flags: 1, SchemaVersion: { Major: 2, Minor: 0 } };
      const { hresult, document } = await modify(loadBalancer, id, changed);
      return [hresult, document['Flags']];
    },
    positions: [
      ['unsupported', ['0x80004001', undefined]],
      ['ignored', [done, undefined]],
      ['applied', [done, 1]],
    ],
  },
  {
    name: 'deleteMissingPolicyList',
    evidence: 'I',
    see: async () => [await remove(loadBalancer, missingId), await remove(sdnRoute, missingId)],
    positions: [
      [0x80070490, ['0x80070490', '0x80070490']],
      [0x803b0008, ['0x803B0008', '0x803B0008']],
    ],
  },
];

export const answerSwitches: readonly SwitchRow[] = [
  {
    name: 'schemaVersion',
    evidence: 'O calico#7305, I',
    see: async () => {
      await createNetwork({ Type: 'NAT' }, networkId);
      const { document } = await query(network, networkId, '{"SchemaVersion":{"Major":2,"Minor":11}}');
      return document['SchemaVersion'];
    },
    positions: [
      ['fixed', { Major: 2, Minor: 0 }],
      ['echoed', { Major: 2, Minor: 11 }],
    ],
  },
  {
    name: 'detailedQuery',
    evidence: 'I',
    see: async () => {
      await createNetwork({ Type: 'NAT' }, networkId);
      const { document } = await query(network, networkId, '{"SchemaVersion":{"Major":2},"Flags":1}');
      return 'Resources' in document;
    },
    positions: [
      ['nothing', false],
      ['resources', true],
    ],
  },
  {
    name: 'unknownEnumerationValue',
    evidence: 'I',
    see: async () => (await createNetwork({ Type: 'Bridge' })).hresult,
    positions: [
      [0x803b001b, '0x803B001B'],
      [0x80070057, '0x80070057'],
    ],
  },
];
