// Probes for the variants of load balancers and routes.

import { loadBalancer, network, sdnRoute } from '../../simulator/computenetwork.ts';
import {
  create,
  createEndpoint,
  createNetwork,
  done,
  endpointId,
  missingId,
  modify,
  nat,
  networkId,
  query,
  remove,
} from '../test-client.ts';
import type { Probe } from './probe.ts';

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
  },
  {
    name: 'missingReference',
    see: async () => (await create(loadBalancer, { HostComputeEndpoints: [missingId] })).hresult,
  },
  {
    name: 'modifyLoadBalancer',
    see: async () => {
      const { id } = await onNat(nodePort);
      const changed = { ...nodePort, Flags: 1, SchemaVersion: { Major: 2, Minor: 0 } };
      const { hresult, document } = await modify(loadBalancer, id, changed);
      return [hresult, document['Flags']];
    },
    expected: { unsupported: ['0x80004001', undefined], ignored: [done, undefined], applied: [done, 1] },
  },
  {
    name: 'emptyLoadBalancer',
    see: async () => (await create(loadBalancer, { ...nodePort, HostComputeEndpoints: [] })).hresult,
    expected: { refused: '0x803B000D', accepted: done },
  },
  {
    name: 'loadBalancersOfNetwork',
    see: async (hns) => {
      const { id } = await onNat(nodePort);
      await remove(network, networkId);
      const count = hns.dump().loadBalancers.length;
      return [count, await remove(loadBalancer, id)];
    },
    expected: {
      deleted: [0, '0x80070490'],
      kept: [1, done],
      'kept, undeletable': [1, '0x803B0001'],
    },
  },
  {
    name: 'portsOfDeletedLoadBalancer',
    see: async () => {
      const { id } = await onNat(nodePort);
      return [await remove(loadBalancer, id), (await create(loadBalancer, nodePort)).hresult];
    },
    expected: { free: [done, done], excluded: [done, '0x803B0013'] },
  },
  {
    name: 'afterReboot',
    see: async (hns) => {
      const { id } = await onNat(nodePort);
      hns.reboot();
      const found = async () => (await query(loadBalancer, id)).hresult;
      return [await found(), await found(), await found(), await found()];
    },
    expected: {
      kept: [done, done, done, done],
      lost: ['0x80070490', '0x80070490', '0x80070490', '0x80070490'],
      late: ['0x80070490', '0x80070490', '0x80070490', done],
    },
  },
  {
    name: 'deleteMissingPolicyList',
    see: async () => [await remove(loadBalancer, missingId), await remove(sdnRoute, missingId)],
    expected: (code) => [code, code],
  },
];
