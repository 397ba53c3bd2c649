// Probes for the variants of networks.

import { loadBalancer, namespace, network } from '../../simulator/computenetwork.ts';
import {
  create,
  createEndpoint,
  createNetwork,
  done,
  endpointId,
  enumerate,
  l2bridge,
  missingId,
  modify,
  nat,
  networkId,
  overlay,
  query,
  remove,
} from '../test-client.ts';
import type { Probe } from './probe.ts';

const subnet = (IpAddressPrefix: string) => ({ Ipams: [{ Subnets: [{ IpAddressPrefix }] }] });
const two = [
  { name: 'Ethernet', managementIp: '10.0.0.4' },
  { name: 'Ethernet 2', managementIp: '10.1.0.4' },
];
const hostRoute = { Type: 'HostRoute', Settings: {} };

export const networkProbes: readonly Probe[] = [
  {
    name: 'natVlan',
    see: async () => {
      const { document } = await createNetwork({ ...nat, ...subnet('10.1.0.0/24') });
      return JSON.stringify(document).includes('VLAN');
    },
    expected: { none: false, shown: true },
  },
  {
    name: 'adapterName',
    see: async () => {
      const Policies = [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'Ethernet' } }];
      return (await createNetwork({ ...l2bridge, Policies })).document['Policies'];
    },
    expected: {
      'as sent': [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'Ethernet' } }],
      vEthernet: [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'vEthernet (Ethernet)' } }],
    },
  },
  {
    name: 'managementAddressQuery',
    see: async () => {
      const { id } = await createNetwork(l2bridge);
      return 'ManagementIP' in (await query(network, id, '{"SchemaVersion":{"Major":1}}')).document;
    },
    expected: { answered: true, refused: false },
  },
  {
    name: 'firstEndpoint',
    see: async () => {
      const { id } = await createNetwork(l2bridge);
      const tries = [
        await createEndpoint(id, {}),
        await createEndpoint(id, {}),
        await createEndpoint(id, {}),
      ];
      return tries.map(({ hresult }) => hresult);
    },
    expected: { accepted: [done, done, done], 'after refusals': ['0x803B0004', '0x803B0004', done] },
  },
  {
    name: 'idConflict',
    see: async () => (await createNetwork({ ...nat, ID: missingId }, networkId)).id,
    expected: { argument: networkId, document: missingId },
  },
  {
    name: 'callerIds',
    see: async () => {
      const made = await createNetwork({ ...nat, ID: networkId }, networkId);
      const { id } = await createEndpoint(made.id, { ID: endpointId }, endpointId);
      const balancer = await create(loadBalancer, { ID: missingId, HostComputeEndpoints: [id] }, missingId);
      const sandbox = await create(namespace, {}, missingId);
      return [made.id === networkId, id === endpointId, balancer.id === missingId, sandbox.id === missingId];
    },
    expected: { honored: [true, true, true, true], ignored: [false, false, false, true] },
  },
  {
    name: 'duplicateNetworkName',
    see: async () => {
      await createNetwork({ Type: 'Private', Name: 'a' });
      return (await createNetwork({ Type: 'Private', Name: 'a' })).hresult;
    },
    expected: { refused: '0x803B0010', accepted: done },
  },
  {
    name: 'secondNat',
    see: async () => {
      await createNetwork(nat);
      return (await createNetwork({ Type: 'NAT', Name: 'second' })).hresult;
    },
    expected: { accepted: done, refused: '0x80070057' },
  },
  {
    name: 'concurrentNetworks',
    see: async (hns) => {
      hns.inject({ function: 'HcnCreateNetwork', effect: { delayMs: 200 } });
      const first = createNetwork({ Type: 'Private', Name: 'first' });
      await enumerate(network);
      const second = createNetwork({ Type: 'Private', Name: 'second' });
      return (await Promise.all([first, second])).map(({ hresult }) => hresult);
    },
    expected: { serialized: [done, done], 'some refused': [done, '0x80004005'] },
  },
  {
    name: 'natAfterReboot',
    see: async (hns) => {
      await createNetwork(nat);
      hns.reboot();
      return hns.dump().networks.length;
    },
    expected: { kept: 1, lost: 0 },
  },
  {
    name: 'subnetOverlap',
    see: async () => {
      await createNetwork(nat);
      return (await createNetwork({ ...nat, Name: 'other' })).hresult;
    },
  },
  {
    name: 'overlapAcrossTypes',
    see: async () => {
      await createNetwork(l2bridge);
      return (await createNetwork({ Type: 'Private', ...subnet('192.168.0.0/16') })).hresult;
    },
    expected: { accepted: done, refused: '0x80070034' },
  },
  {
    name: 'overlayWithoutVsid',
    see: async () => (await createNetwork({ ...overlay, ...subnet('10.244.3.0/24') })).hresult,
    expected: { refused: '0x80070057', accepted: done },
  },
  {
    name: 'bridgeWithoutSubnet',
    see: async () => (await createNetwork({ Type: 'L2Bridge' })).hresult,
    expected: { refused: '0x803B000A', accepted: done },
  },
  {
    name: 'hostRoute',
    see: async () => (await createNetwork({ ...overlay, Policies: [hostRoute] })).hresult,
    expected: { accepted: done, refused: '0x803B000E' },
  },
  {
    name: 'hostRouteAtCreation',
    see: async () => {
      const { hresult } = await createNetwork({ ...overlay, Policies: [hostRoute] });
      await createNetwork({ ...l2bridge, Name: 'other' }, networkId);
      const request = { ResourceType: 'Policy', RequestType: 'Add', Settings: { Policies: [hostRoute] } };
      return [hresult, (await modify(network, networkId, request)).hresult];
    },
    options: { adapters: two },
    expected: { accepted: [done, done], refused: ['0x803B000D', done] },
  },
  {
    name: 'deleteMissingNetwork',
    see: () => remove(network, networkId),
  },
  {
    name: 'networkWithEndpoints',
    see: async (hns) => {
      await createNetwork(nat, networkId);
      await createEndpoint(networkId, {});
      const answer = await remove(network, networkId);
      return [answer, hns.dump().networks.length, hns.dump().endpoints.length];
    },
    expected: {
      'endpoints deleted': [done, 0, 0],
      'endpoints kept': [done, 0, 1],
      refused: ['0x800700AA', 1, 1],
    },
  },
  {
    name: 'removeAbsentPolicy',
    see: async () => {
      await createNetwork({ ...overlay, Policies: [hostRoute] }, networkId);
      const Policies = [{ Type: 'VxlanPort', Settings: { Port: 4789 } }, hostRoute];
      const request = { ResourceType: 'Policy', RequestType: 'Remove', Settings: { Policies } };
      const { hresult, document } = await modify(network, networkId, request);
      return [hresult, JSON.stringify(document['Policies']).includes('HostRoute')];
    },
    expected: { refused: ['0x803B0008', true], ignored: [done, false] },
  },
  {
    name: 'exhaustedMacPool',
    see: async () => {
      const Ranges = [{ StartMacAddress: '00-15-5D-00-00-01', EndMacAddress: '00-15-5D-00-00-01' }];
      await createNetwork({ Type: 'Private', MacPool: { Ranges } }, networkId);
      await createEndpoint(networkId, {});
      return (await createEndpoint(networkId, {})).hresult;
    },
  },
];
