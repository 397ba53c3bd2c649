// Probes for the variants of endpoints and their addresses.

import { endpoint, hnsCall, namespace } from '../../simulator/computenetwork.ts';
import { zeroGuid } from '../../simulator/object-id.ts';
import {
  createEndpoint,
  createNetwork,
  done,
  endpointId,
  hex,
  missingId,
  modify,
  nat,
  networkId,
  overlay,
  query,
  remove,
} from '../test-client.ts';
import type { Probe } from './probe.ts';

const at = (...addresses: string[]) => ({
  IpConfigurations: addresses.map((IpAddress) => ({ IpAddress })),
});

async function onNat(document: object, id?: string) {
  await createNetwork({ ...nat, Dns: { ServerList: ['10.96.0.10'] } }, networkId);
  return createEndpoint(networkId, document, id);
}

const created = (document: object) => async () => (await onNat(document)).hresult;

export const endpointProbes: readonly Probe[] = [
  {
    name: 'newAddress',
    see: async () => {
      const first = await onNat({}, endpointId);
      return [first, await query(endpoint, endpointId)].map(({ document }) => 'IpConfigurations' in document);
    },
    expected: { 'at once': [true, true], later: [false, true] },
  },
  {
    name: 'deletedEndpoint',
    see: async () => {
      await onNat(at('192.168.100.9'), endpointId);
      const deletion = await remove(endpoint, endpointId);
      const again = () => createEndpoint(networkId, at('192.168.100.9'), endpointId);
      const tries = [await again(), await again(), await again()];
      return [deletion, ...tries.map(({ hresult }) => hresult)];
    },
    expected: {
      gone: [done, done, '0x80071392', '0x80071392'],
      lingers: [done, '0x80071392', '0x80071392', done],
    },
  },
  {
    name: 'duplicateEndpoint',
    see: async () => {
      await onNat({}, endpointId);
      return (await createEndpoint(networkId, {}, endpointId)).hresult;
    },
  },
  {
    name: 'deleteMissingEndpoint',
    see: () => remove(endpoint, missingId),
  },
  {
    name: 'otherNetworkInEndpoint',
    see: created({ HostComputeNetwork: missingId }),
    expected: { refused: '0x803B000C', ignored: done },
  },
  {
    name: 'namespaceInEndpoint',
    see: async (hns) => {
      const HostComputeNamespace = hns.createNamespace();
      const { document } = await onNat({ HostComputeNamespace });
      return document['HostComputeNamespace'] === zeroGuid ? 'in none' : 'in one';
    },
    expected: { attached: 'in one', ignored: 'in none' },
  },
  {
    name: 'addressConflict',
    see: created(at('192.168.100.1')),
  },
  {
    name: 'exhaustedSubnet',
    see: async () => {
      await createNetwork(
        { Type: 'Private', Ipams: [{ Subnets: [{ IpAddressPrefix: '10.5.0.0/30' }] }] },
        networkId,
      );
      await createEndpoint(networkId, {});
      await createEndpoint(networkId, {});
      return (await createEndpoint(networkId, {})).hresult;
    },
  },
  {
    name: 'duplicateRemoteAddress',
    see: async () => {
      await onNat(at('192.168.100.9'));
      return (await createEndpoint(networkId, { ...at('192.168.100.9'), Flags: 1 })).hresult;
    },
    expected: { refused: '0x803B002F', accepted: done },
  },
  {
    name: 'emptyIpConfigurations',
    see: async () => 'IpConfigurations' in (await onNat({ IpConfigurations: [] })).document,
    expected: { none: false, automatic: true },
  },
  {
    name: 'secondAddressOfFamily',
    see: created(at('192.168.100.9', '192.168.100.10')),
    expected: { accepted: done, refused: '0x803B000C' },
  },
  {
    name: 'earlyStaticAddress',
    options: { staticAddressDelayMs: 60_000 },
    see: async () => {
      await createNetwork({ Type: 'Transparent' }, networkId);
      return (await createEndpoint(networkId, at('10.0.0.9'))).hresult;
    },
  },
  {
    name: 'remoteWithoutProviderAddress',
    see: async () => {
      await createNetwork(overlay, networkId);
      return (await createEndpoint(networkId, { ...at('10.244.4.2'), Flags: 1 })).hresult;
    },
    expected: { refused: '0x803B000C', accepted: done },
  },
  {
    name: 'endpointDns',
    see: async () => (await onNat({})).document['Dns'],
    expected: { inherited: { ServerList: ['10.96.0.10'] }, own: {} },
  },
  {
    name: 'degradedOperation',
    see: async (hns) => {
      hns.inject({ function: 'HcnCreateEndpoint', effect: { unhealthy: { state: 5 } } });
      await onNat({}, endpointId);
      const Policies = [{ Type: 'QOS', Settings: { MaximumOutgoingBandwidthInBytes: 1000 } }];
      const change = { ResourceType: 'Policy', RequestType: 'Add', Settings: { Policies } };
      const Settings = { EndpointId: endpointId };
      const attach = { ResourceType: 'Endpoint', RequestType: 'Add', Settings };
      const changed = await modify(endpoint, endpointId, change);
      const attached = await modify(namespace, hns.createNamespace(), attach);
      const { hresult } = await hnsCall('POST', `/endpoints/${endpointId}/attach`, '{}');
      const found = await query(endpoint, endpointId);
      return [changed.hresult, attached.hresult, hex(hresult), found.hresult];
    },
    expected: {
      accepted: [done, done, done, done],
      refused: ['0x803B0017', '0x803B0017', '0x803B0017', done],
    },
  },
  {
    name: 'unspecifiedNextHop',
    see: async () => {
      const Routes = [{ NextHop: '0.0.0.0', DestinationPrefix: '0.0.0.0/0' }];
      const { hresult, document } = await onNat({ Routes });
      return [hresult, document['Routes'] ?? []];
    },
    expected: {
      accepted: [done, [{ NextHop: '0.0.0.0', DestinationPrefix: '0.0.0.0/0' }]],
      refused: ['0x803B000C', []],
    },
  },
];
