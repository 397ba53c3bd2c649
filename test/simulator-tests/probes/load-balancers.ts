// How the variants of load balancers and routes are seen.

import { loadBalancer, network, sdnRoute } from '../../simulator/computenetwork.ts';
import { create, createEndpoint, createNetwork, modify, nat, query, remove } from '../test-client.ts';
import { done, endpointId, missingId, networkId, type Probe } from './probe.ts';

const nodePort = {
  HostComputeEndpoints: [endpointId],
  PortMappings: [{ Protocol: 6, InternalPort: 80, ExternalPort: 31416 }],
};

async function onNat(document: object) {
  await createNetwork(nat, networkId);
  await createEndpoint(networkId, {}, endpointId);
  return create(loadBalancer, document);
}

export const loadBalancerProbes: readonly Probe[] = [
  {
    name: 'loadBalancerConflict',
    see: async () => {
      await onNat(nodePort);
      return (await create(loadBalancer, nodePort)).hresult;
    },
    positions: [
      [0x800700b7, '0x800700B7'],
      [0x803b0013, '0x803B0013'],
    ],
  },
  {
    name: 'missingReference',
    see: async () => (await create(loadBalancer, { HostComputeEndpoints: [missingId] })).hresult,
    positions: [
      [0x803b0007, '0x803B0007'],
      [0x803b0002, '0x803B0002'],
    ],
  },
  {
    name: 'modifyLoadBalancer',
    see: async () => {
      const { id } = await onNat(nodePort);
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
    name: 'emptyLoadBalancer',
    see: async () => (await create(loadBalancer, { ...nodePort, HostComputeEndpoints: [] })).hresult,
    positions: [
      ['refused', '0x803B000D'],
      ['accepted', done],
    ],
  },
  {
    name: 'loadBalancersOfNetwork',
    see: async (hns) => {
      await onNat(nodePort);
      await remove(network, networkId);
      return hns.dump().loadBalancers.length;
    },
    positions: [
      ['deleted', 0],
      ['kept', 1],
    ],
  },
  {
    name: 'afterReboot',
    see: async (hns) => {
      const { id } = await onNat(nodePort);
      hns.reboot();
      const found = async () => (await query(loadBalancer, id)).hresult;
      return [await found(), await found(), await found(), await found()];
    },
    positions: [
      ['kept', [done, done, done, done]],
      ['lost', ['0x80070490', '0x80070490', '0x80070490', '0x80070490']],
      ['late', ['0x80070490', '0x80070490', '0x80070490', done]],
    ],
  },
  {
    name: 'deleteMissingPolicyList',
    see: async () => [await remove(loadBalancer, missingId), await remove(sdnRoute, missingId)],
    positions: [
      [0x80070490, ['0x80070490', '0x80070490']],
      [0x803b0008, ['0x803B0008', '0x803B0008']],
    ],
  },
];
